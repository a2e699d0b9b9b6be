import { createHash, randomBytes } from 'node:crypto';
import { ObjectId, type ClientSession, type Collection, type Db, type Filter } from 'mongodb';
import type { IndexPlan } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';

/** A login on one browser. */
export interface SessionRecord {
  /** The `sid` of its access tokens. */
  readonly _id: ObjectId;
  readonly userId: ObjectId;
  /** SHA-256 of the current refresh id, so that it can't be taken from the database. */
  readonly refreshHash: string;
  /** Hash of the refresh id issued last, if it hasn't been used yet; see `rotate-refresh-id.ts`. */
  readonly nextHash?: string;
  readonly nextIssuedAt?: Date;
  /** Hashes of replaced refresh ids, latest last. Absent in sessions of earlier releases. */
  readonly spentHashes?: readonly string[];
  /** When the current refresh id replaced the previous one. */
  readonly rotatedAt?: Date;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** Latest end. */
  readonly expiresAt: Date;
  /** When it ends if it isn't used before. */
  readonly idleUntil: Date;
  /** When the person last proved their identity in it. Absent in sessions of earlier releases: when it was opened. */
  readonly provenAt?: Date;
  /** The browser's user agent. */
  readonly userAgent?: string;
  /** Network address it was opened from. */
  readonly address?: string;
  /** When it ended. */
  readonly endedAt?: Date;
  /** It ended because its browser signed in again. */
  readonly replaced?: boolean;
  /** The person or an admin ended all sessions of the account, not only this one. */
  readonly endedEverywhere?: boolean;
}

export const sessionIndexes: IndexPlan = {
  sessions: [
    { key: { refreshHash: 1 }, name: 'refresh', unique: true },
    {
      key: { nextHash: 1 },
      name: 'next_refresh',
      unique: true,
      partialFilterExpression: { nextHash: { $exists: true } },
    },
    { key: { spentHashes: 1 }, name: 'spent_refresh' },
    { key: { userId: 1 }, name: 'user' },
    { key: { endedAt: 1 }, name: 'ended' },
    { key: { expiresAt: 1 }, name: 'expiry' },
    { key: { idleUntil: 1 }, name: 'idle' },
  ],
};

export function sessionsOf({ db }: { readonly db: Db }): Collection<SessionRecord> {
  return db.collection('sessions');
}

/** @returns an unguessable id */
export function newRefreshId(): string {
  return randomBytes(32).toString('base64url');
}

export function hashRefreshId(refreshId: string): string {
  return createHash('sha256').update(refreshId).digest('base64url');
}

/** Finds the session of a refresh id: its current one, or the one issued last. */
export function withRefreshId(refreshId: string): Filter<SessionRecord> {
  const hash = hashRefreshId(refreshId);
  return { $or: [{ refreshHash: hash }, { nextHash: hash }] };
}

/** When the person last proved their identity in a session. */
export function provenAtOf({ provenAt, createdAt }: SessionRecord): Date {
  return provenAt ?? createdAt;
}

/** Whether a session can still be used. */
export function isOpen({ endedAt, expiresAt, idleUntil }: SessionRecord, now: Date): boolean {
  return endedAt === undefined && expiresAt > now && idleUntil > now;
}

const day = 86_400_000;

/** The idle limit counted from now, but no later than the end of the session. */
export function idleEnd(context: IdentityContext, now: Date, expiresAt: Date): Date {
  return new Date(Math.min(now.getTime() + context.settings.SESSION_IDLE_DAYS * day, expiresAt.getTime()));
}

/** Where a session is opened. */
export interface SessionPlace {
  readonly userAgent: string | undefined;
  /** Network address. */
  readonly address: string | undefined;
}

/** Maximum length of a stored user agent; real ones are under 300 characters. */
const longestUserAgent = 400;

/** Creates a session. @returns it with its refresh id, which isn't stored in plain text */
export async function createSession(
  context: IdentityContext,
  transaction: ClientSession,
  userId: ObjectId,
  { userAgent, address }: SessionPlace,
): Promise<{ session: SessionRecord; refreshId: string }> {
  const refreshId = newRefreshId();
  const now = new Date();
  const expiresAt = new Date(now.getTime() + context.settings.SESSION_DAYS * day);
  const session: SessionRecord = {
    _id: new ObjectId(),
    userId,
    refreshHash: hashRefreshId(refreshId),
    spentHashes: [],
    createdAt: now,
    lastUsedAt: now,
    expiresAt,
    idleUntil: idleEnd(context, now, expiresAt),
    provenAt: now,
    ...(userAgent !== undefined && { userAgent: userAgent.slice(0, longestUserAgent) }),
    ...(address !== undefined && { address }),
  };
  await sessionsOf(context).insertOne(session, { session: transaction });
  return { session, refreshId };
}
