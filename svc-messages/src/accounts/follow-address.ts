import { dateWithin, type JoinRecords, type OnAccount } from '@clinic/service-kit';
import { linkForAddress } from '../contract/kinds.ts';
import { messagesOf, recipientWords } from '../ledger/message-record.ts';
import { preferencesKey, preferencesOf } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';

/**
 * Gives an account the waiting messages about appointments that were booked for its address before it had confirmed it,
 * so that they follow its address from now on, as the appointments do; and what was switched off for the address.
 */
export const joinMessages =
  (context: Pick<MessagesContext, 'db'>): JoinRecords =>
  async (session, owner) => {
    const { id, email } = owner;
    await messagesOf(context).updateMany(
      {
        'to.email': email,
        'to.account': { $exists: false },
        status: 'pending',
        visit: { $exists: true },
        ...dateWithin('createdAt', owner),
      },
      { $set: { 'to.account': id } },
      { session },
    );
    const preferences = preferencesOf(context);
    const ofAddress = { _id: preferencesKey({ email }) ?? '', ...dateWithin('changedAt', owner) };
    const ended = await preferences.findOneAndDelete(ofAddress, { session });
    if (ended)
      await preferences.updateOne(
        { _id: id },
        { $addToSet: { off: { $each: [...ended.off] } }, $set: { email, changedAt: ended.changedAt } },
        { session, upsert: true },
      );
  };

/**
 * Shows an account's current address where lists and searches show the address: at messages that wait, and at its
 * preferences. What has been sent keeps the address it went to.
 */
export const followAddress =
  (context: Pick<MessagesContext, 'db'>): OnAccount =>
  async ({ account, email, erasing }) => {
    if (email === undefined || erasing) return;
    const waiting = {
      'to.account': account,
      'to.email': { $exists: true, $ne: email },
      status: 'pending' as const,
      kind: { $nin: linkForAddress },
    };
    for await (const { _id, to } of messagesOf(context).find(waiting))
      await messagesOf(context).updateOne(
        { ...waiting, _id },
        { $set: { 'to.email': email, words: recipientWords({ ...to, email }) } },
      );
    await preferencesOf(context).updateOne({ _id: account, email: { $ne: email } }, { $set: { email } });
  };
