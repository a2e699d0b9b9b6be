import type { IdentityContext } from '../settings.ts';
import { hashRefreshId, newRefreshId, sessionsOf, type SessionRecord } from './session-record.ts';

/**
 * Milliseconds for which a refresh id that has just been replaced still works: other tabs of the same browser may have
 * sent it before they got the new one.
 */
const raceTolerance = 30_000;

/** Replaced ids that are remembered: whoever uses one of them later has copied it. */
const rememberSpent = 20;

/** What a refresh id turned out to be. */
export type Rotation =
  | { readonly kind: 'unknown' }
  /** It was replaced long ago: two browsers hold the same session, and one of them has no right to. */
  | { readonly kind: 'reused'; readonly session: SessionRecord }
  /** `refreshId`: the new one for this browser; absent where another tab has just been given one. */
  | { readonly kind: 'current'; readonly session: SessionRecord; readonly refreshId?: string };

/**
 * Replaces a refresh id by a new one, so that a copied one works once at most and gives itself away.
 *
 * An answer may get lost on its way to the browser. So the new id only becomes the one in use when it is first seen; until
 * then the old one goes on working.
 *
 * @param refreshId - what the browser sent
 */
export async function rotateRefreshId(context: IdentityContext, refreshId: string): Promise<Rotation> {
  const sessions = sessionsOf(context);
  const hash = hashRefreshId(refreshId);
  const now = new Date();
  const next = newRefreshId();
  const issued = { nextHash: hashRefreshId(next), nextIssuedAt: now };

  const first = await sessions.findOne({ nextHash: hash });
  if (first) {
    const session = await sessions.findOneAndUpdate(
      { _id: first._id, nextHash: hash },
      { $set: { refreshHash: hash, rotatedAt: now, ...issued }, $push: { spentHashes: { $each: [first.refreshHash], $slice: -rememberSpent } } },
      { returnDocument: 'after' },
    );
    if (session) return { kind: 'current', session, refreshId: next };
  }

  const current = await sessions.findOne({ refreshHash: hash });
  if (current) {
    const stale = new Date(now.getTime() - raceTolerance);
    const session = await sessions.findOneAndUpdate(
      { _id: current._id, refreshHash: hash, $or: [{ nextHash: { $exists: false } }, { nextIssuedAt: { $lt: stale } }] },
      {
        $set: issued,
        // If it was not lost but taken on its way, using it later gives that away.
        ...(current.nextHash !== undefined && { $push: { spentHashes: { $each: [current.nextHash], $slice: -rememberSpent } } }),
      },
      { returnDocument: 'after' },
    );
    return session ? { kind: 'current', session, refreshId: next } : { kind: 'current', session: current };
  }

  const spent = await sessions.findOne({ spentHashes: hash });
  if (!spent) return { kind: 'unknown' };
  const justReplaced = spent.rotatedAt !== undefined && now.getTime() - spent.rotatedAt.getTime() <= raceTolerance && spent.spentHashes?.at(-1) === hash;
  return justReplaced ? { kind: 'current', session: spent } : { kind: 'reused', session: spent };
}
