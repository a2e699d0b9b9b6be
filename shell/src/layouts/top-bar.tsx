import { Link, NavLink, useSession } from '@clinic/app-kit';
import type { Registry } from '@clinic/contracts';
import { Button, buttonClass } from '@clinic/ui';
import { MenuHead } from './menu-head.tsx';
import { topBarEntries, type TopBarLine } from './top-bar-entries.ts';
import { useDisclosure } from './use-disclosure.ts';
import { useLogout } from './use-logout.ts';

const home: TopBarLine = { to: '/', label: 'Home' };
const dashboard: TopBarLine = { to: '/dash', label: 'Dashboard' };
const account: TopBarLine = { to: '/dash/account', label: 'My Account' };

const link = 'top-link';

/** Brand and menu of the public pages; the registered remotes' entries are between Dashboard and Login. */
export function TopBar({ registry }: { readonly registry: Registry }) {
  const { user, role } = useSession();
  const menu = useDisclosure();
  const others = topBarEntries(registry, role);
  const entries = user ? [home, dashboard, ...others, account] : [home, ...others];
  return (
    <header className="sticky top-0 z-40 border-b border-line bg-base-100/95 backdrop-blur">
      <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-4 px-4 py-3 sm:px-6">
        <MenuHead menu={menu} controls="top-menu" />
        <nav
          id="top-menu"
          aria-label="Main"
          className={`${menu.open ? 'block' : 'hidden noscript:block'} w-full pt-3 pb-1 lg:block lg:w-auto lg:p-0`}
        >
          <ul className="grid gap-1 lg:flex lg:items-center">
            {entries.map(({ to, label }) => (
              <li key={to}>
                <NavLink to={to} end={to === '/'} className={link}>
                  {label}
                </NavLink>
              </li>
            ))}
            <li className="pt-2 lg:ps-3 lg:pt-0">
              <SessionEntry />
            </li>
          </ul>
        </nav>
      </div>
    </header>
  );
}

function SessionEntry() {
  const { user, loading, prepareSignIn } = useSession();
  const { logout, busy } = useLogout();

  // Hovering precedes the press, so page and sign-in code are loaded before it.
  function prepare(): void {
    prepareSignIn();
    import(/* webpackChunkName: "login" */ '../pages/login-page.tsx').catch((error: unknown) =>
      console.warn('The login page could not be prefetched', error),
    );
  }

  if (user)
    return (
      <Button variant="secondary" busy={busy} className="w-full lg:w-auto" onClick={() => void logout()}>
        Logout
      </Button>
    );
  return (
    <Link
      to="/login"
      className={buttonClass({ variant: 'primary' }, 'w-full lg:w-auto')}
      // Until it is known who this is, neither entry is right; the space is kept so that nothing jumps.
      {...(loading ? { 'aria-hidden': true, tabIndex: -1, style: { visibility: 'hidden' } as const } : {})}
      onPointerEnter={prepare}
      onFocus={prepare}
    >
      Login
    </Link>
  );
}
