import { ApiProblem, newId } from '@clinic/app-kit';
import { loadedVersions } from './loaded-versions.ts';
import type { RemoteTrouble } from './remote-error.ts';
import { ownShell } from './shell-version.ts';

/** What happened to a remote or a page. */
export type PageErrorKind = RemoteTrouble | 'broken';

interface PageError {
  readonly kind: PageErrorKind;
  readonly remote?: string | undefined;
  readonly version?: string | undefined;
  /** Route path of the page. */
  readonly page?: string | undefined;
}

/** Most reports and remotes per page load: an error in a loop adds nothing new. */
const most = 20;

/** Reports that were sent in this page load, and the remotes that had one. */
const sent = new Set<string>();

/** The error's class and the places in our files, innermost first: no message, which may quote what somebody typed. */
function placesOf(error: unknown): { readonly error: string; readonly at: readonly string[] } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return { error: typeof cause, at: [] };
  const at = cause.stack?.match(/(?<=\/)(?:shell|mf\/[\w-]+)\/[\w.~-]+\.js:\d+:\d+/g) ?? [];
  return { error: cause.name, at: at.slice(0, 8) };
}

const references: Record<string, string> = {};

/** What a visitor can quote to the operators: the request id of the failed call, or the reference in the error's report. */
export function referenceOf(error: unknown): string {
  const ofCall = error instanceof ApiProblem ? error.problem.requestId : undefined;
  return ofCall ?? (references[JSON.stringify(placesOf(error))] ??= newId());
}

/**
 * Reports an error to the gateway's log, with the names of our own files and classes. Error messages aren't sent: they may
 * quote what somebody typed.
 */
export function reportError(error: unknown, about: PageError): void {
  const places = placesOf(error);
  // An error without a named remote may still come from one of its files.
  const remote = about.remote ?? /mf\/([\w-]+)/.exec(places.at.join())?.[1] ?? 'shell';
  const version = about.version ?? (remote === 'shell' ? ownShell().version : loadedVersions.get(remote));
  const report = { ...about, remote, version, ...places, reference: referenceOf(error) };
  const text = JSON.stringify(report);
  if (sent.has(text) || sent.size >= most) return;
  sent.add(text);
  // A broken page load counts once for a remote, however many errors follow: the first whose version is known, as a script
  // that throws while it loads is reported before its remote counts as loaded.
  const first = version !== undefined && !sent.has(remote);
  if (first) sent.add(remote);
  // The page may be about to close, and nobody waits for the response.
  fetch('/page-errors', { method: 'POST', body: JSON.stringify({ ...report, first }), keepalive: true }).catch(
    (failure: unknown) => console.warn('An error could not be reported', failure),
  );
}

/** Reports uncaught errors; skips events without an error, such as a browser's note about layouts. */
export function reportUncaught(): void {
  const report = (error: unknown): void => {
    if (error instanceof Error) reportError(error, { kind: 'broken' });
  };
  addEventListener('error', ({ error }) => report(error));
  addEventListener('unhandledrejection', ({ reason }) => report(reason));
}
