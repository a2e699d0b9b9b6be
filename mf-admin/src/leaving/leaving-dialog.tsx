import { ApiProblem, useCall, useConfig, useQueryClient } from '@clinic/app-kit';
import type { Appointment, Doctor } from '@clinic/contracts';
import { Alert, Button, Dialog, SelectField } from '@clinic/ui';
import { useState } from 'react';
import { AppointmentDecision, type Outcome } from './appointment-decision.tsx';
import { comingAppointments, notBookable } from './coming-appointments.ts';
import { carryOut, missingOf, undecided, type Decision } from './decisions.ts';

export interface Leaving {
  /** The doctor's name. */
  readonly email: string;
  readonly name: string;
  /** Their coming appointments, at least one. */
  readonly coming: readonly Appointment[];
  /** The change to the account, as a button label: e.g. `Remove the role`. */
  readonly deed: string;
  /** Makes that change. @throws ApiProblem */
  readonly act: () => Promise<unknown>;
}

interface LeavingDialogProps {
  readonly leaving: Leaving;
  /** The account has changed and all decisions are carried out, or the admin leaves the rest for later. */
  readonly onDone: () => void;
  /** Nothing was changed. */
  readonly onCancel: () => void;
}

const listsTouched = ['listAppointments', 'listDoctors', 'listFreeTimes', 'listFreeDays', 'listUsers'];

/** Shows a leaving doctor's appointments, has the admin decide about each, and then carries out everything together. */
export function LeavingDialog({ leaving: { email, name, coming, deed, act }, onDone, onCancel }: LeavingDialogProps) {
  const client = useQueryClient();
  const { clinicTimeZone } = useConfig();
  const [rows, setRows] = useState(coming);
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [checked, setChecked] = useState(false);
  const [left, setLeft] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const colleagues = useColleagues(email);
  const decisionOf = (one: Appointment): Decision => decisions.get(one._id) ?? undecided(one);
  const decide = (changes: readonly (readonly [Appointment, Decision])[]): void =>
    setDecisions(new Map([...decisions, ...changes.map(([one, decision]) => [one._id, decision] as const)]));
  const open = rows.filter((one) => outcomes.get(one._id)?.is !== 'done');

  async function run(): Promise<void> {
    setFailure(undefined);
    setChecked(true);
    if (open.some((one) => missingOf(decisionOf(one)) !== undefined)) return;
    setBusy(true);
    try {
      // First, so that nobody books them any more.
      if (!left) await act();
      setLeft(true);
      const failed = await carryOutAll();
      if (!failed) await notBookable(email);
      const now = failed ? undefined : await comingAppointments(email, clinicTimeZone);
      for (const list of listsTouched) void client.invalidateQueries({ queryKey: [list] });
      if (now?.length === 0) return onDone();
      if (now) {
        setRows([...rows, ...now.filter((one) => rows.every(({ _id }) => _id !== one._id))]);
        setChecked(false);
        setFailure('There are new bookings. Choose what to do with these too.');
      }
    } catch (error) {
      // Cancelled in a further question, e.g. for a profile: not an error.
      if (error instanceof DOMException && error.name === 'AbortError') return setBusy(false);
      console.error('Could not finish', error);
      setFailure(error instanceof ApiProblem ? error.message : 'Something went wrong. Try again.');
    }
    setBusy(false);
  }

  /** @returns whether something is left to retry */
  async function carryOutAll(): Promise<boolean> {
    let failed = false;
    const tell = (id: string, outcome: Outcome): void => setOutcomes((known) => new Map(known).set(id, outcome));
    // One after the other: two may need the same slot of a colleague.
    for (const one of open) {
      tell(one._id, { is: 'working' });
      try {
        await carryOut(one, decisionOf(one));
        tell(one._id, { is: 'done' });
      } catch (error) {
        console.error('Could not hand over an appointment', error);
        failed = true;
        tell(one._id, {
          is: 'failed',
          reason:
            error instanceof ApiProblem
              ? (error.problem.errors?.[0]?.message ?? error.message)
              : 'Something went wrong. Try again.',
          canKeepBoth: error instanceof ApiProblem && error.problem.sameTime?.canConfirm === true,
        });
      }
    }
    return failed;
  }

  function close(): void {
    if (busy) return;
    if (left) onDone();
    else onCancel();
  }

  return (
    <Dialog
      open
      wide
      title={`${name} has ${rows.length === 1 ? 'an upcoming appointment' : `${rows.length} upcoming appointments`}`}
      onClose={close}
    >
      <div className="grid gap-5">
        <p>
          {left
            ? `${name} can’t be booked any more.`
            : `Choose what to do with each. After that, ${name} can’t be booked any more.`}{' '}
          Tell the patients whose appointments change. Their phone numbers are below.
        </p>
        {rows.length > 1 && !left && (
          <SelectField
            label="Move all to one colleague"
            placeholder="Choose a colleague"
            value=""
            options={colleagues.map((one) => ({ value: one.email, label: `${one.name}, ${one.specialization}` }))}
            hint="We keep the date and time if they’re free. You can change each one below."
            onChange={(event) =>
              decide(open.map((one) => [one, { ...decisionOf(one), act: 'move', doctor: event.target.value }]))
            }
          />
        )}
        <ul aria-label="Appointments to move or cancel" className="divide-y divide-line border-y border-line py-4">
          {rows.map((one) => (
            <AppointmentDecision
              key={one._id}
              appointment={one}
              decision={decisionOf(one)}
              colleagues={colleagues}
              outcome={outcomes.get(one._id)}
              missing={checked ? missingOf(decisionOf(one)) : undefined}
              onChange={(decision) => decide([[one, decision]])}
            />
          ))}
        </ul>
        {failure && <Alert kind="error">{failure}</Alert>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="ghost" aria-disabled={busy} onClick={close}>
            {left ? 'Leave the rest for later' : 'Go back'}
          </Button>
          <Button variant="danger" busy={busy} onClick={() => void run()}>
            {left ? 'Try again' : `${deed} and do this`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Doctors who take appointments; those of the same specialty first. */
function useColleagues(email: string): readonly Doctor[] {
  const { data } = useCall('listDoctors', { query: { limit: 200 } });
  const doctors = (data ?? []) as readonly Doctor[];
  const own = doctors.find((one) => one.email === email)?.specialization;
  return doctors
    .filter((one) => one.email !== email && one.isAvailable)
    .toSorted(
      (a, b) => Number(b.specialization === own) - Number(a.specialization === own) || a.name.localeCompare(b.name),
    );
}
