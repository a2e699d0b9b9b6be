import { useSession } from '@clinic/app-kit';
import { lazy, Suspense, useEffect } from 'react';
import { Boundary } from '../routing/boundary.tsx';

const AccountNotices = lazy(async () => ({
  default: (await import(/* webpackChunkName: "account-notices" */ './account-notices.tsx')).AccountNotices,
}));

/** Placeholder for {@link AccountNotices}, which load only for accounts that lack something. */
export function Notices({ registered }: { readonly registered?: boolean }) {
  const { user } = useSession();
  if (!user || (user.emailVerified && !user.held && !user.profileNeeded)) return null;
  // The page matters more than the notices above it.
  return (
    <Boundary resetOn={user} fallback={(error) => <Silence error={error} />}>
      <Suspense>
        <AccountNotices user={user} registered={registered} />
      </Suspense>
    </Boundary>
  );
}

function Silence({ error }: { readonly error: unknown }) {
  useEffect(() => console.error('The account notices could not be shown', error), [error]);
  return null;
}
