import type { IncomingMessage } from 'node:http';
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { cookieOf } from '../http/cookies.ts';
import { unavailable } from '../http/error-mapping.ts';
import { ProblemError } from '../http/problem-error.ts';
import { isBundle, tokenFor } from './session-bundle.ts';
import { cookieNames, longestTokenLife, sessionClaims, sessionToken, type SessionCaller } from './session-claims.ts';
import type { AddressFeed } from './joining.ts';
import type { VersionTracker } from './version-tracker.ts';

/** Source of keys and updates to rights: svc-identity itself, or its feed for all other services. */
export interface SessionSource {
  readonly keys: JWTVerifyGetKey;
  readonly versions: VersionTracker;
  /** Who owns which address; absent in svc-identity, which decides it. */
  readonly accounts?: AddressFeed;
}

/** Verified tokens are cached for this long (milliseconds), up to this many: verifying a signature costs 0.2 ms. */
const rememberFor = 60_000;
const rememberAtMost = 5_000;

/** jose errors that mean a bad token; any other error means that the keys can't be fetched. */
const tokenFaults = [
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

/**
 * svc-identity's keys, fetched on demand; an unknown key id triggers a fetch at most every 5 s.
 *
 * @param identityUrls - its replicas, which share their keys: tried in turn
 */
export function remoteKeys(identityUrls: readonly string[]): JWTVerifyGetKey {
  const sets = identityUrls.map((url) =>
    createRemoteJWKSet(new URL('/jwt/keys', url), {
      cooldownDuration: 5_000,
      cacheMaxAge: 600_000,
      timeoutDuration: 3_000,
    }),
  );
  let last = 0;
  return async (header, token) => {
    let failure: unknown;
    for (let tried = 0; tried < sets.length; tried += 1) {
      const at = (last + tried) % sets.length;
      try {
        const key = await sets[at]?.(header, token);
        if (!key) break;
        last = at;
        return key;
      } catch (error) {
        if (tokenFaults.some((fault) => error instanceof fault)) throw error;
        failure = error;
      }
    }
    throw failure;
  };
}

/** Verifies session cookies (docs/identity.md). */
export class SessionVerifier {
  readonly #source: SessionSource;
  readonly #audience: string;
  readonly #cookie: string;
  readonly #onOldToken: () => void;
  #seenOldToken = false;
  readonly #verified = new Map<string, { readonly caller: SessionCaller; readonly until: number }>();

  /**
   * @param audience - this service's name: tokens for another service are rejected
   * @param secureCookies - accept only the `__Host-` cookie, which no other subdomain can set
   * @param onOldToken - called once, if a token without an audience in its header was accepted
   */
  constructor(source: SessionSource, audience: string, secureCookies: boolean, onOldToken: () => void) {
    this.#source = source;
    this.#audience = audience;
    this.#onOldToken = onOldToken;
    this.#cookie = secureCookies ? `__Host-${cookieNames.access}` : cookieNames.access;
  }

  /**
   * @returns the person whose session cookie the request carries
   * @throws ProblemError unauthenticated (no, forged or expired token), session_stale (rights changed since),
   *   unavailable (keys or feed unreachable)
   */
  async verify(request: IncomingMessage): Promise<SessionCaller> {
    const cookie = cookieOf(request, this.#cookie);
    // The gateway sends only this service's token; a gateway of the previous release, or a call without one, sends all.
    const token = cookie !== undefined && isBundle(cookie) ? tokenFor(cookie, this.#audience) : cookie;
    if (token === undefined) throw new ProblemError('unauthenticated');
    const caller = this.#remembered(token) ?? (await this.#check(token));
    const { versions } = this.#source;
    if (!versions.isLive() && !(await versions.becomesLive()))
      throw unavailable('We can’t check logins right now. Try again in a moment.');
    if (versions.hasEnded(caller.sessionId))
      throw new ProblemError('unauthenticated', { detail: 'You are logged out.' });
    if (versions.isStale(caller.id, caller.version)) throw new ProblemError('session_stale');
    return caller;
  }

  /** Calls back when a session's rights may have changed. @returns unsubscribes */
  onChange(caller: SessionCaller, changed: () => void): () => void {
    return this.#source.versions.onChange(caller, changed);
  }

  #remembered(token: string): SessionCaller | undefined {
    const entry = this.#verified.get(token);
    if (!entry) return undefined;
    if (entry.until > Date.now()) return entry.caller;
    this.#verified.delete(token);
    return undefined;
  }

  async #check(token: string): Promise<SessionCaller> {
    const caller = await this.#decode(token);
    if (this.#verified.size >= rememberAtMost) {
      const oldest = this.#verified.keys().next();
      if (!oldest.done) this.#verified.delete(oldest.value);
    }
    this.#verified.set(token, { caller, until: Math.min(Date.now() + rememberFor, caller.expiresAt * 1_000) });
    return caller;
  }

  async #decode(token: string): Promise<SessionCaller> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#source.keys, {
        algorithms: [sessionToken.algorithm],
        issuer: sessionToken.issuer,
        audience: sessionToken.audience,
        typ: sessionToken.type,
        requiredClaims: ['exp', 'iat'],
        maxTokenAge: longestTokenLife,
        clockTolerance: 5,
      });
      this.#checkAudience(protectedHeader['aud']);
      const claims = sessionClaims.safeParse(payload);
      if (!claims.success) throw new ProblemError('unauthenticated', { cause: claims.error });
      const { sub, email, role, rgt, ver, sid, conf, prf } = claims.data;
      return {
        id: sub,
        email,
        role,
        ...(rgt && { rights: rgt }),
        confirmed: conf,
        provenAt: prf,
        version: ver,
        sessionId: sid,
        expiresAt: payload.exp ?? 0,
      };
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      if (tokenFaults.some((fault) => error instanceof fault))
        throw new ProblemError('unauthenticated', { cause: error });
      throw unavailable('We can’t check logins right now. Try again in a moment.', error);
    }
  }

  /**
   * The payload is the same for all services, so the header names the one that this signature is for. It can't be
   * `crit`: services of the previous release would reject the token.
   */
  #checkAudience(audience: unknown): void {
    if (audience === this.#audience) return;
    // From a gateway or svc-identity of the previous release, which has no audiences; to be rejected from the next
    // release on (docs/security.md, "One audience for each service").
    if (audience !== undefined) throw new ProblemError('unauthenticated');
    if (!this.#seenOldToken) this.#onOldToken();
    this.#seenOldToken = true;
  }
}
