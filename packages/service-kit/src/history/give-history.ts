import type { ClientSession, ObjectId } from 'mongodb';
import type { ServiceContext } from '../context.ts';

/**
 * Gives an account the history of records that become its own: live lists and data exports find events by account.
 *
 * @param type - of the records in the history
 */
export async function giveHistory(
  { db }: Pick<ServiceContext, 'db'>,
  session: ClientSession,
  type: string,
  ids: readonly ObjectId[],
  account: string,
): Promise<void> {
  await db
    .collection('events')
    .updateMany(
      { 'record.type': type, 'record.id': { $in: ids.map((id) => id.toHexString()) } },
      { $addToSet: { accounts: account } },
      { session },
    );
}
