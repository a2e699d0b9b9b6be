import type { RouteObject } from '@clinic/app-kit';
import type { PageHandle } from './page-handle.ts';
import type { Pages } from './pages.ts';

/** Milliseconds before the first prefetch: what the page itself shows comes first. */
export const restMs = 3_000;

/** What the browser knows about the visitor's network (Network Information API, Chromium only). */
interface NetworkInformation {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** People with metered or slow connections get what they asked for and no more. */
function mayLoadAhead(): boolean {
  const { connection } = navigator as Navigator & { readonly connection?: NetworkInformation };
  return connection === undefined || (connection.saveData !== true && (connection.effectiveType ?? '4g') === '4g');
}

/** A phone's menu is collapsed: its pages load when somebody opens it. */
const isShown = (link: HTMLElement): boolean => link.checkVisibility();

/** Safari has no idle callbacks; after the delay a timer does the job. */
const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
  else setTimeout(work, 1);
};

/**
 * The shell's chunks that only remotes' pages use: lists, and in the dashboard also tables and slots. Named as where the
 * shell itself loads them, so that they are the same chunks.
 */
async function loadShellChunks(inDashboard: boolean): Promise<void> {
  await import(/* webpackChunkName: "records" */ '@clinic/app-kit/records');
  if (!inDashboard) return;
  await import(/* webpackChunkName: "tables" */ '@clinic/ui/tables');
  await import(/* webpackChunkName: "slot" */ '../slots/create-slot.tsx');
}

/** Addresses of the files that a remote's page needs; none if it has loaded, or isn't a remote's. */
function filesOf(route: RouteObject | undefined): readonly string[] {
  const { remote, isHere } = (route?.handle ?? {}) as Partial<PageHandle>;
  if (!remote || isHere?.() === true) return [];
  const { baseUrl, entry, hashes, preload, pagePreload, styles } = remote;
  const scripts = entry === undefined ? preload : [entry];
  return [...(hashes ? [hashes.file] : []), ...scripts, ...(pagePreload?.[route?.path ?? ''] ?? []), ...styles].map(
    (file) => baseUrl + file,
  );
}

/** Fills the browser's cache. Files with a hash in their name are fresh for ever, so the page later reads them from there. */
async function fetchToCache(file: string): Promise<void> {
  const response = await fetch(file, { priority: 'low' });
  if (!response.ok) throw new Error(`${file}: ${String(response.status)}`);
  await response.arrayBuffer();
}

/**
 * Fetches the files of the remotes' pages in the visible menus, one page after the other, once the visitor reads and the
 * browser is idle. Their scripts run, and their styles apply, when somebody points at a link: on a page with 1,000 rows
 * they take longer than a frame, and would land in the visitor's scrolling.
 *
 * @param onPage - subscribes to changes of page; returns a function that ends the subscription
 * @returns a function that stops it
 */
export function prefetchWhenIdle(pages: Pick<Pages, 'find'>, onPage: (shown: () => void) => () => void): () => void {
  const fetched = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let round = 0;

  async function fetchOnce(file: string): Promise<void> {
    if (fetched.has(file)) return;
    fetched.add(file);
    try {
      await fetchToCache(file);
    } catch (error) {
      fetched.delete(file);
      throw error;
    }
  }

  async function fetchAll(mine: number): Promise<void> {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('nav[aria-label] a[href]')) {
      if (mine !== round || document.visibilityState !== 'visible' || !navigator.onLine || !mayLoadAhead()) return;
      if (link.origin !== location.origin || link.pathname === location.pathname || !isShown(link)) continue;
      const files = filesOf(pages.find(link.pathname));
      if (files.length === 0) continue;
      // What can't be fetched now is requested again, and reported, when somebody goes there.
      await Promise.all([...files.map(fetchOnce), loadShellChunks(link.pathname.startsWith('/dash'))]).catch(
        (error: unknown) => console.warn('A page could not be prefetched', error),
      );
    }
  }
  function rest(): void {
    round += 1;
    const mine = round;
    clearTimeout(timer);
    timer = setTimeout(() => whenIdle(() => void fetchAll(mine)), restMs);
  }

  if (document.readyState === 'complete') rest();
  else addEventListener('load', rest, { once: true });
  const end = onPage(rest);
  return () => {
    round += 1;
    clearTimeout(timer);
    removeEventListener('load', rest);
    end();
  };
}
