import type { RequestHandler } from 'express';
import { mostChanges, ProblemError, type AccountChanges } from '@clinic/service-kit';
import { z } from 'zod';
import type { IdentityContext } from '../settings.ts';
import { accountFeedOf } from './account-feed-record.ts';
import { feedPosition } from './account-feed.ts';

const question = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(mostChanges).default(mostChanges),
});

/** Serves the accounts that changed after a position, in order, to other services. */
export function accountChanges(context: IdentityContext): RequestHandler {
  return async (request, response) => {
    const { success, data } = question.safeParse(request.query);
    if (!success)
      throw new ProblemError('validation_failed', { detail: 'Send the position to read after, and a limit.' });
    const found = await accountFeedOf(context)
      .find({ seq: { $gt: data.after } })
      .sort({ seq: 1 })
      .limit(data.limit)
      .toArray();
    const answer: AccountChanges = {
      latest: await feedPosition(context),
      changes: found.map(({ _id, sessionsEndedAt, ...entry }) => ({
        account: _id,
        ...entry,
        ...(sessionsEndedAt && { sessionsEndedAt: sessionsEndedAt.toISOString() }),
      })),
    };
    response.setHeader('Cache-Control', 'no-store').json(answer);
  };
}
