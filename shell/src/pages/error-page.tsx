import { ApiProblem, Link, usePageTitle } from '@clinic/app-kit';
import { Button, ButtonLink, LogoMark } from '@clinic/ui';
import { useEffect } from 'react';
import { referenceOf } from '../federation/report-error.ts';
import { PageMissing } from '../routing/page-missing.ts';

interface ErrorPageProps {
  readonly error: unknown;
  /** Name of the part that failed, for people. */
  readonly part: string;
  /** Retries without a reload. */
  readonly onRetry: () => void;
}

/** The error screen in place of a page. Its texts are fixed (docs/product.md, Texts). */
export function ErrorPage({ error, part, onRetry }: ErrorPageProps) {
  usePageTitle('Oops!');
  const missing = error instanceof PageMissing;
  useEffect(() => {
    // An unknown address is the visitor's mistake, or a link's.
    if (missing) return;
    console.error('A page failed', error);
    // While a remote is developed, its server's client shows what is reported.
    if (process.env.NODE_ENV === 'development') globalThis.reportError(error);
  }, [error, missing]);
  return (
    <div className="ui-state mx-auto min-h-[60dvh] max-w-prose content-center gap-3 py-16">
      <LogoMark size={96} />
      <h1 className="text-display font-bold">Oops!</h1>
      <p className="text-lead">Sorry, an unexpected error has occurred.</p>
      <p className="text-muted">
        {/* Other errors' messages can quote anything, e.g. a patient's name. */}
        <i>{missing || error instanceof ApiProblem ? error.message : 'Unknown error'}</i>
      </p>
      {!missing && (
        <p className="text-muted">
          {part}. Reference: {referenceOf(error)}
        </p>
      )}
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        <ButtonLink component={Link} to="/">
          Home
        </ButtonLink>
        {!missing && (
          <Button variant="secondary" icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}
