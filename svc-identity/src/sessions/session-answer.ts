import { freshProofSeconds, type Session } from '@clinic/contracts';
import { staffRules, type IdentityContext } from '../settings.ts';
import { actingRights, actingRole, sessionUserOf, type UserRecord } from '../users/user-record.ts';
import { makeAccessToken } from './access-token.ts';
import type { CallingBrowser } from './calling-browser.ts';
import { provenAtOf, type SessionRecord } from './session-record.ts';
import type { SigningKey } from './signing-key.ts';

/** The session in its wire shape. */
export function sessionOnTheWire(context: IdentityContext, user: UserRecord, provenAt: Date, expiresAt: Date): Session {
  return {
    user: sessionUserOf(user, staffRules(context.settings)),
    expiresAt: expiresAt.toISOString(),
    provenUntil: new Date(provenAt.getTime() + freshProofSeconds * 1_000).toISOString(),
  };
}

export interface SessionAnswer {
  readonly user: UserRecord;
  readonly session: SessionRecord;
  /** Only if the browser gets a new one. */
  readonly refreshId?: string | undefined;
}

/** Sets access tokens for a session in the browser, and returns the session. */
export async function answerSession(
  context: IdentityContext,
  key: SigningKey,
  { user, session, refreshId }: SessionAnswer,
  browser: CallingBrowser,
): Promise<Session> {
  const provenAt = provenAtOf(session);
  const rules = staffRules(context.settings);
  const access = await makeAccessToken(
    key,
    {
      user,
      role: actingRole(user, rules),
      rights: actingRights(user, rules),
      sessionId: session._id.toHexString(),
      provenAt,
      audiences: browser.audiences,
    },
    context.settings.ACCESS_TOKEN_SECONDS,
  );
  browser.keepSession({
    accessToken: access.token,
    accessEnds: access.ends,
    ...(refreshId !== undefined && { refreshId }),
    sessionEnds: session.expiresAt,
  });
  return sessionOnTheWire(context, user, provenAt, access.ends);
}
