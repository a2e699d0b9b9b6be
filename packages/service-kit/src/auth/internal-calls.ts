import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { demoMark } from '../database/database-credentials.ts';
import type { Logger } from '../observability/log.ts';
import { ProblemError } from '../http/problem-error.ts';
import { SettingsError, type BaseSettings } from '../settings/settings.ts';

/** Prefix of the calls between services; the gateway never routes it. */
export const internalPath = '/internal';

/** The demo's secret: public, since it is in this repository. */
const demoSecret = 'demo-only-secret-of-the-internal-calls';

/** Minimum length of the secret in characters; `docker/make-secrets.sh` makes 64. */
const shortest = 32;

/**
 * The secret that authenticates calls between services. In a demo and on a developer's machine it defaults to a public
 * one.
 *
 * @throws SettingsError in production outside demo mode, if it is missing, too short, or the demo's
 */
export function internalSecret({
  INTERNAL_SECRET: secret,
  DEMO_MODE,
  NODE_ENV,
}: Pick<BaseSettings, 'INTERNAL_SECRET' | 'DEMO_MODE' | 'NODE_ENV'>): string {
  const example = 'for example INTERNAL_SECRET_FILE=/run/secrets/internal-calls (docker/make-secrets.sh makes it)';
  const real = !DEMO_MODE && NODE_ENV === 'production';
  if (secret === undefined) {
    if (real)
      throw new SettingsError(
        `INTERNAL_SECRET is not set: it must be the secret that the clinic's services share, the same for all, ${example}`,
      );
    return demoSecret;
  }
  if (real && secret.includes(demoMark))
    throw new SettingsError(
      `INTERNAL_SECRET is the demo secret, which everyone can read: it must be your own, ${example}`,
    );
  if (secret.length < shortest)
    throw new SettingsError(`INTERNAL_SECRET is wrong: it must be at least ${shortest} characters, ${example}`);
  return secret;
}

/** Headers of a call to another service's internal path. */
export function internalHeaders(secret: string): { readonly authorization: string } {
  return { authorization: `Bearer ${secret}` };
}

/**
 * Rejects internal calls without the secret.
 *
 * @param mayBeMissing - accepts callers that send no secret, while upgrading from a release that didn't send one; a
 *   wrong secret is always rejected
 */
export function requireInternalSecret(secret: string, mayBeMissing: boolean, log: Logger): RequestHandler {
  // Hashed so that both sides have equal length, as the constant-time comparison requires.
  const expected = digest(internalHeaders(secret).authorization);
  if (mayBeMissing)
    log.warn('accepting internal calls without the secret: unset INTERNAL_SECRET_OPTIONAL once every service sends it');
  return (request, _response, next) => {
    const sent = request.get('authorization');
    const good = sent === undefined ? mayBeMissing : timingSafeEqual(digest(sent), expected);
    if (!good)
      throw new ProblemError('unauthenticated', {
        detail: 'Internal calls need the secret of the clinic’s services (INTERNAL_SECRET).',
      });
    next();
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
