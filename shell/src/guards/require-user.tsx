import { Link, Navigate, Outlet, useLocation, useSession } from '@clinic/app-kit';
import { ButtonLink, ErrorState, Spinner } from '@clinic/ui';
import { Fragment, type ReactNode } from 'react';
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
  if (unreachable) {
    return (
      <div className="mx-auto max-w-page p-6">
        <ErrorState
          heading
          title="We can’t check if you’re logged in right now"
          text="The login service isn’t responding. You haven’t been logged out, and this page will open when the service is back."
          onRetry={() => void load()}
          action={
            <ButtonLink component={Link} to="/" variant="ghost">
              Home
            </ButtonLink>
          }
        />
      </div>
    );
  }
  // After a deliberate log-out the next person should not land on this page.
  return <Navigate to="/login" replace state={ended === 'logout' ? null : rememberPlace(location)} />;
}
