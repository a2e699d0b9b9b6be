import { createHash } from 'node:crypto';
import type { ClientSession, Collection, Db } from 'mongodb';
import type { CallId, CallResponse } from '@clinic/contracts';
import type { ServiceContext } from '../context.ts';
import { dateWithin, timeOf, type AccountHolder } from '../privacy/person.ts';
import { isDuplicateKey } from './error-mapping.ts';
import { ProblemError, rejected } from './problem-error.ts';
import { requestScope } from './request-scope.ts';
import type { ServiceRequest } from './requests.ts';

interface KeyRecord {
  /** Caller, call and key. */
  readonly _id: string;
  readonly fingerprint: string;
  /** The first response as JSON: wire field names such as `$oid` can't always be stored. */
  readonly answer: string;
  /** Addresses that the response names, lower case: it goes when one of these people is deleted. */
  readonly names?: readonly string[];
  readonly createdAt: Date;
}

const keysOf = (db: Db): Collection<KeyRecord> => db.collection('idempotency');

/** The addresses in a response. */
function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('@') && value.length <= 254 ? [value.toLowerCase()] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(addressesIn);
}

/**
 * Deletes the responses stored for a deleted person's requests, and those to others' requests that name the person by an
 * address that was theirs then.
 */
export async function forgetAnswers({ db }: Pick<ServiceContext, 'db'>, person: AccountHolder): Promise<void> {
  // Keys start with the caller's id; ';' comes right after ':'.
  await keysOf(db).deleteMany({ _id: { $gte: `${person.id}:`, $lt: `${person.id};` } });
  for (const address of person.addresses.map(timeOf))
    await keysOf(db).deleteMany({ names: address.email, ...dateWithin('createdAt', address) });
}

/** A concurrent transaction with the same key was first. */
class KeyTaken extends Error {}

type OnceRequest<Id extends CallId> = Pick<
  ServiceRequest<Id>,
  'call' | 'params' | 'body' | 'caller' | 'idempotencyKey'
>;

/**
 * Runs `work` in a transaction, once per `Idempotency-Key` of the caller: a repeated request with the same key gets the
 * first response. Without a key it just runs in a transaction. Errors that `work` throws aren't remembered.
 *
 * @param work - returns the response in its wire shape; may run more than once on write conflicts
 * @throws ProblemError idempotency_mismatch if the key was used for a different request
 */
export async function once<Id extends CallId>(
  context: Pick<ServiceContext, 'db' | 'inTransaction'>,
  request: OnceRequest<Id>,
  work: (session: ClientSession) => Promise<CallResponse<Id>>,
): Promise<CallResponse<Id>> {
  const { idempotencyKey } = request;
  if (idempotencyKey === undefined) return context.inTransaction(work);
  const keys = keysOf(context.db);
  const _id = `${request.caller?.id ?? ''}:${request.call.id}:${idempotencyKey}`;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([request.params ?? null, request.body ?? null]))
    .digest('hex');

  const before = await firstAnswer<Id>(keys, _id, fingerprint);
  if (before) return before.answer;
  try {
    return await context.inTransaction(async (session) => {
      const answer = await work(session);
      try {
        const names = [...new Set(addressesIn(answer))];
        await keys.insertOne(
          { _id, fingerprint, answer: JSON.stringify(answer), names, createdAt: new Date() },
          { session },
        );
      } catch (error) {
        if (isDuplicateKey(error)) throw new KeyTaken();
        throw error;
      }
      return answer;
    });
  } catch (error) {
    // The loser may also have failed because of what the winner did (its own request took the slot).
    const winner = await firstAnswer<Id>(keys, _id, fingerprint);
    if (winner) return winner.answer;
    if (error instanceof KeyTaken) throw new ProblemError('in_progress', { retryAfter: 1 });
    throw error;
  }
}

async function firstAnswer<Id extends CallId>(
  keys: Collection<KeyRecord>,
  _id: string,
  fingerprint: string,
): Promise<{ answer: CallResponse<Id> } | undefined> {
  const record = await keys.findOne({ _id });
  if (!record) return undefined;
  if (record.fingerprint !== fingerprint) {
    throw new ProblemError('idempotency_mismatch', {
      detail: 'This Idempotency-Key was already used for a different request. Use a new key for each new request.',
    });
  }
  const notes = requestScope.getStore();
  if (notes) notes.replayed = true;
  return { answer: JSON.parse(record.answer) as CallResponse<Id> };
}

/**
 * @param header - the `Idempotency-Key` header
 * @throws ProblemError validation_failed unless it is 1 to 200 visible ASCII characters
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || /^[\x21-\x7e]{1,200}$/.test(header)) return header;
  const message = 'An Idempotency-Key must have 1 to 200 visible ASCII characters';
  throw rejected('Idempotency-Key', message, { detail: message });
}
