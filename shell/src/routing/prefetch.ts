import type { Pages } from './pages.ts';

/**
 * Loads a page when somebody points at its link or focuses it, so that the click needs no request.
 *
 * @returns a function that stops it
 */
export function prefetchOnIntent(pages: Pages): () => void {
  const onIntent = ({ target }: Event): void => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link.origin !== location.origin || link.pathname === location.pathname) return;
    pages.prefetch(link.pathname)?.catch((error: unknown) => console.warn('A page could not be prefetched', error));
  };
  const events = ['pointerover', 'focusin', 'touchstart'] as const;
  for (const event of events) document.addEventListener(event, onIntent, { passive: true });
  return () => {
    for (const event of events) document.removeEventListener(event, onIntent);
  };
}
