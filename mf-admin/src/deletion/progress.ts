import type { CallResponse } from '@clinic/contracts';
import { nameOf } from './data-holders.ts';

type Deletion = CallResponse<'getDeletion'>;
type Part = Deletion['services'][number];

/** A part of a deletion, as it is shown. */
export interface Step {
  /** `lock`, `account`, or the name of a service. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly state: Part['state'];
  /** What was cancelled, what it waits for, or what somebody still has to do by hand. */
  readonly note?: string;
}

/** Milliseconds after which a service that doesn't ask for deletions counts as down; it asks every ten seconds. */
const downAfter = 60_000;

/** One and several of the things that a service cancels. */
const cancels: Readonly<Record<string, readonly [string, string]>> = {
  clinic: ['appointment', 'appointments'],
  pharmacy: ['order', 'orders'],
};

/** The parts of a deletion, the account last. @param now - milliseconds since 1970 */
export function stepsOf({ services, account }: Deletion, now: number): readonly Step[] {
  const left = account.signInAccount === 'left';
  const note = left
    ? 'The sign-in account still exists in Firebase. Delete it there, under Authentication, Users.'
    : account.problem;
  return [
    { id: 'lock', name: 'Lock the account and end its sessions', state: 'done' },
    ...services.map((part) => ({
      id: part.service,
      name: nameOf(part.service),
      state: part.state,
      ...noteOf(part, now),
    })),
    { id: 'account', name: 'Sign-in account and user', state: account.state, ...(note !== undefined && { note }) },
  ];
}

function noteOf({ service, state, cancelled, lastSeenAt }: Part, now: number): Pick<Step, 'note'> {
  const [one, many] = cancels[service] ?? ['record', 'records'];
  if (cancelled > 0) return { note: `${cancelled} ${cancelled === 1 ? one : many} cancelled` };
  const down = lastSeenAt === undefined || now - Date.parse(lastSeenAt) > downAfter;
  return state !== 'done' && down
    ? { note: 'This part of the clinic isn’t running. It deletes their data as soon as it’s back.' }
    : {};
}
