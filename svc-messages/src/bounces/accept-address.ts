import { appendEvent, ProblemError, refused, type ServiceRequest } from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import { undeliverableOf } from '../delivery/undeliverable.ts';
import { messagesOf } from '../ledger/message-record.ts';
import type { MessagesContext } from '../settings.ts';

/**
 * Makes a message's address deliverable again after a bounce, from its next message on.
 *
 * @param session - the transaction
 * @throws ProblemError `not_found`; `transition_refused` if the address isn't marked undeliverable
 */
export async function acceptAddress(
  context: Pick<MessagesContext, 'db'>,
  { params, caller, call, requestId }: ServiceRequest<'acceptMessageAddress'>,
  session: ClientSession,
): Promise<void> {
  const message = await messagesOf(context).findOne({ _id: new ObjectId(params.id) }, { session });
  if (!message) throw new ProblemError('not_found', { detail: 'We can’t find this message.' });
  const { email, account } = message.to;
  const { deletedCount } =
    email === undefined ? { deletedCount: 0 } : await undeliverableOf(context).deleteOne({ _id: email }, { session });
  if (email === undefined || deletedCount === 0) throw refused('Messages to this address are sent already.');
  await appendEvent(context, session, {
    call,
    caller,
    requestId,
    record: { type: 'message', id: params.id },
    concerns: [email],
    accounts: [account],
    action: 'address accepted again',
    before: { undeliverable: true },
    after: { undeliverable: false },
  });
}
