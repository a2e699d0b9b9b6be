import type { AccountChanges } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { accountFeedOf } from './account-feed-record.ts';
import { feedPosition } from './account-feed.ts';

/** The accounts that changed after a position, in order, for other services. */
export async function accountChanges(
  context: IdentityContext,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<AccountChanges> {
  const found = await accountFeedOf(context)
    .find({ seq: { $gt: after } })
    .sort({ seq: 1 })
    .limit(limit)
    .toArray();
  return {
    latest: await feedPosition(context),
    changes: found.map(({ _id, sessionsEndedAt, ...entry }) => ({
      account: _id,
      ...entry,
      ...(sessionsEndedAt && { sessionsEndedAt: sessionsEndedAt.toISOString() }),
    })),
  };
}
