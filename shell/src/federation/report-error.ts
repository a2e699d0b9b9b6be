import type { RemoteTrouble } from './remote-error.ts';

/** What became of a remote or a page. */
export type PageErrorKind = RemoteTrouble | 'broken';

interface PageError {
  readonly kind: PageErrorKind;
  readonly remote?: string | undefined;
  readonly version?: string | undefined;
  /** The route path of the page. */
  readonly page?: string | undefined;
}

/** Most reports of one page's life: an error in a loop says nothing new. */
const most = 20;

const sent = new Set<string>();

/**
 * Tells the gateway's log what broke, with the names of our own files and classes. Texts of errors stay here: they may
 * quote what somebody typed.
 */
export function reportError(error: unknown, about: PageError): void {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const at = [...(cause instanceof Error ? (cause.stack ?? '') : '').matchAll(/\/((?:shell|mf\/[\w-]+)\/[\w.~-]+\.js:\d+:\d+)/g)].slice(0, 8).map(([, place]) => place);
  // What no remote is named for may still come from one of its files.
  const remote = about.remote ?? at.map((place) => /^mf\/([\w-]+)/.exec(place ?? '')?.[1]).find(Boolean);
  const report = JSON.stringify({ ...about, remote, error: cause instanceof Error ? cause.name : typeof cause, at });
  if (sent.has(report) || sent.size >= most) return;
  sent.add(report);
  // The page may be about to go, and nobody waits for the answer.
  fetch('/page-errors', { method: 'POST', body: report, headers: { 'content-type': 'application/json' }, keepalive: true })
    .catch((failure: unknown) => console.warn('An error could not be reported', failure));
}

/** Reports what nobody catches; what is no error, such as a browser's note about layouts, is none of ours. */
export function reportUncaught(): void {
  const report = (error: unknown): void => {
    if (error instanceof Error) reportError(error, { kind: 'broken' });
  };
  addEventListener('error', ({ error }) => report(error));
  addEventListener('unhandledrejection', ({ reason }) => report(reason));
}
