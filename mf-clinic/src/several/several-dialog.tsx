import { api, formatDate, formatTime } from '@clinic/app-kit';
import { hasNoEmail } from '@clinic/contracts/erased-person';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { Alert, Button, Dialog } from '@clinic/ui';
import { useId, useState } from 'react';
import { statusChange, takeStatusesBack } from '../appointments/use-status-change.ts';
import { Choice } from '../choice.tsx';
import { count, useOneByOne } from './use-one-by-one.ts';

type Outcome = 'Confirmed' | 'Cancelled';

interface SeveralDialogProps {
  /** Those that can be changed. */
  readonly appointments: readonly Appointment[];
  /** The days that cancelling these empties, and what closes them to new bookings; absent: nobody knows. */
  readonly closing?: (ids: ReadonlySet<string>) => Closing | undefined;
  readonly onClose: () => void;
}

interface Closing {
  /** Each in words. */
  readonly days: readonly string[];
  /** Closes them while it is `wanted`. @returns whether they are closed */
  readonly close: (wanted: () => boolean) => Promise<boolean>;
}

/** Confirms or cancels chosen appointments, and says before what their patients are told. */
export function SeveralDialog({ appointments, closing, onClose }: SeveralDialogProps) {
  // Of those on screen when it opened: the list is live, and nobody has chosen whoever books meanwhile.
  const [shown] = useState(() => idsOf(appointments));
  const [ids, setIds] = useState<ReadonlySet<string>>(shown);
  const { run, busy, failures } = useOneByOne();
  const daysId = useId();
  const all = [...shown].every((id) => ids.has(id));
  const [wanted, setWanted] = useState<boolean>();
  // Of a few chosen ones it may be chance that nobody else comes on their day.
  const closes = wanted ?? all;
  const emptied = closing?.(ids);
  const chosen = appointments.filter(({ _id }) => ids.has(_id));
  const pending = chosen.filter(({ status }) => status === 'Pending');

  const decide = async (outcome: Outcome, those: readonly Appointment[]): Promise<void> => {
    if (busy || those.length === 0) return;
    const changed = await run<Appointment, Appointment>(
      those,
      (one) => api.call('changeAppointmentStatus', statusChange(one, outcome)),
      {
        ...(outcome === 'Cancelled' && closes && emptied && { first: emptied.close }),
        done: outcome.toLowerCase(),
        undo: takeStatusesBack,
      },
    );
    if (changed.length === those.length) onClose();
  };

  return (
    <Dialog
      open
      wide
      title="Several at once"
      onClose={onClose}
      actions={
        <>
          <Button
            variant="secondary"
            busy={busy}
            aria-disabled={pending.length === 0}
            onClick={() => void decide('Confirmed', pending)}
          >
            Confirm {count(pending.length)}
          </Button>
          <Button
            variant="danger"
            busy={busy}
            aria-disabled={chosen.length === 0}
            onClick={() => void decide('Cancelled', chosen)}
          >
            Cancel {count(chosen.length)}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>
          Each patient gets one message, that their appointment is confirmed or cancelled, with the doctor, the place
          and the time. You can undo it; the messages wait for a minute.
        </p>
        {emptied && (
          <div>
            <Choice
              type="checkbox"
              label={`Before cancelling, close ${emptied.days.length === 1 ? 'the day' : `${emptied.days.length} days`} to new bookings`}
              describedBy={daysId}
              checked={closes}
              onChange={() => setWanted(!closes)}
            />
            <ul id={daysId} className="ui-hint ms-8">
              {emptied.days.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </div>
        )}
        <Chosen appointments={appointments} all={all} ids={ids} onChoose={setIds} failures={failures} />
      </div>
    </Dialog>
  );
}

const idsOf = (appointments: readonly Appointment[]): ReadonlySet<string> =>
  new Set(appointments.map(({ _id }) => _id));

interface ChosenProps extends Pick<SeveralDialogProps, 'appointments'> {
  readonly all: boolean;
  readonly ids: ReadonlySet<string>;
  readonly onChoose: (ids: ReadonlySet<string>) => void;
  /** Why it was rejected, by appointment. */
  readonly failures: ReadonlyMap<string, string>;
}

/** The appointments, to leave some out, with whoever gets no message. */
function Chosen({ appointments, all, ids, onChoose, failures }: ChosenProps) {
  return (
    <fieldset>
      <legend className="sr-only">Appointments</legend>
      <Choice
        type="checkbox"
        label={<strong className="font-semibold">All {appointments.length}</strong>}
        checked={all}
        onChange={() => onChoose(all ? new Set() : idsOf(appointments))}
      />
      <ul className="divide-y divide-line">
        {appointments.map((one) => (
          <li key={one._id} className="grid gap-1 py-1">
            <Choice
              type="checkbox"
              label={
                <>
                  <strong className="font-semibold">{one.patientname}</strong>, {formatDate(one.date)} at{' '}
                  {formatTime(one.time)}, {one.doctorname}{' '}
                  <span className="text-muted">
                    {one.status}
                    {hasNoEmail(one.patientemail) && `. No email address: call ${one.number || 'them'}.`}
                  </span>
                </>
              }
              checked={ids.has(one._id)}
              onChange={() =>
                onChoose(new Set(ids.has(one._id) ? [...ids].filter((id) => id !== one._id) : [...ids, one._id]))
              }
            />
            {failures.has(one._id) && <Alert kind="error">{failures.get(one._id)}</Alert>}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
