import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { nextButton } from './visit-row.tsx';

interface RowKeys {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Arrow keys, Home and End go from row to row. Whose row has left the list is taken to the one that was below it, so that a
 * whole day can be worked through without the mouse.
 */
export function useRowKeys(): RowKeys {
  const list = useRef<HTMLDivElement>(null);
  const place = useRef<number>(undefined);
  const buttons = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>(nextButton) ?? [])];
  const placeOfFocus = (): number =>
    buttons().findIndex((button) => button.closest('[data-visit]')?.contains(document.activeElement));

  // After each drawing: the focus is lost only when its button went.
  useEffect(() => {
    const here = placeOfFocus();
    if (here >= 0) place.current = here;
    else if (document.activeElement === document.body && place.current !== undefined) {
      const left = buttons();
      left[Math.min(place.current, left.length - 1)]?.focus();
    } else place.current = undefined;
  });

  function onKeyDown(event: KeyboardEvent): void {
    const here = placeOfFocus();
    const all = buttons();
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || here < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const button = all[Math.max(0, Math.min(to, all.length - 1))];
    place.current = button && all.indexOf(button);
    button?.focus();
  }
  return { list, onKeyDown };
}
