import { appendEvent, ProblemError, refused, type ServiceRequest } from '@clinic/service-kit';
import { isOutboxKind, outboxData } from '@clinic/contracts/outbox/entries';
import { ObjectId, type ClientSession } from 'mongodb';
import type { Message } from '../contract/schemas.ts';
import type { MessagesContext } from '../settings.ts';
import { messagesOf, toMessage } from './message-record.ts';

/**
 * Resends a failed message under the same Message-ID, as the mail server may have accepted it after all.
 *
 * @throws ProblemError `not_found`; `transition_refused` if it hasn't failed, or its secret link is no longer kept
 */
export async function resendMessage(
  context: Pick<MessagesContext, 'db'>,
  { params, caller, call, requestId }: ServiceRequest<'resendMessage'>,
  session: ClientSession,
): Promise<Message> {
  const messages = messagesOf(context);
  const _id = new ObjectId(params.id);
  const failed = await messages.findOne({ _id }, { session });
  if (!failed) throw new ProblemError('not_found', { detail: 'We can’t find this message.' });
  if (failed.status !== 'failed') throw refused('Only failed messages can be sent again.');
  if (isOutboxKind(failed.kind) && !outboxData[failed.kind].safeParse(failed.data).success)
    throw refused(
      'Its link is secret and no longer kept. Make a new invitation, or ask the person to request a new link.',
    );
  const now = new Date();
  const again = await messages.findOneAndUpdate(
    { _id, status: 'failed' },
    { $set: { status: 'pending', attempts: 0, nextAttemptAt: now }, $unset: { endedAt: '' } },
    { session, returnDocument: 'after' },
  );
  if (!again) throw refused('Somebody else has just sent it again.');
  await appendEvent(context, session, {
    call,
    caller,
    requestId,
    record: { type: 'message', id: params.id },
    ...(again.to.email !== undefined && { concerns: [again.to.email] }),
    accounts: [again.to.account],
    action: 'message sent again',
    before: { status: 'failed' },
    after: { status: 'pending' },
  });
  return toMessage(again);
}
