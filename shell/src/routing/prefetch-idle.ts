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
 * Prefetches the remotes' pages in the visible menus, one after the other, once the visitor reads and the browser is idle:
 * the click then needs no request.
 *
 * @param onPage - subscribes to changes of page; returns a function that ends the subscription
 * @returns a function that stops it
 */
export function prefetchWhenIdle(pages: Pages, onPage: (shown: () => void) => () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let round = 0;

  async function loadAll(mine: number): Promise<void> {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('nav[aria-label] a[href]')) {
      if (mine !== round || document.visibilityState !== 'visible' || !navigator.onLine || !mayLoadAhead()) return;
      if (link.origin !== location.origin || link.pathname === location.pathname || !isShown(link)) continue;
      // What can't be loaded now is requested again, and reported, when somebody goes there.
      await pages
        .prefetch(link.pathname, 'unasked')
        ?.catch((error: unknown) => console.warn('A page could not be prefetched', error));
    }
  }
  function rest(): void {
    round += 1;
    const mine = round;
    clearTimeout(timer);
    timer = setTimeout(() => whenIdle(() => void loadAll(mine)), restMs);
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
