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
import {
  createSession,
  hashRefreshId,
  idleEnd,
  isOpen,
  sessionsOf,
  type SessionPlace,
  type SessionRecord,
} from './session-record.ts';
import type { SigningKey } from './signing-key.ts';

/** Milliseconds during which repeated use of a session isn't recorded. */
const useNotedEvery = 60_000;

/** Seconds after signing in during which an ID token opens a session; a stolen older one doesn't. */
const freshSignIn = 300;

/** @throws ProblemError account_disabled */
export function refuseDisabled(user: UserRecord): void {
  if (user.disabled)
    throw new ProblemError('account_disabled', { detail: 'This account is switched off. Contact the clinic.' });
}

/**
 * @param authTime - when the person proved their identity, seconds since 1970
 * @throws ProblemError unauthenticated if the proof is too old, or older than the last log-out everywhere
 */
export function requireFreshSignIn(user: UserRecord, authTime: number): void {
  const loggedOut = Math.floor((user.sessionsEndedAt?.getTime() ?? 0) / 1_000);
  if (Date.now() / 1_000 - authTime > freshSignIn || authTime < loggedOut)
    throw new ProblemError('unauthenticated', { detail: 'Log in again.' });
}

/** A sign-in. */
export interface SignIn extends SessionPlace {
  readonly user: UserRecord;
  /** When the person proved their identity, seconds since 1970. */
  readonly authTime: number;
  /** The method, e.g. `password` or `google.com`. */
  readonly provider: string | undefined;
  /** The password was just changed or reset: every other session ends. */
  readonly passwordChanged: boolean;
  /** The browser states that the password, of this login or just changed to, has the length staff need. */
  readonly longPassword: boolean;
  /** When password or address last changed, if known: earlier sessions end. */
  readonly credentialsSince?: Date | undefined;
  /** The browser's previous refresh id: its session ends. */
  readonly replaces?: string | undefined;
  readonly requestId: string;
}

/**
 * Opens a session for a user who has just proved their identity; the browser's previous session ends, whoever's it was.
 *
 * @throws ProblemError account_disabled; unauthenticated if the proof is too old, or older than the last log-out everywhere
 */
export async function openSession(
  context: IdentityContext,
  key: SigningKey,
  signIn: SignIn,
  response: Response,
): Promise<Session> {
  const {
    authTime,
    provider,
    requestId,
    address,
    userAgent,
    passwordChanged,
    longPassword,
    credentialsSince,
    replaces,
  } = signIn;
  const opened = await context.inTransaction(async (transaction) => {
    // Written, not only read, so that a concurrent lock or log-out everywhere comes either before or after.
    const found = await usersOf(context).findOneAndUpdate(
      { _id: signIn.user._id },
      { $set: { lastSignInAt: new Date() } },
      { session: transaction, returnDocument: 'after' },
    );
    if (!found) throw new ProblemError('unauthenticated');
    refuseDisabled(found);
    requireFreshSignIn(found, authTime);
    const { email, role, _id } = found;
    // Somebody who signed in with Google may have set a new password since.
    if (provider === 'password' || passwordChanged) await notePasswordLength(context, transaction, found, longPassword);
    const caller = { id: _id.toHexString(), email, role };
    if (passwordChanged) {
      await endAllSessions(context, transaction, _id, new Date(authTime * 1_000));
      await appendEvent(context, transaction, {
        call: 'startSession',
        caller,
        requestId,
        record: { type: changedRecord, id: caller.id },
        subject: email,
        action: 'logged out everywhere',
        before: null,
        after: { reason: 'password changed' },
      });
    }
    if (replaces !== undefined) {
      const hash = hashRefreshId(replaces);
      await sessionsOf(context).updateOne(
        { $or: [{ refreshHash: hash }, { nextHash: hash }], endedAt: { $exists: false } },
        { $set: { endedAt: new Date(), replaced: true } },
        { session: transaction },
      );
    }
    if (credentialsSince) await endOlderSessions(context, transaction, found, credentialsSince, requestId);
    await appendEvent(context, transaction, {
      call: 'startSession',
      caller,
      requestId,
      record: { type: signInRecord, id: caller.id },
      subject: email,
      action: 'signed in',
      before: null,
      after: { provider, address },
    });
    const user = (await usersOf(context).findOne({ _id }, { session: transaction })) ?? found;
    return { user, ...(await createSession(context, transaction, _id, { address, userAgent })) };
  });
  return answerSession(context, key, opened, response);
}

