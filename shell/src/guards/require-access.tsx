import { Link, Navigate, Outlet, useSession } from '@clinic/app-kit';
import { mayOpen, type PageAccess, type PageDescriptor } from '@clinic/contracts';
import { ButtonLink, EmptyState, ErrorState } from '@clinic/ui';
import type { ReactNode } from 'react';

interface RequireAccessProps {
  readonly page: Pick<PageDescriptor, 'access' | 'title' | 'insteadFor'>;
  readonly children?: ReactNode;
}

/** Lets those pass whom the page is for (design section 5). Inside a {@link RequireUser} unless the page is everyone's. */
export function RequireAccess({ page, children = <Outlet /> }: RequireAccessProps) {
  const { user, role, roleLoading, retryRole } = useSession();
  if (page.access === 'everyone' || (page.access === 'signedIn' && user) || mayOpen(page.access, role)) return children;
  if (roleLoading) return <p className="p-6 text-muted">Loading...</p>;
  if (!role) return <ErrorState title="We can’t tell what you may open at the moment" onRetry={retryRole} />;
  const instead = page.insteadFor?.[role];
  if (instead) return <Navigate to={instead} replace />;
  return (
    <EmptyState
      icon="shield"
      title={`‘${page.title}’ is not open to you`}
      text={`This page is for ${audience(page.access)}. You are logged in as ${role}.`}
      action={
        <>
          <ButtonLink component={Link} to="/dash">Back to your dashboard</ButtonLink>
          <ButtonLink component={Link} to="/" variant="secondary">Home</ButtonLink>
        </>
      }
    />
  );
}

function audience(access: PageAccess): string {
  if (typeof access === 'string') return 'signed-in people';
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(access.map((role) => `${role}s`));
}
