import { ProblemError } from '@clinic/service-kit';
import { sessionOfBrowser } from '../sessions/read-session.ts';
import type { IdentityContext } from '../settings.ts';
import type { Resolution } from '../users/resolve-account.ts';
import type { UserRecord } from '../users/user-record.ts';
import { isKnownDevice } from './known-devices.ts';
import type { CodeSource, SecondFactors } from './second-factors.ts';
import { spendCode } from './use-second-factor.ts';

/** A second factor that a sign-in has passed. */
export interface PassedFactor {
  readonly userId: string;
  /** When it was set up, which tells it from another one that is set up meanwhile. */
  readonly since: Date;
}

/** A user who has set up a second factor. */
type UserWithFactor = UserRecord & Required<Pick<UserRecord, 'secondFactor'>>;

/**
 * The user whose second factor a sign-in needs. A factor that was set up before the address was confirmed is void once
 * somebody proves the address: otherwise a stranger could lock its owner out.
 */
export function factorOf(resolution: Resolution): UserWithFactor | undefined {
  if (resolution.kind === 'new') return undefined;
  const { user } = resolution;
  return hasFactor(user) && (resolution.kind === 'known' || user.emailVerified) ? user : undefined;
}

const hasFactor = (user: UserRecord): user is UserWithFactor => user.secondFactor !== undefined;

interface SecondStep {
  readonly user: UserWithFactor | undefined;
  readonly code: string | undefined;
  readonly place: {
    readonly refreshId: string | undefined;
    readonly deviceId: string | undefined;
    readonly address: string | undefined;
  };
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
}

/**
 * Requires the second factor from users who have set one up.
 *
 * @throws ProblemError second_factor_needed, second_factor_wrong, rate_limited
 */
export async function requireSecondFactor(
  context: IdentityContext,
  factors: SecondFactors,
  { user, code, place, ...request }: SecondStep,
): Promise<PassedFactor | undefined> {
  if (!user) return undefined;
  if (code === undefined) throw codeNeeded();
  await spendCode(context, factors, { user, code, source: await sourceOf(context, user, place), ...request });
  return { userId: user._id.toHexString(), since: user.secondFactor.since };
}

/** @throws ProblemError second_factor_needed unless this very factor has been passed */
export function requirePassed(user: UserWithFactor | undefined, passed: PassedFactor | undefined): void {
  if (!user) return;
  if (passed?.userId !== user._id.toHexString() || passed.since.getTime() !== user.secondFactor.since.getTime())
    throw codeNeeded();
}

/** Wrong codes count for the browser if it has passed this factor before, else for its network. */
async function sourceOf(
  context: IdentityContext,
  user: UserWithFactor,
  { refreshId, deviceId, address }: SecondStep['place'],
): Promise<CodeSource> {
  if (deviceId !== undefined && isKnownDevice(user, deviceId)) return `device ${deviceId}`;
  const session = await sessionOfBrowser(context, refreshId);
  if (session?.userId.equals(user._id)) return `session ${session._id.toHexString()}`;
  return { network: address ?? '' };
}

const codeNeeded = (): ProblemError =>
  new ProblemError('second_factor_needed', {
    detail: 'Enter the six-digit code from your authenticator app, or a recovery code.',
  });
