import { readStorage, writeStorage } from '@clinic/app-kit/host';
import type { NavigationState } from './navigation.ts';

/** Where this tab stores the scroll position of each of its history entries. */
const storageKey = 'clinic:scroll';

/** Scroll position in pixels, by history entry. */
type Positions = Record<string, number>;

export interface ScrollMemory {
  /** Saves the scroll position of this history entry. */
  readonly leave: (location: NavigationState['location']) => void;
  /** Scrolls a page that is shown now: to where it was left, to the named place, or to the top. */
  readonly arrive: (state: Pick<NavigationState, 'location' | 'action' | 'keepScroll'>) => void;
}

/** Makes pages scroll like documents, which browsers can't do for pages rendered by scripts. */
export function createScrollMemory(): ScrollMemory {
  const positions = JSON.parse(readStorage('sessionStorage', storageKey) ?? '{}') as Positions;
  let shown: NavigationState['location'] | undefined;
  history.scrollRestoration = 'manual';
  addEventListener('pagehide', () => {
    if (shown) leave(shown);
    writeStorage('sessionStorage', storageKey, JSON.stringify(positions));
    // A reloaded page can be scrolled before any script runs.
    history.scrollRestoration = 'auto';
  });
  addEventListener('pageshow', () => {
    history.scrollRestoration = 'manual';
  });

  function leave(location: NavigationState['location']): void {
    positions[nameOf(location)] = scrollY;
  }

  return {
    leave,
    arrive({ location, action, keepScroll }) {
      const before = shown;
      shown = location;
      // Starting or finishing to load doesn't scroll, nor does what isn't shown yet beside the page's HTML.
      if (location === before || keepScroll || followedByBrowser(before, location) || document.getElementById('page'))
        return;
      const position = action === 'POP' ? positions[nameOf(location)] : undefined;
      const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      // Another page appears at once: smooth scrolling through it, as within a page, would only make people dizzy.
      if (position === undefined && target) target.scrollIntoView({ behavior: 'instant' });
      else scrollTo({ top: position ?? 0, behavior: 'instant' });
    },
  };
}

/** Every address that was typed or came from elsewhere has the key 'default': only the address distinguishes them. */
function nameOf({ key, pathname, search }: NavigationState['location']): string {
  return key === 'default' ? pathname + search : key;
}

/** Whether the browser itself followed a plain `#` link and has scrolled already. */
function followedByBrowser(
  before: NavigationState['location'] | undefined,
  { pathname, search, key, hash }: NavigationState['location'],
): boolean {
  return (
    before !== undefined &&
    key === 'default' &&
    hash !== before.hash &&
    pathname === before.pathname &&
    search === before.search
  );
}
