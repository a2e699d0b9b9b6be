import { onCLS, onINP, onLCP, type CLSMetric, type INPMetric, type LCPMetric } from 'web-vitals';
import { loadedVersions } from './loaded-versions.ts';
import { ownShell } from './shell-version.ts';

type Measured = LCPMetric | INPMetric | CLSMetric;

interface Vital {
  readonly name: Measured['name'];
  readonly value: number;
  readonly remote: string;
  readonly version: string | undefined;
}

/** The element that a vital is about: the one painted last, the one somebody used, the one that moved most. */
function elementOf({ name, entries }: Measured): Node | null | undefined {
  if (name === 'LCP') return entries.at(-1)?.element;
  if (name === 'INP') return entries.find(({ target }) => target)?.target;
  const [most] = entries.toSorted((a, b) => b.value - a.value);
  return most?.sources.find(({ node }) => node)?.node;
}

/**
 * The owner of an element: a remote, or the shell. A removed element has none, so that no part is blamed for another's.
 */
function ownerOf(node: Node | null | undefined): string {
  const element = node instanceof Element ? node : node?.parentElement;
  if (!element?.isConnected) return 'unknown';
  return element.closest<HTMLElement>('[data-mf]')?.dataset['mf'] ?? 'shell';
}

/**
 * Reports to the gateway the shell and which remotes this page load has used, and how fast it was for the visitor: LCP, INP and CLS,
 * each for the remote whose element it was. Nothing in it says who the visitor is, or what the page shows.
 *
 * @param onPage - subscribes to changes of page
 */
export function reportVisits(onPage: (shown: () => void) => () => void): void {
  const reported = new Set<string>();
  let vitals: Vital[] = [];

  function send(): void {
    const visits = [['shell', ownShell().version] as const, ...loadedVersions]
      .filter(([remote]) => !reported.has(remote))
      .map(([remote, version]) => ({ remote, version }));
    if (visits.length === 0 && vitals.length === 0) return;
    for (const { remote } of visits) reported.add(remote);
    const body = JSON.stringify({ visits, vitals });
    vitals = [];
    // The page may be about to close, and nobody waits for the response.
    fetch('/page-visits', { method: 'POST', body, keepalive: true }).catch((failure: unknown) =>
      console.warn('A visit could not be reported', failure),
    );
  }
  function measured(metric: Measured): void {
    const remote = ownerOf(elementOf(metric));
    const version = remote === 'shell' ? ownShell().version : loadedVersions.get(remote);
    vitals.push({ name: metric.name, value: metric.value, remote, version });
  }

  onLCP(measured);
  onINP(measured);
  onCLS(measured);
  // After the library's own listeners, which measure when the page is hidden.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') send();
  });
  onPage(send);
  send();
}
