import { SignJWT } from 'jose';
import { sessionToken, type SessionClaims } from '@clinic/service-kit';
import type { UserRecord } from '../users/user-record.ts';
import type { SigningKey } from './signing-key.ts';

/** An access token and its end. */
export interface AccessToken {
  readonly token: string;
  readonly ends: Date;
}

/**
 * Makes the short-lived token that every service checks (design section 4).
 *
 * @param seconds - how long it lives
 */
export async function makeAccessToken(key: SigningKey, user: UserRecord, sessionId: string, seconds: number): Promise<AccessToken> {
  const issuedAt = Math.floor(Date.now() / 1_000);
  const claims: SessionClaims = { sub: user._id.toHexString(), email: user.email, role: user.role, ver: user.version, sid: sessionId };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: sessionToken.algorithm, kid: key.kid, typ: sessionToken.type })
    .setIssuer(sessionToken.issuer)
    .setAudience(sessionToken.audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(key.privateKey);
  return { token, ends: new Date((issuedAt + seconds) * 1_000) };
}
