import { Link, usePageTitle } from '@clinic/app-kit';
import type { PageAccess, PageDescriptor, Role } from '@clinic/contracts';
import { ButtonLink, Icon } from '@clinic/ui';

/** Whose page this is, and the way back. */
export function AccessDenied({
  page,
  role,
}: {
  readonly page: Pick<PageDescriptor, 'access' | 'title'>;
  readonly role: Role;
}) {
  usePageTitle('You can’t open this page');
  return (
    <div className="ui-state mx-auto max-w-prose gap-3 py-16">
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
