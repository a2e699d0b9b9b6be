import { createHmac, hkdfSync } from 'node:crypto';
import { internalSecret, ProblemError } from '@clinic/service-kit';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { MessagesContext } from '../settings.ts';

type Settings = Pick<MessagesContext, 'settings'>;

const keys = new Map<string, Uint8Array>();

/**
 * The key that signs links. Derived from the secret of internal calls, so that there is no further secret to manage.
 */
function keyOf({ settings }: Settings): Uint8Array {
  const secret = internalSecret(settings);
  let key = keys.get(secret);
  if (!key) {
    key = new Uint8Array(hkdfSync('sha256', secret, '', 'links in messages', 32));
    keys.set(secret, key);
  }
  return key;
}

/** What a link says of how it was sent; links of earlier releases say nothing. */
const linkMade = z.object({
  /** The address it was sent to, as {@link addressTag}. */
  to: z.string().optional(),
  /** When it was made, milliseconds since 1970. */
  made: z.number().optional(),
});
export type LinkMade = z.output<typeof linkMade>;

const purposes = {
  /** Cancels or moves a visit that is unchanged since the message was written, or says that the patient will come or is here. */
  visit: linkMade.extend({
    act: z.enum(['cancel', 'move', 'arrive', 'come']),
    visit: z.string(),
    account: z.string(),
    /** As the message showed it; links of earlier releases don't say with whom. */
    seen: z.object({ date: z.string(), time: z.string(), doctor: z.string().optional() }),
    jti: z.string(),
  }),
  /** Unsubscribes from one kind of message. */
  unsubscribe: linkMade.extend({ kind: z.string(), whose: z.string() }),
};
type Purpose = keyof typeof purposes;

/** Claims of a link, by its purpose. */
export type LinkClaims<For extends Purpose> = z.output<(typeof purposes)[For]>;

/** An address in a link, which would otherwise show up in logs: the same for the same address, and nobody can read it. */
export function addressTag(context: Settings, email: string): string {
  return createHmac('sha256', keyOf(context)).update(email).digest('base64url').slice(0, 22);
}

/**
 * Signs the token of a link for one purpose.
 *
 * @param until - when it expires; without it, never
 */
export async function signLink<For extends Purpose>(
  context: Settings,
  purpose: For,
  claims: LinkClaims<For>,
  until?: Date,
): Promise<string> {
  const token = new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).setAudience(purpose);
  if (until) token.setExpirationTime(until);
  return token.sign(keyOf(context));
}

/** @throws ProblemError `not_found` for a token that isn't ours, has another purpose or has expired */
export async function readLink<For extends Purpose>(
  context: Settings,
  purpose: For,
  token: string,
): Promise<LinkClaims<For>> {
  try {
    const { payload } = await jwtVerify(token, keyOf(context), { audience: purpose, algorithms: ['HS256'] });
    return purposes[purpose].parse(payload) as LinkClaims<For>;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError)
      throw new ProblemError('not_found', { detail: 'This link isn’t valid any more.', cause: error });
    throw error;
  }
}
