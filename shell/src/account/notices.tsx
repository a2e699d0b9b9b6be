import { useSession } from '@clinic/app-kit';
import { lazy, Suspense, useEffect } from 'react';
import { Boundary } from '../routing/boundary.tsx';

const AccountNotices = lazy(async () => ({ default: (await import(/* webpackChunkName: "account-notices" */ './account-notices.tsx')).AccountNotices }));

/** A place for {@link AccountNotices}, which are loaded only for accounts that lack something. */
export function Notices({ registered }: { readonly registered?: boolean }) {
  const { user } = useSession();
  if (!user || (user.emailVerified && !user.held && !user.profileNeeded)) return null;
  // The page is worth more than what is said above it.
  return <Boundary resetOn={user} fallback={(error) => <Silence error={error} />}><Suspense><AccountNotices user={user} registered={registered} /></Suspense></Boundary>;
}

function Silence({ error }: { readonly error: unknown }) {
  useEffect(() => console.error('What the account still lacks could not be shown', error), [error]);
  return null;
}
