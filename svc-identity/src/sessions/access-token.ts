import { GeneralSign, SignJWT } from 'jose';
import type { Right, Role } from '@clinic/contracts';
import { sessionToken, tokenHeader, writeBundle, type SessionClaims } from '@clinic/service-kit';
import type { UserRecord } from '../users/user-record.ts';
import type { SigningKey } from './signing-key.ts';

/** An access token and its expiry. */
export interface AccessToken {
  /** Value of the session cookie: the tokens of all services, or a single one. */
  readonly token: string;
  readonly ends: Date;
}

/** Contents of an access token. */
export interface AccessGrant {
  readonly user: Pick<UserRecord, '_id' | 'email' | 'emailVerified' | 'version'>;
  /** The role in effect. */
  readonly role: Role;
  /** Rights in effect beside it. */
  readonly rights?: readonly Right[];
  readonly sessionId: string;
  /** When the person last proved their identity. */
  readonly provenAt: Date;
  /**
   * The services that get a token of their own. None if the gateway is of the previous release and would send all of them
   * to each service: then there is one token without an audience.
   */
  readonly audiences?: readonly string[];
}

/**
 * Creates the short-lived tokens that services verify: one payload, signed once for each service.
 *
 * @param seconds - its lifetime
 */
export async function makeAccessToken(
  key: SigningKey,
  { user, role, rights = [], sessionId, provenAt, audiences = [] }: AccessGrant,
  seconds: number,
): Promise<AccessToken> {
  const issuedAt = Math.floor(Date.now() / 1_000);
  const claims: SessionClaims = {
    sub: user._id.toHexString(),
    email: user.email,
    role,
    ...(rights.length > 0 && { rgt: [...rights] }),
    ver: user.version,
    sid: sessionId,
    conf: user.emailVerified,
    prf: Math.floor(provenAt.getTime() / 1_000),
  };
  const header = { alg: sessionToken.algorithm, kid: key.kid, typ: sessionToken.type };
  const { issuer: iss, audience: aud } = sessionToken;
  const payload = { ...claims, iss, aud, iat: issuedAt, exp: issuedAt + seconds };
  const ends = new Date(payload.exp * 1_000);
  if (audiences.length === 0)
    return { token: await new SignJWT(payload).setProtectedHeader(header).sign(key.privateKey), ends };
  const jws = new GeneralSign(Buffer.from(JSON.stringify(payload)));
  for (const audience of audiences) jws.addSignature(key.privateKey).setProtectedHeader(tokenHeader(header, audience));
  return { token: writeBundle(await jws.sign(), audiences), ends };
}
