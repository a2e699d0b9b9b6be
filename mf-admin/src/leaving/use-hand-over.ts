import { ApiProblem, useConfig, useQueryClient } from '@clinic/app-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { useState, type RefObject } from 'react';
import type { NewProfileHandle } from '../staff/new-profile.tsx';
import type { Joining } from '../staff/new-staff-dialog.tsx';
import type { Outcome } from './appointment-decision.tsx';
import { comingAppointments, notBookable } from './coming-appointments.ts';
import { carryOut, missingOf, undecided, type Decision } from './decisions.ts';

export interface Leaving {
  readonly email: string;
  /** The doctor's name. */
  readonly name: string;
  /** Their upcoming appointments, at least one. */
  readonly coming: readonly Appointment[];
  /** The change to the account, as a button label: e.g. `Remove the role`. */
  readonly change: string;
  /** Makes that change. @throws ApiProblem */
  readonly act: () => Promise<unknown>;
  /** The new role needs a profile: it is asked for here, too, and created before the change. */
  readonly joining?: Omit<Joining, 'act'> | undefined;
}

const listsTouched = ['listAppointments', 'listDoctors', 'listFreeTimes', 'listFreeDays', 'listUsers'];

/**
 * The decisions about a leaving doctor's appointments, and carrying them out.
 *
 * @param profile - of the new role, if it needs one
 * @param onDone - called when everything is carried out
 */
export function useHandOver(
  { email, coming, act }: Pick<Leaving, 'email' | 'coming' | 'act'>,
  profile: RefObject<NewProfileHandle | null>,
  onDone: () => void,
) {
  const client = useQueryClient();
  const { clinicTimeZone } = useConfig();
  const [rows, setRows] = useState(coming);
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [checked, setChecked] = useState(false);
  const [left, setLeft] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const decisionOf = (one: Appointment): Decision => decisions.get(one._id) ?? undecided(one);
  const decide = (changes: readonly (readonly [Appointment, Decision])[]): void =>
    setDecisions(new Map([...decisions, ...changes.map(([one, decision]) => [one._id, decision] as const)]));
  const open = rows.filter((one) => outcomes.get(one._id)?.is !== 'done');

  async function run(): Promise<void> {
    setFailure(undefined);
    setChecked(true);
    const complete = (await profile.current?.check()) !== false;
    if (!complete || open.some((one) => missingOf(decisionOf(one)) !== undefined)) return;
    setBusy(true);
    try {
      // First, so that nobody books them any more.
      if (!left) {
        await profile.current?.save();
        await act();
      }
      setLeft(true);
      const failed = await carryOutAll(open, decisionOf, (id, outcome) =>
        setOutcomes((known) => new Map(known).set(id, outcome)),
      );
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
      // Cancelled in a further question, e.g. for the password: not an error.
      if (error instanceof DOMException && error.name === 'AbortError') return setBusy(false);
      console.error('Could not finish', error);
      setFailure(error instanceof ApiProblem ? error.message : 'Something went wrong. Try again.');
    }
    setBusy(false);
  }

  return { rows, open, decisionOf, decide, outcomes, checked, left, busy, failure, run };
}

/** @returns whether something is left to retry */
async function carryOutAll(
  open: readonly Appointment[],
  decisionOf: (one: Appointment) => Decision,
  report: (id: string, outcome: Outcome) => void,
): Promise<boolean> {
  let failed = false;
  // One after the other: two may need the same slot of a colleague.
  for (const one of open) {
    report(one._id, { is: 'working' });
    try {
      await carryOut(one, decisionOf(one));
      report(one._id, { is: 'done' });
    } catch (error) {
      console.error('Could not hand over an appointment', error);
      failed = true;
      report(one._id, {
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
