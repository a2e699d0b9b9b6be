import {
  countToday,
  type DailyAct,
  ProblemError,
  refused,
  type SessionCaller,
  takeUserLock,
  takeUserLockFor,
} from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { maxStockRequests } from '../contract/limits.ts';
import type { PharmacyChange } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import { isSellable } from './is-sellable.ts';
import type { StockRequestRecord } from './stock-request-record.ts';

const wishes: DailyAct = { act: 'stock-requests', most: 30, done: 'asked about medicines' };

/**
 * Requests a message for when a medicine can be ordered again. A repeated request changes nothing.
 *
 * @throws ProblemError `not_found`; `transition_refused` if it can be ordered now, or the caller has too many requests;
 *   `rate_limited`
 */
export async function askAboutStock(
  context: Pick<PharmacyContext, 'db'>,
  change: PharmacyChange,
  medicineId: ObjectId,
  caller: SessionCaller,
): Promise<StockRequestRecord> {
  const { collections, session } = change;
  const { medicines, stockRequests } = collections;
  await takeUserLock(context, session, caller.id);
  // A write, so that a concurrent delivery either comes first and is seen here, or finds this request.
  const medicine = await medicines.findOneAndUpdate(
    { _id: medicineId },
    { $inc: { asks: 1 } },
    { session, returnDocument: 'after' },
  );
  if (!medicine || medicine.archived) throw new ProblemError('not_found', { detail: 'We can’t find this medicine.' });
  const own = { accountId: caller.id };
  const known = await stockRequests.findOne({ ...own, medicine: medicineId }, { session });
  if (known) return known;
  if (isSellable(medicine, change.today)) throw refused(`${medicine.name} is in stock. You can order it now.`);
  if ((await stockRequests.countDocuments(own, { session })) >= maxStockRequests)
    throw refused(`You can ask about ${maxStockRequests} medicines at a time. Take one back first.`);
  await countToday(context, session, caller.id, wishes);
  return addRequest(change, { medicine: medicineId, ...own, email: caller.email });
}

async function addRequest(
  change: PharmacyChange,
  asked: Pick<StockRequestRecord, 'medicine' | 'accountId' | 'email'>,
): Promise<StockRequestRecord> {
  const request: StockRequestRecord = { _id: new ObjectId(), ...asked, askedAt: change.now };
  await change.collections.stockRequests.insertOne(request, { session: change.session });
  await change.record({
    ...aboutRequest(request),
    action: 'asked about stock',
    before: null,
    after: medicineOf(request),
  });
  return request;
}

/**
 * Whether a medicine can still be ordered, about which somebody is to be told. If it has been sold meanwhile, their request waits
 * again, beyond any limit: they have made it once.
 */
export async function isStillBack(
  context: Pick<PharmacyContext, 'db'>,
  change: PharmacyChange,
  { medicine: _id, account: accountId, email }: { medicine: ObjectId; account: string; email: string },
): Promise<boolean> {
  const { collections, session } = change;
  // `false`: the account has been deleted.
  if (!(await takeUserLockFor(context, session, accountId))) return false;
  // A write, as in `askAboutStock`.
  const medicine = await collections.medicines.findOneAndUpdate(
    { _id },
    { $inc: { asks: 1 } },
    { session, returnDocument: 'after' },
  );
  if (!medicine || isSellable(medicine, change.today)) return medicine !== null;
  if (!(await collections.stockRequests.findOne({ accountId, medicine: _id }, { session })))
    await addRequest(change, { medicine: _id, accountId, email });
  return false;
}

/** Withdraws the request; does nothing if there is none. */
export async function stopAsking(
  { collections: { stockRequests }, session, record }: PharmacyChange,
  medicine: ObjectId,
  accountId: string,
): Promise<void> {
  const request = await stockRequests.findOneAndDelete({ accountId, medicine }, { session });
  if (!request) return;
  await record({
    ...aboutRequest(request),
    action: 'stopped asking about stock',
    before: medicineOf(request),
    after: {},
  });
}

/** A request's record in the history, and the people it can be found by. */
export const aboutRequest = ({ _id, email, accountId }: StockRequestRecord) => ({
  record: { type: 'stock request' as const, id: _id.toHexString() },
  concerns: [email],
  accounts: [accountId],
});

export const medicineOf = ({ medicine }: StockRequestRecord) => ({ medicine: medicine.toHexString() });
