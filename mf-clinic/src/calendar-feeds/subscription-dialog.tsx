import { clinicMoment, formatDate, notify, useCall, useConfig, useSession } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { Alert, Button, ButtonLink, Dialog, Spinner, TextField } from '@clinic/ui';
import { useRef, useState } from 'react';
import { LoadError } from '../load-error.tsx';
import './calls.ts';

/** Makes, replaces and stops the secret address at which the person's calendar reads their appointments. */
export function SubscriptionDialog({ onClose }: { readonly onClose: () => void }) {
  const answer = useCall('getCalendarFeed', {}, { staleTime: 0 });
  const { data } = answer;
  const [path, setPath] = useState<string>();
  const [asks, setAsks] = useState<'replace' | 'stop'>();
  const make = useChange('replaceCalendarFeed', {
    invalidates: ['getCalendarFeed'],
    onDone: (made) => {
      setPath(made.path);
      setAsks(undefined);
    },
  });
  const end = useChange('endCalendarFeed', {
    invalidates: ['getCalendarFeed'],
    success: 'Your calendar subscription has stopped',
    onDone: () => {
      setPath(undefined);
      setAsks(undefined);
    },
  });
  const create = () => make.mutate({});

  return (
    <Dialog open wide title="Calendar subscription" onClose={onClose}>
      <div className="grid gap-5">
        {answer.isPending && <Spinner />}
        <LoadError title="Error loading your subscription" answer={answer} />
        {data && asks && (
          <Question
            asks={asks}
            busy={make.isPending || end.isPending}
            onConfirm={() => (asks === 'replace' ? create() : end.mutate({}))}
            onCancel={() => setAsks(undefined)}
          />
        )}
        {data && !asks && path !== undefined && <NewAddress path={path} />}
        {data && !asks && path === undefined && <Explanation since={data.since} />}
        {data && !asks && (
          <div className="flex flex-wrap gap-3">
            {data.since === undefined ? (
              <Button icon="plus" busy={make.isPending} onClick={create}>
                Make an address
              </Button>
            ) : (
              <>
                <Button variant="soft" icon="refresh" onClick={() => setAsks('replace')}>
                  Replace the address
                </Button>
                <Button variant="ghost" icon="x-circle" onClick={() => setAsks('stop')}>
                  Stop
                </Button>
              </>
            )}
          </div>
        )}
      </div>
    </Dialog>
  );
}

function Explanation({ since }: { readonly since: string | undefined }) {
  const { role } = useSession();
  const { clinicTimeZone } = useConfig();
  const what =
    role === 'doctor' ? 'your patients’ names, and the time and place' : 'the doctor, time and place of each one';
  return (
    <div className="grid gap-3">
      {since !== undefined && (
        <p className="font-semibold">
          You made an address for your calendar on {formatDate(clinicMoment(new Date(since), clinicTimeZone).date)}.
        </p>
      )}
      <p>
        {since === undefined
          ? 'See your appointments in the calendar on your phone or computer. It stays up to date by itself, usually within a few hours.'
          : 'We can’t show the address again. If you need it for another calendar, or someone else may have it, replace it.'}
      </p>
      <p className="text-sm text-muted">
        The calendar has {what}, from the last 30 days to a year ahead. It never has a phone number or the reason for a
        visit.
      </p>
    </div>
  );
}

/** Shows a new address once: it can't be read again. */
function NewAddress({ path }: { readonly path: string }) {
  const field = useRef<HTMLInputElement>(null);
  const address = `${location.origin}${path}`;

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(address);
      notify.success('The address is copied');
    } catch (error) {
      // The browser doesn't allow copying: the person does it by hand.
      console.warn('Could not copy', error);
      field.current?.select();
      notify.info('Press Ctrl+C to copy the address');
    }
  }

  return (
    <>
      <Alert kind="success" title="Add this address to your calendar now">
        We won’t show it again. Keep it to yourself: anyone who has it can see your appointments.
      </Alert>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          ref={field}
          label="Secret address"
          readOnly
          value={address}
          className="min-w-0 flex-[1_1_16rem]"
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button icon="clipboard" onClick={() => void copy()}>
          Copy
        </Button>
        <ButtonLink
          href={address.replace(/^https?:/, 'webcal:')}
          referrerPolicy="no-referrer"
          variant="secondary"
          icon="calendar"
        >
          Open in my calendar
        </ButtonLink>
      </div>
      <ul className="grid list-disc gap-1 ps-5 text-sm text-muted">
        <li>iPhone, iPad and Mac: choose Open in my calendar.</li>
        <li>Google Calendar: Other calendars, From URL, and paste the address.</li>
        <li>Outlook: Add calendar, Subscribe from web, and paste the address.</li>
        <li>If you log out everywhere, the address stops working too.</li>
      </ul>
    </>
  );
}

interface QuestionProps {
  readonly asks: 'replace' | 'stop';
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

function Question({ asks, busy, onConfirm, onCancel }: QuestionProps) {
  return (
    <>
      <p>
        {asks === 'replace'
          ? 'Replace the address? Calendars that have the old one stop getting updates until you give them the new one.'
          : 'Stop the subscription? The address stops working, and your calendar keeps at most what it has already read.'}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="ghost" onClick={onCancel}>
          Go back
        </Button>
        <Button variant={asks === 'stop' ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
          {asks === 'replace' ? 'Replace the address' : 'Stop the subscription'}
        </Button>
      </div>
    </>
  );
}
