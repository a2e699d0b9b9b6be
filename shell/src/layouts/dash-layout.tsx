import { Link, Outlet, useLocation, useNavigate, useSession } from '@clinic/app-kit';
import type { PageDescriptor } from '@clinic/contracts';
import { Icon } from '@clinic/ui';
import { useEffect, type ReactNode } from 'react';
import { Notices } from '../account/notices.tsx';
import { DashMenu } from './dash-menu.tsx';
import { maySearch, placeInMenu, search, type PlaceInMenu } from './menu-entries.ts';
import { MenuHead } from './menu-head.tsx';
import { PageMain } from './page-main.tsx';
import { useDisclosure } from './use-disclosure.ts';

interface DashLayoutProps {
  /** The pages of all registered remotes, for the menu. */
  readonly pages: readonly PageDescriptor[];
  readonly children?: ReactNode;
}

/** The dashboard's frame: a side bar on wide screens, a bar with a menu on narrow ones. */
export function DashLayout({ pages, children = <Outlet /> }: DashLayoutProps) {
  const { role, rights } = useSession();
  const { pathname } = useLocation();
  useSearchKey(maySearch(pages, role, rights));
  const place = role && placeInMenu(pages, role, pathname, rights);
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[17.5rem_minmax(0,1fr)]">
      <SideBar pages={pages} place={place} />
      <PageMain className="mx-auto w-full max-w-page min-w-0 px-4 py-8 sm:px-6 lg:px-10 lg:py-10">
        <Notices />
        {place?.back && <BackLink back={place.back} />}
        {children}
      </PageMain>
    </div>
  );
}

/** Ctrl K, or ⌘ K, opens the search of staff from every page of the dashboard, and goes to its field there. */
function useSearchKey(enabled: boolean): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    if (!enabled) return;
    function open(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey || event.ctrlKey === event.metaKey) return;
      // An open dialog keeps what was typed in it.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (pathname === search) document.querySelector<HTMLElement>('main input[type=search]')?.focus();
      else void navigate(search);
    }
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, [enabled, navigate, pathname]);
}

/** The way back from a page that the menu doesn't have. */
function BackLink({ back: { to, label } }: { readonly back: NonNullable<PlaceInMenu['back']> }) {
  return (
    <Link
      to={to}
      className="-mt-3 mb-2 inline-flex min-h-9 items-center gap-1 rounded-field text-sm font-medium text-muted hover:text-primary hover:underline print:hidden"
    >
      <Icon name="chevron-left" size={16} />
      <span>
        <span className="sr-only">Back to </span>
        {label}
      </span>
    </Link>
  );
}

interface SideBarProps {
  readonly pages: readonly PageDescriptor[];
  readonly place: PlaceInMenu | undefined;
}

function SideBar({ pages, place }: SideBarProps) {
  const menu = useDisclosure();
  return (
    <header className="sticky top-0 z-40 border-b border-line bg-base-100 lg:flex lg:h-dvh lg:flex-col lg:gap-8 lg:overflow-y-auto lg:border-e lg:border-b-0 lg:px-4 lg:py-6">
      <div className="flex items-center justify-between gap-4 px-4 py-3 lg:px-3 lg:py-0">
        <MenuHead menu={menu} controls="dash-menu" />
      </div>
      <div
        id="dash-menu"
        className={`${menu.open ? 'block' : 'hidden'} max-h-[calc(100dvh-4rem)] overflow-y-auto px-4 pb-5 lg:block lg:max-h-none lg:flex-1 lg:overflow-visible lg:p-0`}
      >
        <DashMenu pages={pages} place={place} />
      </div>
    </header>
  );
}
