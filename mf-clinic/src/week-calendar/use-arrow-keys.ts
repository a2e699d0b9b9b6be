import { useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react';

/** What makes an element a stop of the arrow keys; see `useArrowKeys`. */
export type Item = Readonly<Partial<Record<'data-item' | 'data-column' | 'data-minute', string | number>>>;

const itemsOf = (grid: HTMLElement): HTMLElement[] => [...grid.querySelectorAll<HTMLElement>('[data-item]')];
const columnOf = ({ dataset }: HTMLElement): number => Number(dataset['column']);
const minuteAt = ({ dataset }: HTMLElement): number => Number(dataset['minute']);

/** The item that an arrow key leads to: earlier or later on the same day, or at about the same time on the next day that has any. */
function neighbour(items: readonly HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined {
  const column = items.filter((one) => columnOf(one) === columnOf(from)).toSorted((a, b) => minuteAt(a) - minuteAt(b));
  const at = column.indexOf(from);
  switch (key) {
    case 'ArrowDown':
      return column[at + 1];
    case 'ArrowUp':
      return column[at - 1];
    case 'Home':
      return column[0];
    case 'End':
      return column.at(-1);
    case 'ArrowLeft':
    case 'ArrowRight': {
      const step = key === 'ArrowLeft' ? -1 : 1;
      const beyond = items.filter((one) => (columnOf(one) - columnOf(from)) * step > 0);
      const next = Math.min(...beyond.map((one) => Math.abs(columnOf(one) - columnOf(from))));
      const distance = (one: HTMLElement): number => Math.abs(minuteAt(one) - minuteAt(from));
      return beyond
        .filter((one) => Math.abs(columnOf(one) - columnOf(from)) === next)
        .toSorted((a, b) => distance(a) - distance(b))[0];
    }
    default:
      return undefined;
  }
}

/**
 * Makes the calendar one stop of the tab key: arrow keys lead from item to item (ARIA Authoring Practices, roving tabindex).
 * Items have `data-item` with a name, `data-column` and `data-minute`.
 */
export function useArrowKeys(grid: RefObject<HTMLElement | null>) {
  const active = useRef<string>(undefined);

  // After every render: React doesn't know which item is the stop, and items come and go.
  useLayoutEffect(() => {
    if (!grid.current) return;
    const items = itemsOf(grid.current);
    const stop = items.find(({ dataset }) => dataset['item'] === active.current) ?? items[0];
    for (const item of items) item.tabIndex = item === stop ? 0 : -1;
  });

  return {
    onFocus: ({ target }: { readonly target: EventTarget }): void => {
      const item = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-item]') : null;
      if (!item || !grid.current) return;
      active.current = item.dataset['item'];
      for (const other of itemsOf(grid.current)) other.tabIndex = other === item ? 0 : -1;
    },
    onKeyDown: (event: KeyboardEvent): void => {
      const { target, key } = event;
      if (!grid.current || !(target instanceof HTMLElement) || target.dataset['item'] === undefined) return;
      const next = neighbour(itemsOf(grid.current), target, key);
      if (!next) return;
      event.preventDefault();
      next.focus();
    },
  };
}
