/** What a page shows while something of it is still loading; the last are icons without their drawing. */
const loading = '[aria-busy="true"],.ui-skeleton,a[aria-hidden="true"],svg>path:not([d])';

/** The panel in place of a page that couldn't be loaded (`routing/remote-panel.tsx`). */
const unavailable = '[role=alert]:has(> h1)';

/** Milliseconds that a part of the page may take longer than its heading: the others are shown without it. */
const patienceMs = 4_000;

interface Arrival {
  readonly arrived: () => void;
  readonly failed: (reason: unknown) => void;
}

/**
 * Waits until the application has rendered the page, with all that the HTML has: not its skeleton.
 *
 * @param page - the HTML
 * @param root - where the application renders, outside of the document
 * @returns tries again, after a failure
 */
export function whenAppIsThere(page: HTMLElement, root: HTMLElement, { arrived, failed }: Arrival): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(check);

  function end(): void {
    observer.disconnect();
    clearTimeout(timer);
    timer = undefined;
  }

  function arrive(): void {
    end();
    void drawImages(page, root).then(arrived);
  }

  function check(): void {
    if (!root.querySelector('main h1')) return;
    if (root.querySelector(unavailable)) {
      end();
      return failed('the page could not be loaded');
    }
    if (!root.querySelector(loading)) return arrive();
    timer ??= setTimeout(arrive, patienceMs);
  }

  function follow(): void {
    observer.observe(root, { childList: true, subtree: true, attributes: true });
  }

  follow();
  check();
  return () => {
    // Its Retry.
    root.querySelector<HTMLElement>(`${unavailable} button`)?.click();
    follow();
  };
}

/** Prepares the images that are on the screen already, so that none is blank for a frame. */
async function drawImages(page: HTMLElement, root: HTMLElement): Promise<void> {
  const shown = new Set([...page.querySelectorAll('img')].filter(({ complete }) => complete).map(({ src }) => src));
  const images = [...root.querySelectorAll('img')].filter(({ src }) => shown.has(src));
  const drawn = images.map((image) => {
    image.loading = 'eager';
    image.decoding = 'sync';
    // One that can't be drawn isn't drawn in the HTML either.
    return image.decode().catch(() => undefined);
  });
  await Promise.race([Promise.all(drawn), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
}
