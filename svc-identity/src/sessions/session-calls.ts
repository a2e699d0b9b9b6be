import type { Request, Response } from 'express';
import { ObjectId, type ClientSession } from 'mongodb';
import type { Session } from '@clinic/contracts';
import { appendEvent, ProblemError, type SessionCaller } from '@clinic/service-kit';
import { changedRecord, signInRecord } from '../access/access-events.ts';
import type { RightsWatch } from '../rights/rights-watch.ts';
import { staffRules, type IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';
import { endAllSessions } from './end-sessions.ts';
import { endOlderSessions } from './end-older-sessions.ts';
import { rotateRefreshId, type Rotation } from './rotate-refresh-id.ts';
import { answerSession, sessionOnTheWire } from './session-answer.ts';
import { clearSessionCookies, refreshIdOf } from './session-cookies.ts';
import { createSession, hashRefreshId, idleEnd, isOpen, sessionsOf, type SessionPlace, type SessionRecord } from './session-record.ts';
import type { SigningKey } from './signing-key.ts';

/** Milliseconds within which using a session again is not written down. */
const useNotedEvery = 60_000;

/** Seconds since signing in within which an ID token opens a session: a stolen older one doesn't. */
const freshSignIn = 300;

/** @throws ProblemError account_disabled */
export function refuseDisabled(user: UserRecord): void {
  if (user.disabled) throw new ProblemError('account_disabled', { detail: 'This account is switched off. Please ask the clinic.' });
}

/**
 * @param authTime - when the person proved who they are, seconds since 1970
 * @throws ProblemError unauthenticated when the proof is old, or older than the last log-out everywhere
 */
export function requireFreshSignIn(user: UserRecord, authTime: number): void {
  const loggedOut = Math.floor((user.sessionsEndedAt?.getTime() ?? 0) / 1_000);
  if (Date.now() / 1_000 - authTime > freshSignIn || authTime < loggedOut) throw new ProblemError('unauthenticated', { detail: 'Please log in again.' });
}

/** What a sign-in is. */
export interface SignIn extends SessionPlace {
  readonly user: UserRecord;
  /** When the person proved who they are, seconds since 1970. */
  readonly authTime: number;
  /** How, e.g. `password` or `google.com`. */
  readonly provider: string | undefined;
  /** The password was changed or reset just before: every other session ends. */
  readonly passwordChanged: boolean;
  /** The browser says that the password, of this login or just changed to, has as many characters as staff need. */
  readonly longPassword: boolean;
  /** Since when password and address are what they are, where that can be told: sessions from before end. */
  readonly credentialsSince?: Date | undefined;
  /** Refresh id that the browser holds: its session ends. */
  readonly replaces?: string | undefined;
  readonly requestId: string;
}

/**
 * Opens a session for a user who has just proved who they are; the one that the browser had before ends, whoever's it was.
 *
 * @throws ProblemError account_disabled; unauthenticated when the proof is old, or older than the last log-out everywhere
 */
export async function openSession(context: IdentityContext, key: SigningKey, signIn: SignIn, response: Response): Promise<Session> {
  const { authTime, provider, requestId, address, userAgent, passwordChanged, longPassword, credentialsSince, replaces } = signIn;
  const opened = await context.inTransaction(async (transaction) => {
    // Written, not only read, so that a lock or a log-out everywhere at the same moment comes either before or after.
    const found = await usersOf(context).findOneAndUpdate({ _id: signIn.user._id }, { $set: { lastSignInAt: new Date() } }, { session: transaction, returnDocument: 'after' });
    if (!found) throw new ProblemError('unauthenticated');
    refuseDisabled(found);
    requireFreshSignIn(found, authTime);
    const { email, role, _id } = found;
    // Somebody who came by Google may have set a new password since.
    if (provider === 'password' || passwordChanged) await notePasswordLength(context, transaction, found, longPassword);
    const caller = { id: _id.toHexString(), email, role };
    if (passwordChanged) {
      await endAllSessions(context, transaction, _id, new Date(authTime * 1_000));
      await appendEvent(context, transaction, {
        call: 'startSession', caller, requestId, record: { type: changedRecord, id: caller.id }, subject: email, action: 'logged out everywhere', before: null, after: { reason: 'password changed' },
      });
    }
    if (replaces !== undefined) {
      const hash = hashRefreshId(replaces);
      await sessionsOf(context).updateOne({ $or: [{ refreshHash: hash }, { nextHash: hash }], endedAt: { $exists: false } }, { $set: { endedAt: new Date(), replaced: true } }, { session: transaction });
    }
    if (credentialsSince) await endOlderSessions(context, transaction, found, credentialsSince, requestId);
    await appendEvent(context, transaction, {
      call: 'startSession', caller, requestId, record: { type: signInRecord, id: caller.id }, subject: email, action: 'signed in', before: null, after: { provider, address },
    });
    const user = (await usersOf(context).findOne({ _id }, { session: transaction })) ?? found;
    return { user, ...(await createSession(context, transaction, _id, { address, userAgent })) };
  });
  return answerSession(context, key, opened, response);
}

/** Keeps whether the password is known to be long enough for staff. Where it changes what staff may do, their older tokens end. */
async function notePasswordLength(context: IdentityContext, transaction: ClientSession, { _id, role, passwordUnproven = false }: UserRecord, longPassword: boolean): Promise<void> {
  if (passwordUnproven === !longPassword) return;
  const rightsChange = role !== 'patient' && staffRules(context.settings).longPassword;
  await usersOf(context).updateOne(
    { _id },
    { $set: { passwordUnproven: !longPassword, ...(rightsChange && { versionChangedAt: new Date() }) }, ...(rightsChange && { $inc: { version: 1 } }) },
    { session: transaction },
  );
}

/** The user whose open session the browser holds, whether or not its access token still lives. */
export async function userOfBrowser(context: IdentityContext, request: Request): Promise<ObjectId | undefined> {
  const refreshId = refreshIdOf(context, request);
  if (refreshId === undefined) return undefined;
  const hash = hashRefreshId(refreshId);
  const session = await sessionsOf(context).findOne({ $or: [{ refreshHash: hash }, { nextHash: hash }] });
  return session && isOpen(session, new Date()) ? session.userId : undefined;
}

/** Who the session's user is now. @throws ProblemError unauthenticated when the user is gone */
export async function readSession(context: IdentityContext, caller: SessionCaller): Promise<Session> {
  const user = await usersOf(context).findOne({ _id: new ObjectId(caller.id) });
  if (!user) throw new ProblemError('unauthenticated');
  refuseDisabled(user);
  return sessionOnTheWire(context, user, new Date(caller.provenAt * 1_000), new Date(caller.expiresAt * 1_000));
}

/**
 * A new access token for the refresh cookie, and a new refresh id.
 *
 * @throws ProblemError when the session is over, which clears its cookies: account_disabled, session_ended after a log-out
 *   everywhere or when its refresh id was used a second time, else unauthenticated
 */
export async function refreshSession(context: IdentityContext, key: SigningKey, request: Request, response: Response, requestId: string): Promise<Session> {
  const refreshId = refreshIdOf(context, request);
  const rotation: Rotation = refreshId === undefined ? { kind: 'unknown' } : await rotateRefreshId(context, refreshId);
  if (rotation.kind === 'reused') await endReusedSession(context, rotation.session, requestId);
  const session = rotation.kind === 'unknown' ? undefined : rotation.session;
  const user = session && (await usersOf(context).findOne({ _id: session.userId }));
  const now = new Date();
  if (rotation.kind !== 'current' || !session || !isOpen(session, now) || !user || user.disabled) {
    // Another tab has signed in meanwhile: the cookies are the new session's.
    if (!session?.replaced) clearSessionCookies(context, response);
    if (user) refuseDisabled(user);
    throw new ProblemError(session?.endedEverywhere || rotation.kind === 'reused' ? 'session_ended' : 'unauthenticated');
  }
  if (now.getTime() - session.lastUsedAt.getTime() > useNotedEvery) {
    await sessionsOf(context).updateOne({ _id: session._id }, { $set: { lastUsedAt: now, idleUntil: idleEnd(context, now, session.expiresAt) } });
  }
  return answerSession(context, key, { user, session, refreshId: rotation.refreshId }, response);
}

/** Two browsers use one session: it can't be told which one is its owner's, so neither goes on. */
async function endReusedSession(context: IdentityContext, { _id, userId }: SessionRecord, requestId: string): Promise<void> {
  await context.inTransaction(async (transaction) => {
    const ended = await sessionsOf(context).findOneAndUpdate({ _id, endedAt: { $exists: false } }, { $set: { endedAt: new Date(), endedEverywhere: true } }, { session: transaction });
    const user = ended && (await usersOf(context).findOne({ _id: userId }, { session: transaction }));
    if (!user) return;
    await appendEvent(context, transaction, {
      call: 'refreshSession', caller: undefined, requestId, record: { type: changedRecord, id: userId.toHexString() }, subject: user.email,
      action: 'refresh id reused', before: null, after: { session: _id.toHexString() },
    });
  });
}

/** Logs out: the session ends everywhere, also for a copy of its access token. Cookies go even when the database is away. */
export async function endSession(context: IdentityContext, watch: RightsWatch, request: Request, response: Response, requestId: string): Promise<undefined> {
  clearSessionCookies(context, response);
  const refreshId = refreshIdOf(context, request);
  if (refreshId === undefined) return;
  const hash = hashRefreshId(refreshId);
  await context.inTransaction(async (transaction) => {
    const ended = await sessionsOf(context).findOneAndUpdate(
      { $or: [{ refreshHash: hash }, { nextHash: hash }], endedAt: { $exists: false } }, { $set: { endedAt: new Date() } }, { session: transaction },
    );
    const user = ended && (await usersOf(context).findOne({ _id: ended.userId }, { session: transaction }));
    if (!user) return;
    const { email, role } = user;
    const id = user._id.toHexString();
    await appendEvent(context, transaction, {
      call: 'endSession', caller: { id, email, role }, requestId, record: { type: signInRecord, id }, subject: email, action: 'logged out', before: null, after: {},
    });
  });
  await watch.lookNow();
}
