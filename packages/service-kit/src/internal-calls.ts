import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { demoMark } from './database-credentials.ts';
import type { Logger } from './log.ts';
import { ProblemError } from './problem-error.ts';
import { SettingsError, type BaseSettings } from './settings.ts';

/** Under it are the calls that services make of each other; the gateway never routes them. */
export const internalPath = '/internal';

/** What a demo uses: everybody can read it here. */
const demoSecret = 'demo-only-secret-of-the-internal-calls';

/** Fewest characters of the secret; `docker/make-secrets.sh` makes 64. */
const shortest = 32;

/**
 * The secret by which services recognise each other. A demo, and a developer's machine, have one in common that is no secret.
 *
 * @throws SettingsError in production outside demo mode, when it is missing, short, or the demo's
 */
export function internalSecret({ INTERNAL_SECRET: secret, DEMO_MODE, NODE_ENV }: Pick<BaseSettings, 'INTERNAL_SECRET' | 'DEMO_MODE' | 'NODE_ENV'>): string {
  const example = 'for example INTERNAL_SECRET_FILE=/run/secrets/internal-calls (docker/make-secrets.sh makes it)';
  const real = !DEMO_MODE && NODE_ENV === 'production';
  if (secret === undefined) {
    if (real) throw new SettingsError(`INTERNAL_SECRET is not set: it must be the text by which the clinic's services recognise each other, the same for all, ${example}`);
    return demoSecret;
  }
  if (real && secret.includes(demoMark)) throw new SettingsError(`INTERNAL_SECRET is the demo's, which everybody can read: it must be one of your own, ${example}`);
  if (secret.length < shortest) throw new SettingsError(`INTERNAL_SECRET is wrong: it must be at least ${shortest} characters, ${example}`);
  return secret;
}

/** Headers of a call to another service's internal path. */
export function internalHeaders(secret: string): { readonly authorization: string } {
  return { authorization: `Bearer ${secret}` };
}

/**
 * Refuses internal calls without the secret.
 *
 * @param mayBeMissing - lets in callers that send none, for the time of an upgrade from a release whose services didn't; a wrong one is refused all the same
 */
export function requireInternalSecret(secret: string, mayBeMissing: boolean, log: Logger): RequestHandler {
  // Digests have one length, which the comparison needs; it takes as long for every wrong one.
  const expected = digest(internalHeaders(secret).authorization);
  if (mayBeMissing) log.warn('internal calls are answered without the secret: unset INTERNAL_SECRET_OPTIONAL once every service sends it');
  return (request, _response, next) => {
    const sent = request.get('authorization');
    const good = sent === undefined ? mayBeMissing : timingSafeEqual(digest(sent), expected);
    if (!good) throw new ProblemError('unauthenticated', { detail: 'Internal calls need the secret of the clinic’s services (INTERNAL_SECRET).' });
    next();
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
