import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'mongodb';
import { appendEvent, ProblemError } from '@clinic/service-kit';
import { aboutUser, type By } from '../access/access-events.ts';
import { endOtherSessions } from '../sessions/end-sessions.ts';
import type { IdentityContext } from '../settings.ts';
import { withNewVersion } from '../users/new-version.ts';
import { userOf, usersOf, type UserRecord } from '../users/user-record.ts';
import { firstRecoveryCodes, newRecoveryCodes } from './recovery-codes.ts';
import type { SecondFactors } from './second-factors.ts';
import { digitsOf, newSecret, stepOf, totpOf } from './totp.ts';

/** Milliseconds to confirm a new secret with its first code. */
const confirmWithin = 3_600_000;
/** Milliseconds within which a confirmation can be repeated whose answer was lost. */
const repeatWithin = 600_000;

/**
 * Gives the caller a secret for their authenticator app. It has no effect until {@link confirmSecondFactor}; starting again
 * replaces it.
 *
 * @returns the secret in Base32, for typing, and as an `otpauth:` URL for a QR code
 * @throws ProblemError email_unconfirmed; duplicate if a second factor is already set up
 */
export async function startSecondFactor(
  context: IdentityContext,
  { box }: SecondFactors,
  { caller }: By,
): Promise<{ secret: string; uri: string }> {
  const secret = newSecret();
  const { matchedCount } = await usersOf(context).updateOne(
    { _id: new ObjectId(caller.id), emailVerified: true, secondFactor: { $exists: false } },
    { $set: { secondFactorDraft: { secret: box.seal(secret, caller.id), since: new Date() } } },
  );
  if (matchedCount === 0) requireConfirmed(await userOf(context, caller));
  if (matchedCount === 0)
    throw new ProblemError('duplicate', { detail: 'You’ve already set up an authenticator app. Remove it first.' });
  return { secret, uri: totpOf(secret, caller.email).toString() };
}

/**
 * Sets up the second factor with a first code from the app. The person's other sessions end, as they were opened without it.
 * The incremented version makes this session refresh its token, as a staff role may now take effect. Repeated after its
 * answer was lost, or meanwhile, it returns the same recovery codes, while none has been used or replaced: with the same
 * code, or with one that hasn't been used.
 *
 * @returns the recovery codes, which aren't stored anywhere in plain text
 * @throws ProblemError email_unconfirmed; not_found if nothing was started within the last hour; second_factor_wrong; rate_limited
 */
export async function confirmSecondFactor(
  context: IdentityContext,
  { box, countTry }: SecondFactors,
  by: By,
  code: string,
): Promise<string[]> {
  const { caller } = by;
  const user = await userOf(context, caller);
  requireConfirmed(user);
  const draft = user.secondFactor ?? user.secondFactorDraft;
  const within = user.secondFactor ? repeatWithin : confirmWithin;
  if (!draft || draft.since.getTime() < Date.now() - within) throw nothingToConfirm();

  const secret = box.open(draft.secret, caller.id);
  let recoveryCodes: string[] | undefined;
  await countTry(caller.id, `session ${caller.sessionId}`, async () => {
    const step = firstStep(secret, code);
    if (secret === undefined) throw nothingToConfirm();
    const confirmed = { user, sealed: draft.secret, secret, step };
    if (!user.secondFactor) recoveryCodes = await setUp(context, by, confirmed);
    recoveryCodes ??= await showAgain(context, confirmed);
  });
  return recoveryCodes ?? [];
}

/** A secret, as it is stored and in Base32, with the time step of its code. */
interface Confirmed {
  readonly user: UserRecord;
  readonly sealed: string;
  readonly secret: string;
  readonly step: number;
}

/** In place of an idempotency key, whose hash is longer: the code has shown the recovery codes and may do so again. */
const shownWith = (step: number) => ({ what: String(step), key: 'set-up' });

