import { Link, Navigate, Outlet, usePageTitle, useSession } from '@clinic/app-kit';
import { mayOpen, type PageAccess, type PageDescriptor, type Role } from '@clinic/contracts';
import { ButtonLink, ErrorState, Icon } from '@clinic/ui';
import type { ReactNode } from 'react';

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
  return <Refused page={page} role={role} />;
}

function Refused({ page, role }: { readonly page: RequireAccessProps['page']; readonly role: Role }) {
  usePageTitle('You can’t open this page');
  return (
    <div className="mx-auto grid max-w-prose justify-items-center gap-3 px-4 py-16 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-tint text-primary">
        <Icon name="shield" size={28} />
      </span>
      <h1 className="text-heading font-semibold">You can’t open ‘{page.title}’</h1>
      <p className="text-muted">
        This page is for {audience(page.access)}. You’re logged in as {role === 'admin' ? 'an' : 'a'} {role}.
      </p>
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        <ButtonLink component={Link} to="/dash">
          Back to your dashboard
        </ButtonLink>
        <ButtonLink component={Link} to="/" variant="secondary">
          Home
        </ButtonLink>
      </div>
    </div>
  );
}

function audience(access: PageAccess): string {
  if (typeof access === 'string') return 'people who are logged in';
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(access.map((role) => `${role}s`));
}
