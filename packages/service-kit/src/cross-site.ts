import type { IncomingMessage } from 'node:http';
import { ProblemError } from './problem-error.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method may change something. */
export function isUnsafe(method: string): boolean {
  return !safeMethods.has(method);
}

/**
 * Refuses unsafe requests that a page of another site may have sent (design section 4): `Sec-Fetch-Site` says
 * same-origin, or else the `Origin` is this host or one of the configured ones. A request that tells neither is refused.
 *
 * @param allowed - further origins that are ours (`PUBLIC_ORIGINS`)
 * @throws ProblemError cross_site
 */
export function refuseCrossSite(request: IncomingMessage, allowed: readonly string[]): void {
  if (!isUnsafe(request.method ?? 'GET')) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin') return;
  if (origin !== undefined && allowed.includes(origin)) return;
  // A browser that names the relation itself knows better than a comparison of host names.
  if (site === undefined && origin !== undefined && URL.canParse(origin) && new URL(origin).host === hostOf(request)) return;
  throw new ProblemError('cross_site', { detail: 'Changes are only accepted from the pages of this site.' });
}

function hostOf(request: IncomingMessage): string | undefined {
  const forwarded = request.headers['x-forwarded-host'];
  const first = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',')[0]?.trim();
  return (first || request.headers.host)?.toLowerCase();
}
