import { Outlet, useLocation } from '@clinic/app-kit';
import { useEffect, useRef } from 'react';
import { IdentityChecks } from '../identity-check/identity-checks.tsx';
import { useRoleChange } from './use-role-change.ts';
import { LateNotifications } from './late-notifications.tsx';

/** Common to all layouts: skip link, notifications, and the focus on a new page. */
export function RootLayout() {
  useFocusOnNewPage();
  useRoleChange();
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:start-4 focus:top-3 focus:z-50 focus:rounded-field focus:bg-primary focus:px-4 focus:py-2 focus:font-semibold focus:text-primary-content"
      >
        Skip to content
      </a>
      <Outlet />
      <IdentityChecks />
      <LateNotifications />
    </>
  );
}

/** Screen readers and keyboards continue at the new page's content, as after a full page load. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // It was the first page's; browsers share a page by its canonical address.
    document.querySelector('link[rel="canonical"]')?.remove();
    const main = document.getElementById('main');
    // A page may already have set the focus itself.
    if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
  }, [pathname]);
}
