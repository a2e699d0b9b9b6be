import type { IncomingMessage } from 'node:http';
import { ProblemError } from './problem-error.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method may change data. */
export function isUnsafe(method: string): boolean {
  return !safeMethods.has(method);
}

/**
 * Rejects unsafe requests that another site's page may have sent. `Sec-Fetch-Site` must be same-origin; without that
 * header, `Origin` must match the requested origin, including scheme and port, or a configured one. A request with
 * neither header is rejected.
 *
 * @param allowed - our other origins (`PUBLIC_ORIGINS`)
 * @throws ProblemError cross_site
 */
export function rejectCrossSite(request: IncomingMessage, allowed: readonly string[]): void {
  if (!isUnsafe(request.method ?? 'GET')) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin') return;
  if (origin !== undefined && allowed.includes(origin)) return;
  // What the browser states counts more than comparing origins.
  if (site === undefined && origin !== undefined && origin === requestedOrigin(request)) return;
  throw new ProblemError('cross_site', { detail: 'Changes are only accepted from this site’s own pages.' });
}

/** The origin the request was sent to, as reported by the gateway: an http page on the same host is another site. */
function requestedOrigin({ headers }: IncomingMessage): string | undefined {
  const scheme = first(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http';
  const address = `${scheme}://${first(headers['x-forwarded-host']) || headers.host || ''}`;
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

function first(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();
}
