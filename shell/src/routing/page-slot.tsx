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
  /** Owner of the page; default: the shell. */
  readonly owner?: Concerned;
  /** Route path of the page. */
  readonly page?: string;
  /** Replaces a broken page with a newer version, if there is one. */
  readonly renew?: () => Promise<void>;
  readonly children: ReactNode;
}

/** A page in its frame: the page, a placeholder before the first one, or the reason why it can't be shown. */
export function PageSlot({ owner = ownShell(), page, renew, children }: PageSlotProps) {
  const { location, ready, failure, retry } = useNavigationState();
  if (!ready) return <PageFallback />;
  // Don't show the previous page, which was left for this one.
  if (failure) return <Failure error={failure.error} owner={owner} page={page} idle onRetry={retry} />;
  return (
    <Boundary
      resetOn={location}
      fallback={(error, again) => (
        <Failure error={error} owner={owner} page={page} onRetry={() => void startAfresh(renew).then(again)} />
      )}
    >
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
    // An unknown address is the visitor's mistake, or a link's.
    if (!known && !(error instanceof PageMissing))
      reportError(error, { kind: 'broken', remote: owner.name, version: owner.version, page });
  }, [error, known, owner, page]);
  // A different failure than before, after a Retry, starts over.
  return known ? (
    <RemotePanel key={known.trouble} error={known} page={page} idle={idle} />
  ) : (
    <ErrorPage error={error} part={owner.title} onRetry={onRetry} />
  );
}

/** The errors that concern versions and files, not the page's own code. */
function understand(error: unknown, owner: Concerned): RemoteError | undefined {
  if (error instanceof RemoteError) return error;
  if (error instanceof MissingExport) return new RemoteError(owner, 'incompatible', error);
  // React caches the failure of a lazy component forever: only a reload helps.
  return isMissingFile(error) ? new RemoteError(owner, 'outdated', error) : undefined;
}

/**
 * Before a broken screen is retried: drops the data it had loaded, which may be what broke it, and gets newer code if there
 * is some.
 */
async function startAfresh(renew: PageSlotProps['renew']): Promise<void> {
  queryClient.removeQueries({ type: 'inactive' });
  try {
    await renew?.();
  } catch (error) {
    if (error instanceof RemoteError && error.trouble === 'outdated') reloadKeepingDrafts();
    else console.warn('A newer version could not be loaded', error);
  }
}
