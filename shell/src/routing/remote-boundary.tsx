import { Link, useLocation, useNavigate, useRouteError } from '@clinic/app-kit';
import { useNavigation } from '@clinic/app-kit/host';
import { Button, ButtonLink } from '@clinic/ui';
import { useEffect } from 'react';
import { RemoteError, type RemoteTrouble } from '../federation/remote-error.ts';
import { ErrorPage } from '../pages/error-page.tsx';

const texts: Readonly<Record<RemoteTrouble, string>> = {
  away: 'This part of the application could not be loaded. Everything else still works.',
  incompatible: 'This part of the application has just been renewed. Please reload the page.',
};

/** In the place of a remote's pages when one of them fails: the remote is away, or its screen broke. */
export function RemoteBoundary() {
  const error = useRouteError();
  return error instanceof RemoteError ? <RemotePanel error={error} /> : <ErrorPage />;
}

function RemotePanel({ error }: { readonly error: RemoteError }) {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const busy = useNavigation().state !== 'idle';
  useEffect(() => console.error(error.message, error.cause), [error]);

  function retry(): void {
    // Only a new document brings a new shell.
    if (error.trouble === 'incompatible') location.reload();
    else void navigate({ pathname, search, hash }, { replace: true });
  }

  return (
    <div role="alert" className="mx-auto grid min-h-[50dvh] max-w-prose content-center justify-items-center gap-3 px-4 py-16 text-center">
      <h1 className="text-title font-bold">{error.title} is not available right now</h1>
      <p className="text-muted">{texts[error.trouble]}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        <Button icon="refresh" busy={busy} onClick={retry}>Retry</Button>
        <ButtonLink component={Link} to="/" variant="secondary">Home</ButtonLink>
      </div>
    </div>
  );
}
