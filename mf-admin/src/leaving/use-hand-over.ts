import { ApiProblem, useConfig, useQueryClient } from '@clinic/app-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { useState, type RefObject } from 'react';
import type { NewProfileHandle } from '../staff/new-profile.tsx';
import type { Joining } from '../staff/new-staff-dialog.tsx';
import type { Outcome } from './appointment-decision.tsx';
import { comingAppointments, notBookable, type Account } from './coming-appointments.ts';
import { carryOut, missingOf, undecided, type Decision } from './decisions.ts';

export interface Leaving {
  readonly account: Account;
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
  { account, coming, act }: Pick<Leaving, 'account' | 'coming' | 'act'>,
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
    setDecisions((known) => new Map([...known, ...changes.map(([one, decision]) => [one._id, decision] as const)]));
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
      if (failed.size === 0) await notBookable(account);
      const now = await comingAppointments(account, clinicTimeZone);
      for (const list of listsTouched) void client.invalidateQueries({ queryKey: [list] });
      if (now.length === 0) return onDone();
      const current = asTheyAre(rows, now, failed);
      setRows(current.rows);
      decide(
        current.moved.map((one) => [one, { ...decisionOf(one), date: one.date, time: one.time, alsoThen: false }]),
      );
      if (current.added) {
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

/**
 * What is left to decide, as it is now: somebody else may have moved or cancelled it, or a lost answer was a success.
 *
 * @param failed - the ids of those that couldn't be handed over or cancelled
 */
function asTheyAre(rows: readonly Appointment[], now: readonly Appointment[], failed: ReadonlySet<string>) {
  const before = new Map(rows.map((one) => [one._id, one]));
  const current = new Map(now.map((one) => [one._id, one]));
  const added = now.filter(({ _id }) => !before.has(_id));
  return {
    rows: [...rows.flatMap((one) => (failed.has(one._id) ? (current.get(one._id) ?? []) : one)), ...added],
    added: added.length > 0,
    moved: now.filter(({ _id, date, time }) => {
      const { date: day = date, time: start = time } = before.get(_id) ?? {};
      return day !== date || start !== time;
    }),
  };
}

/** @returns the ids of those that are left to retry */
async function carryOutAll(
  open: readonly Appointment[],
  decisionOf: (one: Appointment) => Decision,
  report: (id: string, outcome: Outcome) => void,
): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  // One after the other: two may need the same slot of a colleague.
  for (const one of open) {
    report(one._id, { is: 'working' });
    try {
      await carryOut(one, decisionOf(one));
      report(one._id, { is: 'done' });
    } catch (error) {
      console.error('Could not hand over an appointment', error);
      failed.add(one._id);
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
