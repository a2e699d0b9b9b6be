import type { OnAccount } from '@clinic/service-kit';
import { collectionsOf } from '../collections.ts';
import { endUncovered } from '../calendar-feeds/end-calendar-feed.ts';
import type { ClinicContext } from '../settings.ts';
import { leaveWaitlist } from '../waitlist/leave-waitlist.ts';
import { fillingOf } from '../waitlist/sweep.ts';
import { activeStatuses } from '../waitlist/waitlist-record.ts';

/**
 * Ends what must not outlive an account's address, sessions or access: its calendar subscription, and for an account that
 * is switched off its places on the waitlist, so that no time is held for somebody who can't take it.
 */
export const followAccount =
  (context: ClinicContext): OnAccount =>
  async (change) => {
    await endUncovered(context, change.account, change);
    if (!change.active) await endWaiting(context, change.account);
  };

async function endWaiting(context: ClinicContext, account: string): Promise<void> {
  const { waitlist } = collectionsOf(context.db);
  const entries = await waitlist.find({ patientId: account, status: { $in: [...activeStatuses] } }).toArray();
  for (const entry of entries)
    await context.inTransaction((session) => leaveWaitlist(fillingOf(context), entry, 'ended', session));
}
