import { Link, NavLink, useSession } from '@clinic/app-kit';
import type { PageDescriptor, SessionUser } from '@clinic/contracts';
import { Avatar, Button, Icon } from '@clinic/ui';
import type { ReactNode } from 'react';
import { menuEntries } from './menu-entries.ts';
import { useLogout } from './use-logout.ts';

const line =
  'flex w-full min-h-11 cursor-pointer items-center gap-3 rounded-field px-3 py-2 text-start font-medium hover:bg-base-300/60 aria-[current=page]:bg-tint aria-[current=page]:text-primary';
const profile = '/dash/dProfile';
const account = '/dash/account';

/** The dashboard's menu: the role's pages, the signed-in person, log-out and the way home. */
export function DashMenu({ pages }: { readonly pages: readonly PageDescriptor[] }) {
  const { role } = useSession();
  const { logout, busy } = useLogout();
  return (
    <div className="flex h-full flex-col gap-6">
      <nav aria-label="Dashboard">
        <RoleEntries pages={pages} />
      </nav>
      <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-1 border-t border-line pt-4">
        <Person />
        {pages.some(({ path }) => path === account) && <AccountEntry />}
        {role === 'doctor' && pages.some(({ path }) => path === profile) && (
          <NavLink to={profile} className={line}>
            <Icon name="user" />
            My Profile
          </NavLink>
        )}
        <Link to="/" className={line}>
          <Icon name="building" />
          Home
        </Link>
        <button type="button" className={line} aria-disabled={busy} onClick={() => void logout()}>
          <Icon name="logout" />
          Logout
        </button>
      </div>
    </div>
  );
}

function RoleEntries({ pages }: { readonly pages: readonly PageDescriptor[] }): ReactNode {
  const { role, roleLoading, retryRole } = useSession();
  if (roleLoading) return <p className="px-3 py-2 text-muted">Loading...</p>;
  if (!role) {
    return (
      <div className="grid justify-items-start gap-2 px-3 py-2">
        <p className="text-sm text-muted">We couldn’t load the menu.</p>
        <Button size="sm" variant="secondary" icon="refresh" onClick={retryRole}>
          Retry
        </Button>
      </div>
    );
  }
  return (
    <ul className="grid gap-1">
      {menuEntries(pages, role).map(({ to, label, icon }) => (
        <li key={to}>
          <NavLink to={to} className={line}>
            <Icon name={icon} />
            {label}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}

/** The signed-in person. */
function Person() {
  const { user, role } = useSession();
  if (!user) return null;
  return (
    <div className="flex items-center gap-3 px-3 pb-2">
      <span className="flex-none">
        <Avatar name={nameOf(user)} />
      </span>
      <span className="min-w-0 leading-snug">
        <span className="line-clamp-2 font-semibold wrap-break-word" title={nameOf(user)}>
          {nameOf(user)}
        </span>
        {role ? (
          <span className="block text-sm text-muted capitalize">{role}</span>
        ) : (
          <span className="block truncate text-sm text-muted" title={user.email}>
            {user.email}
          </span>
        )}
      </span>
    </div>
  );
}

function AccountEntry() {
  const { user } = useSession();
  return (
    <NavLink to={account} className={line} aria-label={user && `My Account: ${nameOf(user)}`}>
      <Icon name="shield" />
      My Account
    </NavLink>
  );
}

const nameOf = ({ firstName, lastName, email }: SessionUser): string => `${firstName} ${lastName}`.trim() || email;
