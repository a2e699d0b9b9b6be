import { useLayoutEffect, type RefObject } from 'react';

/** Largest part of the window's height that filters may keep. */
const mostOfWindow = 0.2;

/**
 * Keeps the filters above a list in view while it scrolls, if they leave enough room for it (`lists.css`), and tells the
 * table's headings where to stay.
 *
 * @param list - the list, in the same `main` as its filters
 */
export function useStickyFilters(list: RefObject<HTMLElement | null>): void {
  const mounted = list.current !== null;
  useLayoutEffect(() => {
    const bar = list.current?.closest('main')?.querySelector<HTMLElement>('.ui-filter-bar');
    if (!bar || typeof ResizeObserver !== 'function') return undefined;
    const root = document.documentElement;
    const stick = (): void => {
      const height = bar.offsetHeight;
      const fits = height <= innerHeight * mostOfWindow;
      bar.toggleAttribute('data-sticky', fits);
      root.style.setProperty('--ui-filters', fits ? `${bar.offsetHeight}px` : '0px');
    };
    const observer = new ResizeObserver(stick);
    observer.observe(bar);
    addEventListener('resize', stick);
    stick();
    return () => {
      observer.disconnect();
      removeEventListener('resize', stick);
      root.style.removeProperty('--ui-filters');
    };
  }, [list, mounted]);
}
