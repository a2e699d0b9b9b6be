import { createContext, use, useCallback, useLayoutEffect, useState, type RefObject } from 'react';

/** How a list is laid out: with all columns, with some folded into others, or as cards. */
export type TableLayout = 'full' | 'compact' | 'cards';

export const TableLayoutContext = createContext<TableLayout>('full');

/** The layout of the list around a cell, for content that differs, e.g. buttons that have room on cards only. */
export function useTableLayout(): TableLayout {
  return use(TableLayoutContext);
}

/** The layout that fits a container. */
export interface Fit {
  readonly layout: TableLayout;
  /** The container's width in pixels; 0 before it is measured. */
  readonly width: number;
  /** Reports how wide the table is in the current layout, in pixels. */
  readonly reportWidth: (needed: number) => void;
}

/** Widths of a table that didn't fit, by layout. A layout stays out until there is room for it, whichever rows come next. */
type Needs = Readonly<Partial<Record<TableLayout, number>>>;

const order: readonly TableLayout[] = ['full', 'compact', 'cards'];

/**
 * Chooses the widest layout that fits a container. Widths are measured rather than configured: what a table needs depends on
 * its content and on the reader's font.
 *
 * @param columns - the table's; `compact` is left out if none of them folds
 */
export function useFittingLayout(
  container: RefObject<HTMLElement | null>,
  columns: readonly { readonly key: string; readonly foldInto?: string | undefined }[],
): Fit {
  const [width, setWidth] = useState(0);
  const [needs, setNeeds] = useState<Needs>({});
  const mounted = container.current !== null;
  useLayoutEffect(() => {
    const element = container.current;
    // jsdom doesn't measure.
    if (!element || typeof ResizeObserver !== 'function') return undefined;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
    // `mounted`: error and empty states have no container.
  }, [container, mounted]);

  const folds = columns.some(({ foldInto }) => foldInto !== undefined);
  const layout =
    order.find((one) => (one !== 'compact' || folds) && (width === 0 || (needs[one] ?? 0) <= width)) ?? 'cards';
  const reportWidth = useCallback(
    (needed: number) => {
      // Rounding can make a table that fits a pixel wider.
      if (width > 0 && needed > width + 1) setNeeds((before) => ({ ...before, [layout]: needed }));
    },
    [width, layout],
  );
  return { layout, width, reportWidth };
}
