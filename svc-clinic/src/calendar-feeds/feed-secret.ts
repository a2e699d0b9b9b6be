import { createHash, randomBytes } from 'node:crypto';

/** 192 random bits: nobody guesses one, and a slow hash would protect nothing. */
const secretBytes = 24;

const address = /^(?<secret>[\w-]{32})(?:\.ics)?$/;

/** A new secret, for the last segment of a calendar's address. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** The path at which a calendar is read; programs recognise it by its ending. */
export function feedPath(secret: string): string {
  return `/calendar-feed/${secret}.ics`;
}

/** The secret in the last segment of a path, with or without its ending; `undefined` if it can't be one. */
export function secretIn(segment: string): string | undefined {
  return address.exec(segment)?.groups?.['secret'];
}

/** The hash that is stored instead of a secret. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
