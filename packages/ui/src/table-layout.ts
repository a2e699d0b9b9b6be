import { createContext, use, useCallback, useLayoutEffect, useState, type RefObject } from 'react';

/** How a list is laid out: with all columns, more tightly (and some columns folded into others), or as cards. */
export type TableLayout = 'full' | 'compact' | 'cards';

export const TableLayoutContext = createContext<TableLayout>('full');

/** The layout of the list around a cell, for content that differs, e.g. buttons that have room on cards only. */
export function useTableLayout(): TableLayout {
  return use(TableLayoutContext);
}

/** The layout that fits a container. */
export interface Fit {
  readonly layout: TableLayout;
  /** How many of the columns that fold do; the last ones first. */
  readonly folds: number;
  /** The container's width in pixels; 0 before it is measured. */
  readonly width: number;
  /** Reports how wide the table is in the current layout, in pixels. */
  readonly reportWidth: (needed: number) => void;
}

/**
 * Chooses the widest layout that fits a container. Widths are measured rather than configured: what a table needs depends on
 * its content and on the reader's font.
 *
 * @param columns - the table's
 */
export function useFittingLayout(
  container: RefObject<HTMLElement | null>,
  columns: readonly { readonly key: string; readonly foldInto?: string | undefined }[],
): Fit {
  const [width, setWidth] = useState(0);
  // Steps are 0: full, 1: compact, then one more fold each, last: cards. One that didn't fit stays out until there is room for
  // it, whichever rows come next.
  const [needs, setNeeds] = useState<readonly number[]>([]);
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

  const mostFolds = columns.filter(({ foldInto }) => columns.some(({ key }) => key === foldInto)).length;
  const cards = mostFolds + 2;
  let step = 0;
  while (width > 0 && step < cards && (needs[step] ?? 0) > width) step += 1;
  const reportWidth = useCallback(
    (needed: number) => {
      // Measured anew: a table grows with its container and reports first. Rounding can make one that fits a pixel wider.
      const room = container.current?.clientWidth ?? 0;
      if (room > 0 && needed > room + 1)
        setNeeds((before) =>
          Array.from({ length: Math.max(before.length, step + 1) }, (_, at) =>
            at === step ? needed : (before[at] ?? 0),
          ),
        );
    },
    [container, step],
  );
  const layout = step === 0 ? 'full' : step === cards ? 'cards' : 'compact';
  return { layout, folds: Math.max(0, step - 1), width, reportWidth };
}
