import { ErrorState } from '@clinic/ui';
import { useCallback, useEffect, useRef, useState, type ComponentType } from 'react';

/** Milliseconds until the sections load for somebody who doesn't scroll, so that a search in the page finds them. */
const idleMs = 3_000;

type Loaded = { readonly Sections: ComponentType } | { readonly failed: true };

/** Sections that nobody sees at first: they load when the visitor comes within a screen of them, or after a moment. */
export function LateSections() {
  const place = useRef<HTMLDivElement>(null);
  const [loaded, setLoaded] = useState<Loaded>();
  // React.lazy would keep a failure until the page is reloaded.
  const load = useCallback((): void => {
    import(/* webpackChunkName: "home-lower" */ './lower-sections.tsx').then(
      ({ LowerSections }) => setLoaded({ Sections: LowerSections }),
      (error: unknown) => {
        console.warn('The rest of the home page could not be loaded', error);
        setLoaded({ failed: true });
      },
    );
  }, []);
  useEffect(() => {
    if (!place.current) return undefined;
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && load(), { rootMargin: '100%' });
    near.observe(place.current);
    // The HTML of the page, which this takes the place of, has them (shell/src/start).
    const timer = setTimeout(load, place.current.isConnected ? idleMs : 0);
    return () => {
      near.disconnect();
      clearTimeout(timer);
    };
  }, [load]);
  if (!loaded) return <div ref={place} aria-busy className="min-h-dvh" />;
  if ('failed' in loaded) return <ErrorState title="We couldn’t load the rest of this page" onRetry={load} />;
  return <loaded.Sections />;
}
