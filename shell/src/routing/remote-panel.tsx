import { Link, usePageTitle } from '@clinic/app-kit';
import { Button, ButtonLink } from '@clinic/ui';
import { useEffect } from 'react';
import type { RemoteError, RemoteTrouble } from '../federation/remote-error.ts';
import { useNavigationState } from './navigation-context.ts';

const texts: Readonly<Record<RemoteTrouble, string>> = {
  away: 'This part of the application could not be loaded. Everything else still works.',
  incompatible: 'This part of the application has just been renewed. Please reload the page.',
};

/** In the place of a remote's page while the remote is away. */
export function RemotePanel({ error }: { readonly error: RemoteError }) {
  const { loading, retry } = useNavigationState();
  const heading = `${error.title} is not available right now`;
  usePageTitle(heading);
  useEffect(() => console.error(error.message, error.cause), [error]);

  return (
    <div role="alert" className="mx-auto grid min-h-[50dvh] max-w-prose content-center justify-items-center gap-3 px-4 py-16 text-center">
      <h1 className="text-title font-bold">{heading}</h1>
      <p className="text-muted">{texts[error.trouble]}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {/* Only a new document brings a new shell. */}
        <Button icon="refresh" busy={loading} onClick={() => (error.trouble === 'incompatible' ? location.reload() : retry())}>Retry</Button>
        <ButtonLink component={Link} to="/" variant="secondary">Home</ButtonLink>
      </div>
    </div>
  );
}
