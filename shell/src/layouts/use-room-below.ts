import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** Height covered at the lower edge of the window; the end of the page and dialogs stay above it (`base.css`, `dialogs.css`). */
const property = '--ui-notified';

/** Pixels to leave between the last used element and what covered it. */
const distance = 16;

/** Elements that people press or type into. */
const control = 'button, a[href], input, select, textarea, label, summary';

/**
 * Keeps notifications at the lower edge from covering what people need: the page can be scrolled further, dialogs end above
 * them, and the last used element scrolls out from under them.
 *
 * @param shown - changes when there is more or less to show
 */
export function useRoomBelow(region: RefObject<HTMLElement | null>, shown: readonly unknown[]): void {
  const used = useRef<Element>(null);
  useEffect(() => {
    // Not every browser focuses a button that is pressed.
    const remember = ({ target }: Event): void => {
      used.current = target instanceof Element ? target.closest(control) : null;
    };
    for (const event of ['pointerdown', 'focusin']) document.addEventListener(event, remember, true);
    return () => {
      for (const event of ['pointerdown', 'focusin']) document.removeEventListener(event, remember, true);
    };
  }, []);

  useLayoutEffect(() => {
    const element = region.current;
    if (!element || shown.length === 0) return;
    const { style } = document.documentElement;
    const makeRoom = (): void => {
      style.setProperty(property, `${Math.ceil(element.getBoundingClientRect().height)}px`);
      uncover(element, used.current);
    };
    makeRoom();
    // A form that is cleared becomes shorter, for example, which moves its button under the message. And the space may
    // change a moment later: with reduced motion each style change is a very short transition.
    const observer = typeof ResizeObserver === 'function' ? new ResizeObserver(makeRoom) : undefined;
    observer?.observe(document.body, { box: 'border-box' });
    // Behind a dialog messages are shorter: their buttons are hidden.
    observer?.observe(element);
    return () => {
      observer?.disconnect();
      style.removeProperty(property);
    };
  }, [region, shown]);
}

function uncover(cover: HTMLElement, used: Element | null): void {
  if (!used?.isConnected || cover.contains(used)) return;
  const own = used.getBoundingClientRect();
  const over = [...cover.querySelectorAll('.ui-alert')]
    .map((one) => one.getBoundingClientRect())
    .filter((one) => own.bottom > one.top && own.top < one.bottom && own.right > one.left && own.left < one.right);
  if (over.length === 0) return;
  const page = used.closest('dialog') ?? document.scrollingElement;
  page?.scrollBy({ top: own.bottom - Math.min(...over.map(({ top }) => top)) + distance, behavior: 'instant' });
}
