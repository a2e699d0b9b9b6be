import {
  appendEvent,
  countToday,
  type DailyAct,
  refused,
  type ServiceRequest,
  takeUserLock,
} from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import type { BounceReason } from '../contract/kinds.ts';
import type { OwnAddress } from '../contract/schemas.ts';
import { undeliverableOf, type UndeliverableRecord } from '../delivery/undeliverable.ts';
import type { MessagesContext } from '../settings.ts';

/** A server that keeps rejecting our mail may block us. */
const tries: DailyAct = { act: 'address-tries', most: 3, done: 'had this address tried again' };

/** Whether messages reach the caller's address, as far as the mail provider has reported. */
export async function ownAddress(
  context: Pick<MessagesContext, 'db'>,
  { caller: { email, confirmed } }: ServiceRequest<'getOwnMessageAddress'>,
): Promise<OwnAddress> {
  const found = await undeliverableOf(context).findOne({ _id: email });
  if (!found) return { email };
  const why = reasonOf(found);
  return { email, stopped: { why, at: found.at.toISOString(), canAccept: mayAccept(why, confirmed) } };
}

/**
 * Makes the caller's own address deliverable again after a bounce, from their next message on. A caller who has
 * confirmed the address can also withdraw a complaint, as it was their own.
 *
 * @param session - the transaction
 * @throws ProblemError `transition_refused` if the address isn't marked undeliverable, or is because of a complaint and
 *   the caller hasn't confirmed it; `rate_limited` after three times on the clinic's day
 */
export async function acceptOwnAddress(
  context: Pick<MessagesContext, 'db' | 'settings'>,
  { caller, call, requestId }: ServiceRequest<'acceptOwnMessageAddress'>,
  session: ClientSession,
): Promise<void> {
  const { id, email, confirmed } = caller;
  await takeUserLock(context, session, id);
  const found = await undeliverableOf(context).findOneAndDelete({ _id: email }, { session });
  if (!found) throw refused('Nothing keeps our messages from your address.');
  const why = reasonOf(found);
  if (!mayAccept(why, confirmed))
    throw refused(
      'Our mail to this address was reported as spam, and you haven’t confirmed that it’s yours. Call the clinic.',
    );
  await countToday(context, session, id, tries);
  await appendEvent(context, session, {
    call,
    caller,
    requestId,
    record: { type: 'address', id },
    concerns: [email],
    accounts: [id],
    action: 'address accepted again',
    before: { undeliverable: true, why },
    after: { undeliverable: false },
  });
}

const reasonOf = ({ why }: Pick<UndeliverableRecord, 'why'>): BounceReason => why ?? 'bounced';

/** An unconfirmed address may belong to somebody else, who doesn't want our mail. */
const mayAccept = (why: BounceReason, confirmed: boolean): boolean => why === 'bounced' || confirmed;
