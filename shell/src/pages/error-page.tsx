import { Link, usePageTitle } from '@clinic/app-kit';
import { Button, ButtonLink, LogoMark } from '@clinic/ui';
import { useEffect } from 'react';
import { PageMissing } from '../routing/page-missing.ts';

interface ErrorPageProps {
  readonly error: unknown;
  /** Retries without a reload. */
  readonly onRetry: () => void;
}

/** The error screen in place of a page. Its texts are fixed (docs/product.md, Texts). */
export function ErrorPage({ error, onRetry }: ErrorPageProps) {
  usePageTitle('Oops!');
  const missing = error instanceof PageMissing;
  useEffect(() => {
    // An unknown address is the visitor's mistake, or a link's.
    if (!missing) console.error('A page failed', error);
  }, [error, missing]);
  return (
    <div className="mx-auto grid min-h-[60dvh] max-w-prose content-center justify-items-center gap-3 px-4 py-16 text-center">
      <LogoMark size={96} />
      <h1 className="text-display font-bold">Oops!</h1>
      <p className="text-lead">Sorry, an unexpected error has occurred.</p>
      <p className="text-muted">
        <i>{messageOf(error)}</i>
      </p>
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

function messageOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : 'Unknown error';
}