/** Records whether the password is known to be long enough for staff. If that changes what staff may do, their older tokens end. */
async function notePasswordLength(
  context: IdentityContext,
  transaction: ClientSession,
  { _id, role, passwordUnproven = false }: UserRecord,
  longPassword: boolean,
): Promise<void> {
  if (passwordUnproven === !longPassword) return;
  const rightsChange = role !== 'patient' && staffRules(context.settings).longPassword;
  await usersOf(context).updateOne(
    { _id },
    {
      $set: { passwordUnproven: !longPassword, ...(rightsChange && { versionChangedAt: new Date() }) },
      ...(rightsChange && { $inc: { version: 1 } }),
    },
    { session: transaction },
  );
}

/** The user of the browser's open session, even if its access token has expired. */
export async function userOfBrowser(context: IdentityContext, request: Request): Promise<ObjectId | undefined> {
  const refreshId = refreshIdOf(context, request);
  if (refreshId === undefined) return undefined;
  const hash = hashRefreshId(refreshId);
  const session = await sessionsOf(context).findOne({ $or: [{ refreshHash: hash }, { nextHash: hash }] });
  return session && isOpen(session, new Date()) ? session.userId : undefined;
}

/** The session's current user. @throws ProblemError unauthenticated if the user no longer exists */
export async function readSession(context: IdentityContext, caller: SessionCaller): Promise<Session> {
  const user = await usersOf(context).findOne({ _id: new ObjectId(caller.id) });
  if (!user) throw new ProblemError('unauthenticated');
  refuseDisabled(user);
  return sessionOnTheWire(context, user, new Date(caller.provenAt * 1_000), new Date(caller.expiresAt * 1_000));
}

/**
 * Issues a new access token and a new refresh id for the refresh cookie.
 *
 * @throws ProblemError if the session has ended, which clears its cookies: account_disabled, session_ended after a log-out
 *   everywhere or if its refresh id was reused, otherwise unauthenticated
 */
export async function refreshSession(
  context: IdentityContext,
  key: SigningKey,
  request: Request,
  response: Response,
  requestId: string,
): Promise<Session> {
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
    throw new ProblemError(
      session?.endedEverywhere || rotation.kind === 'reused' ? 'session_ended' : 'unauthenticated',
    );
  }
  if (now.getTime() - session.lastUsedAt.getTime() > useNotedEvery) {
    await sessionsOf(context).updateOne(
      { _id: session._id },
      { $set: { lastUsedAt: now, idleUntil: idleEnd(context, now, session.expiresAt) } },
    );
  }
  return answerSession(context, key, { user, session, refreshId: rotation.refreshId }, response);
}

/** Two browsers use one session: we can't tell which one is its owner's, so it ends for both. */
async function endReusedSession(
  context: IdentityContext,
  { _id, userId }: SessionRecord,
  requestId: string,
): Promise<void> {
  await context.inTransaction(async (transaction) => {
    const ended = await sessionsOf(context).findOneAndUpdate(
      { _id, endedAt: { $exists: false } },
      { $set: { endedAt: new Date(), endedEverywhere: true } },
      { session: transaction },
    );
    const user = ended && (await usersOf(context).findOne({ _id: userId }, { session: transaction }));
    if (!user) return;
    await appendEvent(context, transaction, {
      call: 'refreshSession',
      caller: undefined,
      requestId,
      record: { type: changedRecord, id: userId.toHexString() },
      subject: user.email,
      action: 'refresh id reused',
      before: null,
      after: { session: _id.toHexString() },
    });
  });
}

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
