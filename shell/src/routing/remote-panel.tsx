import { Link, usePageTitle } from '@clinic/app-kit';
import { Button, ButtonLink } from '@clinic/ui';
import { useEffect, useState } from 'react';
import { mayRenew, reloadKeepingDrafts, renewOnce } from '../federation/renew.ts';
import type { RemoteError, RemoteTrouble } from '../federation/remote-error.ts';
import { referenceOf, reportError } from '../federation/report-error.ts';
import { useNavigationState } from './navigation-context.ts';

const texts: Readonly<Record<RemoteTrouble, string>> = {
  away: 'This part of the site didn’t load. Everything else still works.',
  incompatible: 'We’ve just updated this part of the site. Reload the page.',
  outdated: 'We may have updated this page. Try again: what you’ve typed is saved.',
};

interface RemotePanelProps {
  readonly error: RemoteError;
  /** Route path of the page. */
  readonly page?: string | undefined;
  /** Nothing is being typed here, so a new version may load without asking. */
  readonly idle?: boolean;
}

/** Replaces a remote's page while the remote is unavailable. */
export function RemotePanel({ error, page, idle = false }: RemotePanelProps) {
  const { loading, retry } = useNavigationState();
  const { trouble, remote, title } = error;
  const heading = `${title} can’t be loaded right now`;
  usePageTitle(heading);
  useEffect(() => {
    console.error(error.message, error.cause);
    reportError(error, { kind: trouble, remote: remote.name, version: remote.version, page });
  }, [error, page, remote, trouble]);
  const reason = `${remote.name} ${remote.version}`;
  const [renewing] = useState(() => idle && trouble === 'outdated' && mayRenew(reason));
  useEffect(() => {
    if (renewing) renewOnce(reason);
  }, [renewing, reason]);

  return (
    <div role="alert" className="ui-state mx-auto min-h-[50dvh] max-w-prose content-center gap-3 py-16">
      <h1 className="text-title font-bold">{renewing ? `Updating ${title}` : heading}</h1>
      <p className="text-muted">
        {renewing ? 'Loading the new version…' : `${texts[trouble]} Reference: ${referenceOf(error)}`}
      </p>
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {/* Only a reload brings a new shell, or unloads an old build. */}
        <Button icon="refresh" busy={loading || renewing} onClick={trouble === 'away' ? retry : reloadKeepingDrafts}>
          Retry
        </Button>
        <ButtonLink component={Link} to="/" variant="secondary">
          Home
        </ButtonLink>
      </div>
    </div>
  );
}
