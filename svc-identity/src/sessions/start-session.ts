import type { Session } from '@clinic/contracts';
import type { ServiceRequest } from '@clinic/service-kit';
import { credentialsSince, rejectOlderToken } from '../firebase/credentials-since.ts';
import { accountIsGone } from '../firebase/id-tokens.ts';
import type { IdentityParts } from '../open-parts.ts';
import { requireSecondFactor } from '../second-factor/require-second-factor.ts';
import type { IdentityContext } from '../settings.ts';
import { accountFor, findOrCreateUser } from '../users/find-or-create-user.ts';
import { openSession, type SignIn } from './open-session.ts';
import { userOfBrowser } from './read-session.ts';
import { refreshIdOf } from './session-cookies.ts';

/** Checks a sign-in at the identity provider and opens a session for its user, who is created if need be. */
export async function startSession(
  context: IdentityContext,
  { key, firebase, watch, limits, factors, registrations }: IdentityParts,
  { body, idToken, requestId, req, res }: ServiceRequest<'startSession'>,
): Promise<Session> {
  const account = accountFor(body.email, idToken);
  await limits.countAccount(account.uid, { req, res });
  await registrations.countNew(account.uid, req);
  const since = await credentialsSince(firebase, account.uid, context.log);
  rejectOlderToken(account, since);
  const user = await findOrCreateUser(context, {
    account,
    requestId,
    call: 'startSession',
    browserUser: await userOfBrowser(context, req),
    accountIsGone: (uid) => accountIsGone(firebase, uid),
  });
  await requireSecondFactor(context, factors, user, body.code, requestId);
  const signIn: SignIn = {
    user,
    authTime: account.authTime,
    provider: account.provider,
    linked: account.linked,
    passwordChanged: body.passwordChanged === true,
    longPassword: body.longPassword === true,
    credentialsSince: since,
    replaces: refreshIdOf(context, req),
    requestId,
    address: req.ip,
    userAgent: req.get('user-agent'),
  };
  return watch.readAfter(openSession(context, key, signIn, res));
}