/** @returns the recovery codes; `undefined` if the secret is no longer a draft */
async function setUp(
  context: IdentityContext,
  by: By,
  { user, sealed, secret, step }: Confirmed,
): Promise<string[] | undefined> {
  const { _id } = user;
  const { codes, kept } = await firstRecoveryCodes(secret);
  return context.inTransaction(async (session) => {
    const now = new Date();
    const lastSpent = { ...shownWith(step), at: now };
    const { modifiedCount } = await usersOf(context).updateOne(
      { _id, emailVerified: true, 'secondFactorDraft.secret': sealed, secondFactor: { $exists: false } },
      withNewVersion(
        {
          $set: { secondFactor: { secret: sealed, since: now, lastStep: step, lastSpent, ...kept } },
          $unset: { secondFactorDraft: 1 },
        },
        now,
      ),
      { session },
    );
    if (modifiedCount === 0) return undefined;
    await endOtherSessions(context, session, _id, new ObjectId(by.caller.sessionId));
    await appendEvent(context, session, {
      call: 'confirmSecondFactor',
      ...by,
      ...aboutUser(user),
      action: 'second factor set up',
      before: { secondFactor: false },
      after: { secondFactor: true },
    });
    return codes;
  });
}

const nothingToConfirm = (): ProblemError =>
  new ProblemError('not_found', { detail: 'Start setting up your authenticator app again.' });

/**
 * The recovery codes of the set-up, none of which has been used.
 *
 * @throws ProblemError not_found if they are others by now, or another secret; second_factor_wrong if the code has been used
 */
async function showAgain(
  context: IdentityContext,
  { user: { _id }, sealed, secret, step }: Confirmed,
): Promise<string[]> {
  const users = usersOf(context);
  const { secondFactor } = (await users.findOne({ _id, 'secondFactor.secret': sealed })) ?? {};
  if (!secondFactor) throw nothingToConfirm();
  const { codes, kept } = await firstRecoveryCodes(secret, secondFactor.recoverySalt);
  if (!isDeepStrictEqual(kept.recoveryHashes, secondFactor.recoveryHashes))
    throw new ProblemError('not_found', { detail: 'You’ve already set up your authenticator app.' });
  const { what, key } = shownWith(step);
  const { matchedCount } = await users.updateOne(
    {
      _id,
      'secondFactor.secret': sealed,
      'secondFactor.recoveryHashes': kept.recoveryHashes,
      $or: [
        { 'secondFactor.lastStep': { $lt: step } },
        { 'secondFactor.lastSpent.what': what, 'secondFactor.lastSpent.key': key },
      ],
    },
    { $max: { 'secondFactor.lastStep': step }, $set: { 'secondFactor.lastSpent': { what, key, at: new Date() } } },
  );
  if (matchedCount === 0) throw wrongCode('This code has already been used');
  return codes;
}

/**
 * Anybody can register with somebody else's address: its owner must not find a second factor of theirs.
 *
 * @throws ProblemError email_unconfirmed
 */
function requireConfirmed({ emailVerified }: UserRecord): void {
  if (!emailVerified)
    throw new ProblemError('email_unconfirmed', {
      detail: 'Confirm your email address with the link in our email, then set up your authenticator app.',
    });
}

function firstStep(secret: string | undefined, code: string): number {
  const digits = digitsOf(code);
  const step = secret === undefined || digits === undefined ? undefined : stepOf(secret, digits);
  if (step !== undefined) return step;
  throw wrongCode('This code isn’t right');
}

const wrongCode = (message: string): ProblemError =>
  new ProblemError('second_factor_wrong', {
    detail:
      'Enter the six-digit code your authenticator app shows now. If it still doesn’t work, check the time on that device.',
    errors: [{ field: 'code', message }],
  });

/**
 * Replaces all recovery codes.
 *
 * @returns the new ones, which aren't stored anywhere in plain text
 * @throws ProblemError not_found if no second factor is set up
 */
export async function renewRecoveryCodes(context: IdentityContext, by: By): Promise<string[]> {
  const { codes: recoveryCodes, kept } = await newRecoveryCodes();
  await context.inTransaction(async (session) => {
    const before = await usersOf(context).findOneAndUpdate(
      { _id: new ObjectId(by.caller.id), secondFactor: { $exists: true } },
      { $set: { 'secondFactor.recoverySalt': kept.recoverySalt, 'secondFactor.recoveryHashes': kept.recoveryHashes } },
      { session, returnDocument: 'before' },
    );
    if (!before) throw new ProblemError('not_found', { detail: 'No authenticator app is set up.' });
    await appendEvent(context, session, {
      call: 'renewRecoveryCodes',
      ...by,
      ...aboutUser(before),
      action: 'recovery codes renewed',
      before: { left: left(before) },
      after: { left: recoveryCodes.length },
    });
  });
  return recoveryCodes;
}

const left = ({ secondFactor }: UserRecord): number => secondFactor?.recoveryHashes.length ?? 0;
