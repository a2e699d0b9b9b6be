import { Navigate, Outlet, useSession } from '@clinic/app-kit';
import { mayOpen, type PageDescriptor } from '@clinic/contracts';
import { ErrorState } from '@clinic/ui';
import { lazy, Suspense, type ReactNode } from 'react';

// Few people see it, and the dashboard's file is loaded by then.
const Refused = lazy(async () => ({
  default: (await import(/* webpackChunkName: "dash" */ './refused.tsx')).Refused,
}));

interface RequireAccessProps {
  readonly page: Pick<PageDescriptor, 'access' | 'title' | 'insteadFor'>;
  readonly children?: ReactNode;
}

/**
 * Shows a page to people who may open it (docs/product.md, Accounts). Inside a {@link RequireUser} unless the page is for
 * everyone.
 */
export function RequireAccess({ page, children = <Outlet /> }: RequireAccessProps) {
  const { user, role, roleLoading, retryRole } = useSession();
  if (page.access === 'everyone' || (page.access === 'signedIn' && user) || mayOpen(page.access, role)) return children;
  if (roleLoading) return <p className="p-6 text-muted">Loading...</p>;
  if (!role) return <ErrorState heading title="We can’t check your access right now" onRetry={retryRole} />;
  const instead = page.insteadFor?.[role];
  if (instead) return <Navigate to={instead} replace />;
  return (
    <Suspense>
      <Refused page={page} role={role} />
    </Suspense>
  );
}
