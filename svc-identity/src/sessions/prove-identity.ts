import { ObjectId } from 'mongodb';
import type { Session } from '@clinic/contracts';
import { ProblemError, type IdToken, rejected } from '@clinic/service-kit';
import type { By } from '../access/access-events.ts';
import type { SecondFactors } from '../second-factor/second-factors.ts';
import { spendCode } from '../second-factor/use-second-factor.ts';
import type { IdentityContext } from '../settings.ts';
import { userOf } from '../users/user-record.ts';
import type { CallingBrowser } from './calling-browser.ts';
import { answerSession } from './session-answer.ts';
import { rejectDisabled, requireFreshSignIn } from './sign-in-checks.ts';
import { sessionsOf } from './session-record.ts';
import type { SigningKey } from './signing-key.ts';

export interface Proof extends By {
  /** From a sign-in a moment ago. */
  readonly idToken: IdToken | undefined;
  /** From an authenticator app. */
  readonly code: string | undefined;
  readonly factors: SecondFactors;
  readonly idempotencyKey: string | undefined;
}

/**
 * Proves the user's identity within a session, which allows sensitive actions for some minutes. Somebody with a second
 * factor needs a code: a password alone proves nothing.
 *
 * @throws ProblemError validation_failed without the needed proof; forbidden if the proof is for another account;
 *   second_factor_wrong; rate_limited
 */
export async function proveIdentity(
  context: IdentityContext,
  key: SigningKey,
  { idToken, code, factors, caller, ...request }: Proof,
  browser: CallingBrowser,
): Promise<Session> {
  const user = await userOf(context, caller);
  rejectDisabled(user);
  if (idToken) {
    if (idToken.uid !== user.uid)
      throw new ProblemError('forbidden', { detail: 'This isn’t the account you’re logged in with.' });
    requireFreshSignIn(user, idToken.authTime);
  }
  if (user.secondFactor) {
    if (code === undefined) throw rejected('code', 'Enter the code from your authenticator app');
    await spendCode(context, factors, { user, code, source: `session ${caller.sessionId}`, ...request });
  } else if (!idToken) throw rejected('idToken', 'Enter your password or use Google');
  const session = await sessionsOf(context).findOneAndUpdate(
    { _id: new ObjectId(caller.sessionId), endedAt: { $exists: false } },
    { $set: { provenAt: new Date() } },
    { returnDocument: 'after' },
  );
  if (!session) throw new ProblemError('unauthenticated');
  return answerSession(context, key, { user, session }, browser);
}
