import { catchUpWithAccounts, knownAccounts } from '@clinic/service-kit';
import { dropErased } from '../intake/store-entries.ts';
import { messagesOf, recipientWords } from '../ledger/message-record.ts';
import type { MessagesContext } from '../settings.ts';
import type { VisitNow } from '../visits/visit-calls.ts';
import type { ClaimedMessage } from './claim.ts';

/**
 * Gives messages to the patients of their visits. Whose a visit is, svc-clinic may have learned only after it asked for the
 * message: for the visit's address, which was somebody else's by then.
 *
 * @param visits - `undefined`: svc-clinic is unavailable
 * @returns the messages, as they are in the ledger now
 */
export async function followPatients(
  context: Pick<MessagesContext, 'db'>,
  messages: readonly ClaimedMessage[],
  visits: ReadonlyMap<string, VisitNow> | undefined,
): Promise<readonly ClaimedMessage[]> {
  const patientOf = ({ visit, to }: ClaimedMessage): string | undefined =>
    visits?.get(visit ?? '')?.patient ?? to.account;
  const given = messages.filter((message) => patientOf(message) !== message.to.account);
  if (given.length === 0) return messages;
  const patients = given.map(patientOf).filter((patient) => patient !== undefined);
  await catchUpWithAccounts(context);
  const accounts = await knownAccounts(context, patients);
  const followed = new Map<ClaimedMessage, ClaimedMessage>();
  for (const message of given) {
    const account = patientOf(message);
    const email = accounts.get(account ?? '')?.email ?? message.to.email;
    const to = { ...message.to, ...(account !== undefined && { account }), ...(email !== undefined && { email }) };
    const { _id, lease } = message;
    await messagesOf(context).updateOne({ _id, lease }, { $set: { to, words: recipientWords(to) } });
    followed.set(message, { ...message, to });
  }
  await dropErased(context, patients);
  return messages.map((message) => followed.get(message) ?? message);
}
