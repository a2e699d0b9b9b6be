import type { IncomingMessage } from 'node:http';
import { ProblemError } from './problem-error.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method may change something. */
export function isUnsafe(method: string): boolean {
  return !safeMethods.has(method);
}

/**
 * Refuses unsafe requests that a page of another site may have sent: `Sec-Fetch-Site` says same-origin, or else the
 * `Origin`, scheme and port included, is the one that was asked or one of the configured ones. A request that has neither
 * is refused.
 *
 * @param allowed - further origins that are ours (`PUBLIC_ORIGINS`)
 * @throws ProblemError cross_site
 */
export function refuseCrossSite(request: IncomingMessage, allowed: readonly string[]): void {
  if (!isUnsafe(request.method ?? 'GET')) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin') return;
  if (origin !== undefined && allowed.includes(origin)) return;
  // A browser that names the relation itself knows better than a comparison of origins.
  if (site === undefined && origin !== undefined && origin === originAsked(request)) return;
  throw new ProblemError('cross_site', { detail: 'Changes are only accepted from the pages of this site.' });
}

/** The origin that the request was sent to, as the gateway says: a page from http on the same host is another site's. */
function originAsked({ headers }: IncomingMessage): string | undefined {
  const scheme = first(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http';
  const address = `${scheme}://${first(headers['x-forwarded-host']) || headers.host || ''}`;
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

function first(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();
}
