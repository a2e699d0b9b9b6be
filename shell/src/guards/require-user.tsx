import { Link, Navigate, Outlet, useLocation, useSession } from '@clinic/app-kit';
import { ButtonLink, ErrorState, Spinner } from '@clinic/ui';
import { Fragment, type ReactNode } from 'react';
import { rememberPlace } from './remembered-place.ts';

/** Lets signed-in people pass and sends everybody else to /login, which leads them back here afterwards. */
export function RequireUser({ children = <Outlet /> }: { readonly children?: ReactNode }) {
  const { user, loading, ended, unreachable, load } = useSession();
  const location = useLocation();
  // Another person, as another tab may bring, starts with fresh pages.
  if (user) return <Fragment key={user.email}>{children}</Fragment>;
  if (loading) {
    return (
      <output className="flex min-h-[60dvh] items-center justify-center gap-3 p-6 text-muted">
        <Spinner label="" />Loading, please wait a moment...
      </output>
    );
  }
  if (unreachable) {
    return (
      <div className="mx-auto max-w-page p-6">
        <ErrorState
          title="We can’t tell who is signed in at the moment" text="The login service does not answer. You are not logged out, and this page opens by itself once it answers." onRetry={() => void load()}
          action={<ButtonLink component={Link} to="/" variant="ghost">Home</ButtonLink>}
        />
      </div>
    );
  }
  // Who logged out on purpose doesn't want the next person to land on their page.
  return <Navigate to="/login" replace state={ended === 'logout' ? null : rememberPlace(location)} />;
}
