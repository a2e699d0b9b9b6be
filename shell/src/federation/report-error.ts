import type { RemoteTrouble } from './remote-error.ts';

/** What happened to a remote or a page. */
export type PageErrorKind = RemoteTrouble | 'broken';

interface PageError {
  readonly kind: PageErrorKind;
  readonly remote?: string | undefined;
  readonly version?: string | undefined;
  /** Route path of the page. */
  readonly page?: string | undefined;
}

/** Most reports per page load: an error in a loop adds nothing new. */
const most = 20;

const sent = new Set<string>();

/**
 * Reports an error to the gateway's log, with the names of our own files and classes. Error messages aren't sent: they may
 * quote what somebody typed.
 */
export function reportError(error: unknown, about: PageError): void {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const at = [
    ...(cause instanceof Error ? (cause.stack ?? '') : '').matchAll(/\/((?:shell|mf\/[\w-]+)\/[\w.~-]+\.js:\d+:\d+)/g),
  ]
    .slice(0, 8)
    .map(([, place]) => place);
  // An error without a named remote may still come from one of its files.
  const remote = about.remote ?? at.map((place) => /^mf\/([\w-]+)/.exec(place ?? '')?.[1]).find(Boolean);
  const report = JSON.stringify({ ...about, remote, error: cause instanceof Error ? cause.name : typeof cause, at });
  if (sent.has(report) || sent.size >= most) return;
  sent.add(report);
  // The page may be about to close, and nobody waits for the response.
  fetch('/page-errors', {
    method: 'POST',
    body: report,
    headers: { 'content-type': 'application/json' },
    keepalive: true,
  }).catch((failure: unknown) => console.warn('An error could not be reported', failure));
}

/** Reports uncaught errors; skips events without an error, such as a browser's note about layouts. */
export function reportUncaught(): void {
  const report = (error: unknown): void => {
    if (error instanceof Error) reportError(error, { kind: 'broken' });
  };
  addEventListener('error', ({ error }) => report(error));
  addEventListener('unhandledrejection', ({ reason }) => report(reason));
}
