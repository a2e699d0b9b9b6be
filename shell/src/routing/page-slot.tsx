import { queryClient } from '@clinic/app-kit/host';
import type { ReactNode } from 'react';
import { RemoteError } from '../federation/remote-error.ts';
import { ErrorPage } from '../pages/error-page.tsx';
import { Boundary } from './boundary.tsx';
import { useNavigationState } from './navigation-context.ts';
import { PageFallback } from './page-fallback.tsx';
import { RemotePanel } from './remote-panel.tsx';

/** A page's place in its frame: the page, a sign before the first one is here, or what keeps it away. */
export function PageSlot({ children }: { readonly children: ReactNode }) {
  const { location, ready, failure, retry } = useNavigationState();
  if (!ready) return <PageFallback />;
  if (failure?.error instanceof RemoteError) return <RemotePanel error={failure.error} />;
  if (failure) return <ErrorPage error={failure.error} onRetry={retry} />;
  return (
    <Boundary resetOn={location} fallback={(error, again) => <ErrorPage error={error} onRetry={() => startAfresh(again)} />}>
      {children}
    </Boundary>
  );
}

/** Tries a broken screen again without what it had loaded, which may be what broke it. */
function startAfresh(again: () => void): void {
  queryClient.removeQueries({ type: 'inactive' });
  again();
}
