import type { IncomingMessage } from 'node:http';
import { parseCookie } from 'cookie';

/** The value of a cookie that the request carries; an empty one counts as none. */
export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  const value = parseCookie(request.headers.cookie ?? '')[name];
  return value === '' ? undefined : value;
}
