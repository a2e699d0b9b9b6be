import { SignJWT } from 'jose';
import type { Role } from '@clinic/contracts';
import { sessionToken, type SessionClaims } from '@clinic/service-kit';
import type { UserRecord } from '../users/user-record.ts';
import type { SigningKey } from './signing-key.ts';

/** An access token and its expiry. */
export interface AccessToken {
  readonly token: string;
  readonly ends: Date;
}

/** Contents of an access token. */
export interface AccessGrant {
  readonly user: Pick<UserRecord, '_id' | 'email' | 'emailVerified' | 'version'>;
  /** The role in effect. */
  readonly role: Role;
  readonly sessionId: string;
  /** When the person last proved their identity. */
  readonly provenAt: Date;
}

/**
 * Creates the short-lived token that every service verifies.
 *
 * @param seconds - its lifetime
 */
export async function makeAccessToken(
  key: SigningKey,
  { user, role, sessionId, provenAt }: AccessGrant,
  seconds: number,
): Promise<AccessToken> {
  const issuedAt = Math.floor(Date.now() / 1_000);
  const claims: SessionClaims = {
    sub: user._id.toHexString(),
    email: user.email,
    role,
    ver: user.version,
    sid: sessionId,
    conf: user.emailVerified,
    prf: Math.floor(provenAt.getTime() / 1_000),
  };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: sessionToken.algorithm, kid: key.kid, typ: sessionToken.type })
    .setIssuer(sessionToken.issuer)
    .setAudience(sessionToken.audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(key.privateKey);
  return { token, ends: new Date((issuedAt + seconds) * 1_000) };
}
