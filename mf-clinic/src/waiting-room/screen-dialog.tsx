import { clinicMoment, formatDate, useCall, useConfig } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { Alert, Button, ButtonLink, Dialog, Spinner, TextField } from '@clinic/ui';
import { useState } from 'react';
import { LoadError } from '../load-error.tsx';
import './calls.ts';

/** Makes, replaces and stops the secret address of the screen in the waiting room. */
export function ScreenDialog({ onClose }: { readonly onClose: () => void }) {
  const { clinicTimeZone } = useConfig();
  const answer = useCall('getWaitingScreen', {}, { staleTime: 0 });
  const [secret, setSecret] = useState<string>();
  const [asksToStop, setAsksToStop] = useState(false);
  const make = useChange('replaceWaitingScreen', {
    invalidates: ['getWaitingScreen'],
    onDone: (made) => setSecret(made.secret),
  });
  const end = useChange('endWaitingScreen', {
    invalidates: ['getWaitingScreen'],
    success: 'The screen’s address has stopped',
    onDone: () => {
      setSecret(undefined);
      setAsksToStop(false);
    },
  });
  const since = answer.data?.since;
  const address = secret && `${location.origin}/waiting-screen/${secret}`;
  return (
    <Dialog open wide title="Waiting-room screen" onClose={onClose}>
      <div className="grid gap-5">
        <p>
          The screen shows which number goes to which room, and never a name. Open its address on any screen with a
          browser.
        </p>
        {answer.isPending && <Spinner />}
        <LoadError title="Error loading the screen’s address" answer={answer} />
        {address && (
          <>
            <Alert kind="success" title="Open this address on the screen now">
              We won’t show it again.
            </Alert>
            <div className="flex flex-wrap items-end gap-3">
              <TextField
                label="Address of the screen"
                readOnly
                value={address}
                className="min-w-0 flex-[1_1_16rem]"
                onFocus={(event) => event.currentTarget.select()}
              />
              <ButtonLink href={address} target="_blank" rel="noreferrer" variant="secondary">
                Open
              </ButtonLink>
            </div>
          </>
        )}
        {since !== undefined && !address && (
          <p>
            The address was made on {formatDate(clinicMoment(new Date(since), clinicTimeZone).date)}. We can’t show it
            again: a new one stops it.
          </p>
        )}
        {answer.data && (
          <div className="flex flex-wrap gap-3">
            <Button
              icon="refresh"
              variant={since ? 'soft' : 'primary'}
              busy={make.isPending}
              onClick={() => make.mutate({})}
            >
              {since ? 'Replace the address' : 'Make an address'}
            </Button>
            {since !== undefined &&
              (asksToStop ? (
                <Button variant="danger" busy={end.isPending} onClick={() => end.mutate({})}>
                  Stop it now
                </Button>
              ) : (
                <Button variant="ghost" icon="x-circle" onClick={() => setAsksToStop(true)}>
                  Stop
                </Button>
              ))}
          </div>
        )}
      </div>
    </Dialog>
  );
}
