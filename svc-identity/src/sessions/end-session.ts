import { appendEvent } from '@clinic/service-kit';
import { asCaller, signInRecord } from '../access/access-events.ts';
import type { RightsWatch } from '../rights/rights-watch.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';
import type { CallingBrowser } from './calling-browser.ts';
import { sessionsOf, withRefreshId } from './session-record.ts';

/**
 * Logs out: the session ends everywhere, also for copies of its access token. Cookies are cleared even if the database is
 * unavailable.
 */
export async function endSession(
  context: IdentityContext,
  watch: RightsWatch,
  browser: CallingBrowser,
  requestId: string,
): Promise<undefined> {
  browser.forgetSession();
  const { refreshId } = browser;
  if (refreshId === undefined) return;
  const ending = context.inTransaction(async (transaction) => {
    const ended = await sessionsOf(context).findOneAndUpdate(
      { ...withRefreshId(refreshId), endedAt: { $exists: false } },
      { $set: { endedAt: new Date() } },
      { session: transaction },
    );
    const user = ended && (await usersOf(context).findOne({ _id: ended.userId }, { session: transaction }));
    if (!user) return;
    const caller = asCaller(user);
    await appendEvent(context, transaction, {
      call: 'endSession',
      caller,
      requestId,
      record: { type: signInRecord, id: caller.id },
      subject: user.email,
      action: 'logged out',
      before: null,
      after: {},
    });
  });
  await watch.readAfter(ending);
}
