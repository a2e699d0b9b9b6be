import { Navigate, Outlet, useLocation, useSession } from '@clinic/app-kit';
import { Spinner } from '@clinic/ui';
import { Fragment, Suspense, type ReactNode } from 'react';
import { LateGuardPanel } from './late-guard-panel.ts';
import { rememberPlace } from './remembered-place.ts';

/** Lets signed-in people through and redirects everybody else to /login, which returns them here. */
export function RequireUser({ children = <Outlet /> }: { readonly children?: ReactNode }) {
  const { user, loading, ended, unreachable, load } = useSession();
  const location = useLocation();
  // Another person, who may have signed in in another tab, starts with fresh pages.
  if (user) return <Fragment key={user.email}>{children}</Fragment>;
  if (loading) {
    return (
      <output className="flex min-h-[60dvh] items-center justify-center gap-3 p-6 text-muted">
        <Spinner label="" />
        Loading, please wait a moment...
      </output>
    );
  }
  if (unreachable)
    return (
      <Suspense>
        <LateGuardPanel onRetry={() => void load()} />
      </Suspense>
    );
  // After a deliberate log-out the next person should not land on this page.
  return <Navigate to="/login" replace state={ended === 'logout' ? null : rememberPlace(location)} />;
}
