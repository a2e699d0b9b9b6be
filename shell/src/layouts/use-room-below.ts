import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** How much of the window's lower edge is taken; the page's end and dialogs keep clear of it (`base.css`, `surfaces.css`). */
const property = '--ui-notified';

/** Pixels between what was just used and what came to lie over it. */
const distance = 16;

/** What people press or type into. */
const control = 'button, a[href], input, select, textarea, label, summary';

/**
 * Keeps what lies over the window's lower edge from covering what people need: the page can be scrolled that much further,
 * dialogs end above it, and what was used last moves out from under it.
 *
 * @param shown - another value means that there is more or less to show
 */
export function useRoomBelow(region: RefObject<HTMLElement | null>, shown: readonly unknown[]): void {
  const used = useRef<Element>(null);
  useEffect(() => {
    // Not every browser gives the focus to a button that is pressed.
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
    style.setProperty(property, `${Math.ceil(element.getBoundingClientRect().height)}px`);
    uncover(element, used.current);
    // A form that is cleared, say, becomes shorter, and what was beside the message lies under it. And the room itself may
    // come a moment later: with reduced motion each change of style is a very short transition.
    const observer = typeof ResizeObserver === 'function' ? new ResizeObserver(() => uncover(element, used.current)) : undefined;
    observer?.observe(document.body, { box: 'border-box' });
    return () => {
      observer?.disconnect();
      style.removeProperty(property);
    };
  }, [region, shown]);
}

function uncover(cover: HTMLElement, used: Element | null): void {
  if (!used?.isConnected || cover.contains(used)) return;
  const own = used.getBoundingClientRect();
  const over = [...cover.querySelectorAll('.ui-alert')].map((one) => one.getBoundingClientRect()).filter((one) => own.bottom > one.top && own.top < one.bottom && own.right > one.left && own.left < one.right);
  if (over.length === 0) return;
  const page = used.closest('dialog') ?? document.scrollingElement;
  page?.scrollBy({ top: own.bottom - Math.min(...over.map(({ top }) => top)) + distance, behavior: 'instant' });
}
