import { Navigate, Outlet, useSession } from '@clinic/app-kit';
import { holdsOneOf, mayOpen, type PageDescriptor } from '@clinic/contracts';
import { Suspense, type ReactNode } from 'react';
import { LateGuardPanel } from './late-guard-panel.ts';

interface RequireAccessProps {
  readonly page: Pick<PageDescriptor, 'access' | 'rights' | 'title' | 'insteadFor'>;
  readonly children?: ReactNode;
}

/**
 * Shows a page to people who may open it (docs/product.md, Accounts). Inside a {@link RequireUser} unless the page is for
 * everyone.
 */
export function RequireAccess({ page, children = <Outlet /> }: RequireAccessProps) {
  const { user, role, rights, roleLoading, retryRole } = useSession();
  const open = page.access === 'everyone' || (page.access === 'signedIn' && user) || mayOpen(page.access, role);
  if (open || holdsOneOf(page.rights, rights)) return children;
  if (roleLoading) return <p className="p-6 text-muted">Loading...</p>;
  const instead = role && page.insteadFor?.[role];
  if (instead) return <Navigate to={instead} replace />;
  return (
    <Suspense>
      <LateGuardPanel page={page} role={role} onRetry={retryRole} />
    </Suspense>
  );
}
