import { notify, useCall, useConfig, useSession } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { OpenSession } from '@clinic/contracts';
import { Button, ErrorState, Icon, StatusBadge } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useState } from 'react';
import { inWords } from '../instants.tsx';
import { oneself } from '../users/named-account.ts';
import { Section } from './section.tsx';

/** Where the account is logged in, and buttons to log out there. */
export function SessionsSection({ email }: { readonly email: string }) {
  const { data, error, refetch } = useCall('listSessions', { params: { email } });
  const [asks, setAsks] = useState(false);
  const endOne = useChange('endOneSession', {
    invalidates: ['listSessions'],
    onDone: () => notify.success('You’ve logged out that device'),
  });
  const { logout } = useSession();
  const endAll = useChange('endSessions', {
    onDone() {
      notify.success('You’ve been logged out everywhere');
      logout().catch((error: unknown) => console.warn('The local session could not be closed', error));
    },
  });

  const { clinicTimeZone } = useConfig();

  return (
    <Section
      id="devices"
      title="Where you’re logged in"
      text="Log out any device you don’t recognise or no longer use. If someone else knows your password, change it."
    >
      {error && !data && (
        <ErrorState title="Error loading your devices" text={error.message} onRetry={() => void refetch()} />
      )}
      {!data && !error && <p className="text-muted">Loading...</p>}
      {data && (
        <ul aria-label="Devices" className="divide-y divide-line">
          {data.map((one) => (
            <li key={one._id} className="flex flex-wrap items-center justify-between gap-3 py-4 first:pt-0 last:pb-0">
              <Device session={one} />
              {!one.current && (
                <Button
                  size="sm"
                  variant="secondary"
                  icon="logout"
                  busy={endOne.isPending && endOne.variables.params.id === one._id}
                  aria-label={`Log out there: ${one.device || 'Unknown device'}, logged in ${inWords(one.since, clinicTimeZone)}`}
                  onClick={() => endOne.mutate({ params: { email, id: one._id } })}
                >
                  Log out there
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button variant="soft" icon="logout" busy={endAll.isPending} onClick={() => setAsks(true)}>
          Log out everywhere
        </Button>
      </div>
      <ConfirmDialog
        open={asks}
        title="Log out everywhere?"
        confirmLabel="Log out everywhere"
        onCancel={() => setAsks(false)}
        onConfirm={() => {
          setAsks(false);
          endAll.mutate(oneself(email));
        }}
      >
        We’ll log you out on all devices, including this one. You’ll need to log in again.
      </ConfirmDialog>
    </Section>
  );
}

function Device({ session: { device, address, current, since, lastUsedAt } }: { readonly session: OpenSession }) {
  const { clinicTimeZone } = useConfig();
  return (
    <div className="flex min-w-0 items-start gap-3">
      <Icon name="shield" className="mt-1 shrink-0 text-primary" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {device || 'Unknown device'}
          {current && <StatusBadge status="This device" tone="green" />}
        </p>
        <p className="text-sm text-muted">
          {current ? 'In use now' : `Last used ${inWords(lastUsedAt, clinicTimeZone)}`}, logged in{' '}
          {inWords(since, clinicTimeZone)}
          {address && (
            <>
              , from <span className="wrap-anywhere">{address}</span>
            </>
          )}
        </p>
      </div>
    </div>
  );
}
