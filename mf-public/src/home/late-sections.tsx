import { ErrorState } from '@clinic/ui';
import { useCallback, useEffect, useRef, useState, type ComponentProps, type ComponentType } from 'react';
import { areSectionsInHtml, carryFrom, SectionsAlive, SectionsInHtml, sectionsInHtml } from './sections-in-html.tsx';

/** Milliseconds until the sections load for somebody who doesn't scroll, so that a search in the page finds them. */
const idleMs = 3_000;

/** Milliseconds that the first rendering waits for the sections, if the page's HTML has them. */
const patienceMs = 2_000;

type Loaded = ComponentProps<typeof SectionsAlive> | { readonly failed: true };

const loadSections = () => import(/* webpackChunkName: "home-lower" */ './lower-sections.tsx');

let atHand: ComponentType | undefined;

/**
 * Loads the sections before the page is rendered beside HTML that has them: otherwise they would be copied, and rendered in a
 * step of their own. If they don't come, {@link LateSections} tries again.
 */
export async function prepareLateSections(): Promise<void> {
  if (!areSectionsInHtml()) return;
  const loaded = loadSections().then(
    ({ LowerSections }) => void (atHand = LowerSections),
    (error: unknown) => console.warn('The rest of the home page could not be loaded yet', error),
  );
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
}

/**
 * Sections that nobody sees at first: they load when the visitor comes within a screen of them, or after a moment. What the
 * page's HTML has of them is shown until then, and stays if they don't load.
 */
export function LateSections() {
  const [Sections] = useState(() => atHand);
  return Sections ? <Sections /> : <LoadedSections />;
}

function LoadedSections() {
  const place = useRef<HTMLDivElement>(null);
  const [inHtml] = useState(sectionsInHtml);
  const [loaded, setLoaded] = useState<Loaded>();
  // React.lazy would keep a failure until the page is reloaded.
  const load = useCallback((): void => {
    loadSections().then(
      ({ LowerSections }) =>
        setLoaded({ Sections: LowerSections, carryOver: carryFrom(place.current?.firstElementChild ?? null) }),
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
  if (loaded && 'Sections' in loaded) return <SectionsAlive {...loaded} />;
  const asHtml = inHtml.length > 0;
  const failure = asHtml ? 'Parts of this page don’t work right now' : 'We couldn’t load the rest of this page';
  return (
    <>
      {(asHtml || !loaded) && (
        <div ref={place} aria-busy={!loaded} className={asHtml ? undefined : 'min-h-dvh'}>
          <SectionsInHtml nodes={inHtml} onSubmit={load} />
        </div>
      )}
      {loaded && <ErrorState title={failure} onRetry={load} />}
    </>
  );
}
