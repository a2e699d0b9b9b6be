import { Link, useSession } from '@clinic/app-kit';
import { rightLabels, type PageDescriptor, type SessionUser } from '@clinic/contracts';
import { knownLabel } from '@clinic/contracts/known-words';
import { Avatar, Button, Icon } from '@clinic/ui';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import {
  account,
  maySearch,
  menuEntries,
  menuGroups,
  profile,
  search,
  type MenuGroup,
  type PlaceInMenu,
} from './menu-entries.ts';
import { openThemeDialog } from '../theme/open-theme-dialog.ts';
import { useLogout } from './use-logout.ts';

const line =
  'flex w-full scroll-my-6 min-h-11 cursor-pointer items-center gap-3 rounded-field px-3 py-2 text-start lg:min-h-9 lg:py-1 font-medium hover:bg-base-300/60 aria-[current]:bg-tint aria-[current]:text-primary';

interface DashMenuProps {
  readonly pages: readonly PageDescriptor[];
  /** Where the page on screen belongs. */
  readonly place: PlaceInMenu | undefined;
}

/** The dashboard's menu: the role's pages, the signed-in person, log-out and the way home. */
export function DashMenu({ pages, place }: DashMenuProps) {
  const { role, rights } = useSession();
  const { logout, busy } = useLogout();
  const menu = useRef<HTMLDivElement>(null);
  const entry = place?.entry;
  // Low windows don't have room for all of an admin's entries.
  useEffect(() => {
    // Newer browsers return a promise, which React would call as the effect’s clean-up.
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [entry]);
  return (
    <div ref={menu} className="flex h-full flex-col gap-6">
      {maySearch(pages, role, rights) && (
        <Link to={search} className={line} aria-current={currentIn(place, search)} aria-keyshortcuts="Control+K Meta+K">
          <Icon name="search" />
          Search
          <kbd aria-hidden className="ms-auto hidden rounded border border-line px-1.5 text-xs text-muted lg:inline">
            Ctrl K
          </kbd>
        </Link>
      )}
      <nav aria-label="Dashboard">
        <RoleEntries pages={pages} place={place} />
      </nav>
      <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-1 border-t border-line pt-4">
        <Person />
        {pages.some(({ path }) => path === account) && <AccountEntry place={place} />}
        {role === 'doctor' && pages.some(({ path }) => path === profile) && (
          <Link to={profile} className={line} aria-current={currentIn(place, profile)}>
            <Icon name="user" />
            My Profile
          </Link>
        )}
        <Link to="/" className={line}>
          <Icon name="building" />
          Home
        </Link>
        <button type="button" className={line} onClick={openThemeDialog}>
          <Icon name="eye" />
          Theme
        </button>
        <button type="button" className={line} aria-disabled={busy} onClick={() => void logout()}>
          <Icon name="logout" />
          Logout
        </button>
      </div>
    </div>
  );
}

/** The page itself, or the entry that it belongs to. */
function currentIn(place: PlaceInMenu | undefined, entry: string): 'page' | 'true' | undefined {
  if (place?.entry !== entry) return undefined;
  return place.back ? 'true' : 'page';
}

function RoleEntries({ pages, place }: DashMenuProps): ReactNode {
  const { role, rights, roleLoading, retryRole } = useSession();
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
    <div className="grid gap-4">
      {menuGroups(menuEntries(pages, role, rights)).map((group) => (
        <Group key={group.heading ?? ''} group={group} place={place} />
      ))}
    </div>
  );
}

function Group({ group: { heading, entries }, place }: { readonly group: MenuGroup } & Pick<DashMenuProps, 'place'>) {
  const id = useId();
  return (
    <div>
      {heading && (
        <p id={id} className="px-3 pb-1 text-sm font-semibold text-muted">
          {heading}
        </p>
      )}
      <ul className="grid gap-1 lg:gap-0.5" aria-labelledby={heading && id}>
        {entries.map(({ to, label, icon }) => (
          <li key={to}>
            <Link to={to} className={line} aria-current={currentIn(place, to)}>
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The signed-in person. */
function Person() {
  const { user, role, rights = [] } = useSession();
  if (!user) return null;
  const works = rights.map((right) => knownLabel(rightLabels, right));
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
          <span className="block text-sm text-muted capitalize">
            {[...(role === 'patient' && works.length > 0 ? [] : [role]), ...works].join(', ')}
          </span>
        ) : (
          <span className="block truncate text-sm text-muted" title={user.email}>
            {user.email}
          </span>
        )}
      </span>
    </div>
  );
}

function AccountEntry({ place }: Pick<DashMenuProps, 'place'>) {
  const { user } = useSession();
  return (
    <Link
      to={account}
      className={line}
      aria-current={currentIn(place, account)}
      aria-label={user && `My Account: ${nameOf(user)}`}
    >
      <Icon name="shield" />
      My Account
    </Link>
  );
}

const nameOf = ({ firstName, lastName, email }: SessionUser): string => `${firstName} ${lastName}`.trim() || email;
