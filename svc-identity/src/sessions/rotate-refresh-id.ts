import type { IdentityContext } from '../settings.ts';
import { hashRefreshId, newRefreshId, sessionsOf, type SessionRecord } from './session-record.ts';

/**
 * Milliseconds for which a refresh id that has just been replaced still works: other tabs of the same browser may have
 * sent it before they got the new one.
 */
const raceTolerance = 30_000;

/** Replaced ids kept per session: later use of one of them means that it was copied. */
const rememberSpent = 20;

/** Outcome of a refresh id. */
export type Rotation =
  | { readonly kind: 'unknown' }
  /** It was replaced long ago: two browsers have the same session, and one of them isn't its owner's. */
  | { readonly kind: 'reused'; readonly session: SessionRecord }
  /** `refreshId`: the new one for this browser; absent if another tab has just been given one. */
  | { readonly kind: 'current'; readonly session: SessionRecord; readonly refreshId?: string };

/**
 * Replaces a refresh id with a new one, so that a copied one works at most once and is then detected.
 *
 * A response may get lost on its way to the browser, so the new id takes over only when it is first used; until then the old
 * one keeps working.
 *
 * @param refreshId - as sent by the browser
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
      {
        $set: { refreshHash: hash, rotatedAt: now, ...issued },
        $push: { spentHashes: { $each: [first.refreshHash], $slice: -rememberSpent } },
      },
      { returnDocument: 'after' },
    );
    if (session) return { kind: 'current', session, refreshId: next };
  }

  const current = await sessions.findOne({ refreshHash: hash });
  if (current) {
    const stale = new Date(now.getTime() - raceTolerance);
    const session = await sessions.findOneAndUpdate(
      {
        _id: current._id,
        refreshHash: hash,
        $or: [{ nextHash: { $exists: false } }, { nextIssuedAt: { $lt: stale } }],
      },
      {
        $set: issued,
        // If the response was intercepted rather than lost, later use of its id is detected.
        ...(current.nextHash !== undefined && {
          $push: { spentHashes: { $each: [current.nextHash], $slice: -rememberSpent } },
        }),
      },
      { returnDocument: 'after' },
    );
    return session ? { kind: 'current', session, refreshId: next } : { kind: 'current', session: current };
  }

  const spent = await sessions.findOne({ spentHashes: hash });
  if (!spent) return { kind: 'unknown' };
  const justReplaced =
    spent.rotatedAt !== undefined &&
    now.getTime() - spent.rotatedAt.getTime() <= raceTolerance &&
    spent.spentHashes?.at(-1) === hash;
  return justReplaced ? { kind: 'current', session: spent } : { kind: 'reused', session: spent };
}
