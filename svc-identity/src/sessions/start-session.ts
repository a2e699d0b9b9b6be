import type { Session } from '@clinic/contracts';
import type { ServiceRequest } from '@clinic/service-kit';
import { readCredentials, rejectOlderToken } from '../firebase/credentials-since.ts';
import { accountIsGone } from '../firebase/id-tokens.ts';
import type { IdentityParts } from '../open-parts.ts';
import { rememberDevice } from '../second-factor/known-devices.ts';
import { factorOf, requireSecondFactor } from '../second-factor/require-second-factor.ts';
import type { IdentityContext } from '../settings.ts';
import { accountFor, type AccountProof } from '../users/account-proof.ts';
import { resolveAccount } from '../users/resolve-account.ts';
import type { CallingBrowser } from './calling-browser.ts';
import { openSession, type SignIn } from './open-session.ts';

type SignInRequest = Pick<ServiceRequest<'startSession'>, 'body' | 'idToken' | 'requestId' | 'idempotencyKey'>;

/**
 * Checks a sign-in at the identity provider and opens a session for its user, who is created if need be. First who it
 * is, then the second factor, and only then any change: one transaction makes all of them.
 */
export async function startSession(
  context: IdentityContext,
  { key, firebase, watch, limits, factors, registrations }: IdentityParts,
  { body, idToken, requestId, idempotencyKey }: SignInRequest,
  browser: CallingBrowser,
): Promise<Session> {
  const { refreshId, deviceId, address, userAgent } = browser;
  const account = accountFor(body.email, idToken);
  await limits.countAccount(account.uid, address);
  await registrations.countNew(account.uid, browser);
  const credentials = await readCredentials(firebase, account.uid, context.log);
  rejectOlderToken(account, credentials);
  const proof: AccountProof = {
    account,
    credentials,
    passwordChanged: body.passwordChanged === true,
    refreshId,
    accountIsGone: (uid) => accountIsGone(firebase, uid),
  };
  const user = factorOf(await resolveAccount(context, proof));
  const place = { refreshId, deviceId, address };
  const step = { user, code: body.code, place, requestId, idempotencyKey };
  const passed = await requireSecondFactor(context, factors, step);
  const signIn: SignIn = {
    proof,
    passed,
    longPassword: body.longPassword === true,
    requestId,
    address,
    userAgent,
  };
  const session = await watch.readAfter(openSession(context, key, signIn, browser));
  if (passed) await rememberDevice(context, passed.userId, browser);
  return session;
}
