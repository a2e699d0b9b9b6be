import { appendEvent } from '@clinic/service-kit';
import type { Request, Response } from 'express';
import { signInRecord } from '../access/access-events.ts';
import type { RightsWatch } from '../rights/rights-watch.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';
import { clearSessionCookies, refreshIdOf } from './session-cookies.ts';
import { hashRefreshId, sessionsOf } from './session-record.ts';

/**
 * Logs out: the session ends everywhere, also for copies of its access token. Cookies are cleared even if the database is
 * unavailable.
 */
export async function endSession(
  context: IdentityContext,
  watch: RightsWatch,
  request: Request,
  response: Response,
  requestId: string,
): Promise<undefined> {
  clearSessionCookies(context, response);
  const refreshId = refreshIdOf(context, request);
  if (refreshId === undefined) return;
  const hash = hashRefreshId(refreshId);
  await context.inTransaction(async (transaction) => {
    const ended = await sessionsOf(context).findOneAndUpdate(
      { $or: [{ refreshHash: hash }, { nextHash: hash }], endedAt: { $exists: false } },
      { $set: { endedAt: new Date() } },
      { session: transaction },
    );
    const user = ended && (await usersOf(context).findOne({ _id: ended.userId }, { session: transaction }));
    if (!user) return;
    const { email, role } = user;
    const id = user._id.toHexString();
    await appendEvent(context, transaction, {
      call: 'endSession',
      caller: { id, email, role },
      requestId,
      record: { type: signInRecord, id },
      subject: email,
      action: 'logged out',
      before: null,
      after: {},
    });
  });
  await watch.pollNow();
}
