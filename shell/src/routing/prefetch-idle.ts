import type { Pages } from './pages.ts';

/** Milliseconds that a page is left alone before anything is loaded ahead: what it shows itself comes first. */
export const restMs = 3_000;

/** What the browser knows of the visitor's network (Network Information API, Chromium only). */
interface NetworkInformation {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** Somebody who pays for each megabyte, or waits long for it, gets what was asked for and no more. */
function mayLoadAhead(): boolean {
  const { connection } = navigator as Navigator & { readonly connection?: NetworkInformation };
  return connection === undefined || (connection.saveData !== true && (connection.effectiveType ?? '4g') === '4g');
}

/** A phone's menu is folded: what is in it comes when somebody touches it. */
const isShown = (link: HTMLElement): boolean => link.checkVisibility();

/** Safari has no idle callbacks; after the rest a timer is as good. */
const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
  else setTimeout(work, 1);
};

/**
 * Loads the remotes' pages of the menus that can be seen, one after the other, once the visitor reads and nothing else is to be done:
 * the click then needs no request.
 *
 * @param onPage - tells of each page that is shown from now on; returns a function that ends it
 * @returns a function that ends it
 */
export function prefetchWhenIdle(pages: Pages, onPage: (shown: () => void) => () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let round = 0;

  async function loadAll(mine: number): Promise<void> {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('nav[aria-label] a[href]')) {
      if (mine !== round || document.visibilityState !== 'visible' || !navigator.onLine || !mayLoadAhead()) return;
      if (link.origin !== location.origin || link.pathname === location.pathname || !isShown(link)) continue;
      // What can't be had now is asked for again, and told of, when somebody goes there.
      await pages.prefetch(link.pathname, 'unasked')?.catch((error: unknown) => console.warn('A page could not be loaded ahead', error));
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
