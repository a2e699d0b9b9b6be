import type { IncomingMessage } from 'node:http';
import { parseCookie } from 'cookie';

/** Value of a cookie on the request; an empty one counts as missing. */
export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  const value = parseCookie(request.headers.cookie ?? '')[name];
  return value === '' ? undefined : value;
}
