/** Milliseconds after the page has loaded; its largest paint is long over by then. */
const restMs = 4_000;

/** Of the page's own request, in milliseconds: a network that takes longer isn't fast. */
const fastMs = 100;

/** Of a fast network, Mbit/s. */
const fastRate = 5;

/** What the browser knows about the visitor's network (Network Information API, Chromium only). */
interface NetworkInformation {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
  readonly downlink?: number;
}

/** Whether what nobody asked for yet costs the visitor nothing. */
function isFast(): boolean {
  const { connection = {} } = navigator as Navigator & { readonly connection?: NetworkInformation };
  const { saveData = false, effectiveType = '4g', downlink = fastRate } = connection;
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return (
    !saveData &&
    effectiveType === '4g' &&
    downlink >= fastRate &&
    visit !== undefined &&
    visit.responseStart - visit.requestStart < fastMs &&
    !matchMedia('(prefers-reduced-data: reduce)').matches
  );
}

/** Runs work well after the page has been painted, if the network is fast and data isn't saved. */
export function whenIdle(work: () => void): void {
  const rest = (): void => {
    if (document.visibilityState !== 'visible' || !isFast()) return;
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
    else work();
  };
  const wait = (): void => void setTimeout(rest, restMs);
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
}
