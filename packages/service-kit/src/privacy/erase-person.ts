import { erasedEmail } from '@clinic/contracts/erased-person';
import { accountOfEmail, forgetContacts } from '../auth/contacts.ts';
import { catchUpWithAccounts } from '../auth/follow-accounts.ts';
import type { JoinRecords } from '../auth/join-records.ts';
import type { ServiceContext } from '../context.ts';
import { endUserLock } from '../database/user-lock.ts';
import { appendEvent } from '../history/events.ts';
import { forgetLooks } from '../history/keep-looks.ts';
import { forgetAnswers } from '../http/idempotency.ts';
import { forgetOutbox } from '../outbox/outbox.ts';
import type { OpenDeletion } from './deletions.ts';
import { erasuresOf, type ErasedCounts } from './erased-counts.ts';
import { forgetInHistory } from './forget-in-history.ts';
import { provenAddresses, type AccountHolder } from './person.ts';

/** How far an erasure has got. */
export interface ErasureProgress extends ErasedCounts {
  readonly done: boolean;
}

/** What a part of an erasure did, apart from what it has counted by `countErased`. */
export interface Erased extends Partial<ErasedCounts> {
  /** Whether nothing of the person is left; if not, it is called again. */
  readonly done: boolean;
}

/**
 * Erases a person from a service's own records and its history. May be interrupted and repeated at any point. The kit's
 * other collections (outbox, looks, stored answers) are erased by the kit.
 *
 * @param until - `performance.now()` after which to start nothing new
 */
export type ErasePerson = (deletion: OpenDeletion, until: number) => Promise<Erased>;

/** Parts of a service that an erasure needs. */
export interface Eraser {
  readonly erase?: ErasePerson | undefined;
  readonly joinRecords?: JoinRecords | undefined;
}

/** Milliseconds that one step may take, after which its progress is reported. */
const workFor = 4_000;

/** For services without personal records of their own. */
const eraseHistory =
  (context: Pick<ServiceContext, 'db' | 'inTransaction'>): ErasePerson =>
  ({ person }, until) =>
    forgetInHistory(context, person, { until, redact: (fields) => fields });

/**
 * Erases a person from this service for some seconds: rejects their requests in flight, gives the account what is theirs
 * under their address, has the service erase its records, and clears the kit's. Safe to repeat after any interruption
 * and in several replicas.
 *
 * @returns the total so far
 */
export async function eraseStep(
  context: Pick<ServiceContext, 'db' | 'inTransaction'>,
  deletion: OpenDeletion,
  { erase = eraseHistory(context), joinRecords }: Eraser,
): Promise<ErasureProgress> {
  const { person } = deletion;
  const until = performance.now() + workFor;
  await endUserLock(context, person.id);
  // What was made for an address while it was theirs, or its next owner's, goes to whom it belongs first.
  await catchUpWithAccounts(context);
  if (joinRecords) await join(context, person, joinRecords);
  const { done, records = 0, cancelled = 0, events = 0 } = await erase(deletion, until);
  if (done) await forgetKitRecords(context, person);
  const total = await erasuresOf(context.db).findOneAndUpdate(
    { _id: person.id },
    {
      $inc: { records, cancelled, events },
      // That it was this service's own deletion stays, so that a repeated request is answered.
      ...(done && { $set: { doneAt: new Date() }, $unset: { 'local.email': '', 'local.requestId': '', reached: '' } }),
    },
    { upsert: true, returnDocument: 'after' },
  );
  const sum = { records: total?.records ?? 0, cancelled: total?.cancelled ?? 0, events: total?.events ?? 0 };
  if (done) await noteErasure(context, deletion, sum);
  return { done, ...sum };
}

/** Gives the account what is filed under addresses that it has or had, from that time, and belongs to nobody. */
async function join(
  context: Pick<ServiceContext, 'db' | 'inTransaction'>,
  person: AccountHolder,
  joinRecords: JoinRecords,
): Promise<void> {
  for (const { email, from, until } of provenAddresses(person))
    await context.inTransaction(async (session) => {
      const owner = await accountOfEmail(context, session, email);
      if (until !== undefined || owner === undefined || owner === person.id)
        await joinRecords(session, { id: person.id, email, ...(from && { from }), ...(until && { until }) });
    });
}

/** Removes a person from what the kit keeps in every service besides the history. Safe to repeat. */
export async function forgetKitRecords(context: Pick<ServiceContext, 'db'>, person: AccountHolder): Promise<void> {
  await Promise.all([
    forgetAnswers(context, person),
    forgetContacts(context, person),
    forgetLooks(context, person),
    forgetOutbox(context, person),
  ]);
}

/** The history says once what was erased. */
async function noteErasure(
  context: Pick<ServiceContext, 'db' | 'inTransaction'>,
  { person: { id }, requestId }: OpenDeletion,
  sum: ErasedCounts,
): Promise<void> {
  if (sum.records + sum.events === 0) return;
  await context.inTransaction(async (session) => {
    const noted = await erasuresOf(context.db).updateOne(
      { _id: id, notedAt: { $exists: false } },
      { $set: { notedAt: new Date() } },
      { session },
    );
    if (noted.modifiedCount === 0) return;
    await appendEvent(context, session, {
      call: 'erasure',
      caller: undefined,
      requestId,
      record: { type: 'person', id },
      subject: erasedEmail(id),
      accounts: [id],
      action: 'personal data erased',
      before: null,
      after: sum,
    });
  });
}
