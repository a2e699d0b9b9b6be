import { queryClient } from '@clinic/app-kit/host';
import { useEffect, useMemo, type ReactNode } from 'react';
import { isMissingFile, MissingExport, RemoteError, type Concerned } from '../federation/remote-error.ts';
import { reloadKeepingDrafts } from '../federation/renew.ts';
import { reportError } from '../federation/report-error.ts';
import { ownShell } from '../federation/shell-version.ts';
import { ErrorPage } from '../pages/error-page.tsx';
import { Boundary } from './boundary.tsx';
import { useNavigationState } from './navigation-context.ts';
import { PageFallback } from './page-fallback.tsx';
import { PageMissing } from './page-missing.ts';
import { RemotePanel } from './remote-panel.tsx';

interface PageSlotProps {
  /** Whose page it is; the shell's unless told. */
  readonly owner?: Concerned;
  /** Route path of the page. */
  readonly page?: string;
  /** Takes a newer version of the page, if there is one, for one that broke. */
  readonly renew?: () => Promise<void>;
  readonly children: ReactNode;
}

/** A page's place in its frame: the page, a sign before the first one is here, or what keeps it away. */
export function PageSlot({ owner = ownShell(), page, renew, children }: PageSlotProps) {
  const { location, ready, failure, retry } = useNavigationState();
  if (!ready) return <PageFallback />;
  // The page that was left for this one is gone anyway.
  if (failure) return <Failure error={failure.error} owner={owner} page={page} idle onRetry={retry} />;
  return (
    <Boundary resetOn={location} fallback={(error, again) => <Failure error={error} owner={owner} page={page} onRetry={() => void startAfresh(renew).then(again)} />}>
      {children}
    </Boundary>
  );
}

interface FailureProps extends Required<Pick<PageSlotProps, 'owner'>>, Pick<PageSlotProps, 'page'> {
  readonly error: unknown;
  readonly idle?: boolean;
  readonly onRetry: () => void;
}

function Failure({ error, owner, page, idle, onRetry }: FailureProps) {
  const known = useMemo(() => understand(error, owner), [error, owner]);
  useEffect(() => {
    // An address that nobody offers is the visitor's mistake, or a link's.
    if (!known && !(error instanceof PageMissing)) reportError(error, { kind: 'broken', remote: owner.name, version: owner.version, page });
  }, [error, known, owner, page]);
  // Another trouble than before, after a Retry, begins anew.
  return known ? <RemotePanel key={known.trouble} error={known} page={page} idle={idle} /> : <ErrorPage error={error} onRetry={onRetry} />;
}

/** What of an error is a matter of versions and files, not of the page's own code. */
function understand(error: unknown, owner: Concerned): RemoteError | undefined {
  if (error instanceof RemoteError) return error;
  if (error instanceof MissingExport) return new RemoteError(owner, 'incompatible', error);
  // React keeps the failure of a lazy part for ever: only a new document helps.
  return isMissingFile(error) ? new RemoteError(owner, 'outdated', error) : undefined;
}

/** Before a broken screen is tried again: without what it had loaded, which may be what broke it, and with newer code where there is some. */
async function startAfresh(renew: PageSlotProps['renew']): Promise<void> {
  queryClient.removeQueries({ type: 'inactive' });
  try {
    await renew?.();
  } catch (error) {
    if (error instanceof RemoteError && error.trouble === 'outdated') reloadKeepingDrafts();
    else console.warn('A newer version could not be loaded', error);
  }
}
