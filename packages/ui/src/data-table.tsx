import { memo, useDeferredValue, useLayoutEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { EmptyState, type EmptyStateProps } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { fixColumns, partsOf } from './long-table.ts';
import { CardSkeleton, Skeleton } from './skeleton.tsx';
import { TableLayoutContext, useFittingLayout, type Fit, type TableLayout } from './table-layout.ts';
import { useMedia } from './use-media.ts';
import { useStickyFilters } from './use-sticky-filters.ts';

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  /** Identifies the row: its row header, and the title of its card. One column has it. */
  readonly primary?: boolean;
  /** Buttons: at the foot of a card; the header is for screen readers only. */
  readonly actions?: boolean;
  /** Shown in one of the two layouts only, e.g. a status that is read in the table and edited on the card. */
  readonly only?: 'table' | 'card';
  /**
   * Key of the column whose cells take in this one's when the container is too narrow for all columns. Give it to values that
   * are read, not to controls.
   */
  readonly foldInto?: string;
  /** Shown before a folded value that doesn't explain itself, e.g. 'Age'. Screen readers always get the header. */
  readonly foldLabel?: string;
}

export interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Absent during the first load. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly loading?: boolean;
  /** What failed, e.g. 'Error loading users'. Rows that are already shown stay. */
  readonly error?: string;
  readonly errorText?: ReactNode;
  readonly onRetry?: () => void;
  readonly empty: EmptyStateProps;
  /**
   * Width of the window below which rows become cards: `md` 768 px, `lg` 1024 px. Above it they also do in a container that is
   * too narrow for the table.
   */
  readonly cardsBelow?: 'md' | 'lg';
  /** The whole content of a card, if the list of columns doesn't suit it. */
  readonly card?: (row: Row) => ReactNode;
}

const narrow = { md: '(width < 48rem)', lg: '(width < 64rem)' } as const;

/**
 * A table where it fits: with all columns, or with some folded into others (`foldInto`); else cards. With loading, error and
 * empty states.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, loading = rows === undefined, error, errorText, onRetry, empty, cardsBelow = 'md' } = props;
  const region = useRef<HTMLDivElement>(null);
  const fit = useFittingLayout(region, props.columns);
  const asCards = useMedia(narrow[cardsBelow]) || fit.layout === 'cards';
  const layout: TableLayout = asCards ? 'cards' : fit.layout;
  useStickyFilters(region);
  // Typing above a long list shows at once; the list renders in the pauses, in parts that leave time for keys and scrolling.
  const drawn = useDeferredValue(props);
  const hasRows = rows !== undefined && rows.length > 0;
  if (error !== undefined && !hasRows && !loading)
    return (
      <div className="ui-card">
        <ErrorState title={error} text={errorText} onRetry={onRetry} />
      </div>
    );
  if (!hasRows && !loading)
    return (
      <div className="ui-card">
        <EmptyState {...empty} />
      </div>
    );
  return (
    <div ref={region} aria-busy={loading} className="ui-table-region">
      {loading && <output className={hasRows ? 'sr-only' : 'ui-loading'}>Loading...</output>}
      {error !== undefined && <ErrorState title={error} text={errorText} onRetry={onRetry} />}
      <TableLayoutContext value={layout}>
        {asCards ? <Cards {...drawn} /> : <Table {...drawn} fit={fit} />}
      </TableLayoutContext>
    </div>
  );
}

const placeholders = ['a', 'b', 'c', 'd', 'e'];

const Table = memo(PlainTable) as typeof PlainTable;

function PlainTable<Row>({ caption, columns, rows = [], rowKey, fit }: DataTableProps<Row> & { readonly fit: Fit }) {
  const compact = fit.layout === 'compact';
  const { folds } = fit;
  const shown = useMemo(() => withFolds(columns, folds), [columns, folds]);
  const parts = useMemo(() => partsOf(rows), [rows]);
  const long = parts.length > 1;
  const table = useRef<HTMLTableElement>(null);
  // Other columns are measured again.
  const columnKeys = shown.map(({ key }) => key).join(' ');
  useLayoutEffect(() => (long && table.current ? fixColumns(table.current) : undefined), [long, columnKeys]);
  useTooWide(table, fit, rows);
  // Explicit roles, for browsers that drop table semantics when styles change the display of rows and cells.
  const roleOf = (role: string) => (long ? role : undefined);
  return (
    <section className="ui-table-frame" aria-label={caption} data-compact={compact || undefined}>
      <table ref={table} className="ui-table" role={roleOf('table')}>
        <caption className="sr-only">{caption}</caption>
        <thead role={roleOf('rowgroup')}>
          <tr role={roleOf('row')}>
            {shown.map(({ key, header, align, actions }) => (
              <th key={key} scope="col" role={roleOf('columnheader')} data-align={align}>
                {actions ? <span className="sr-only">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        {parts.map((part, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- a group is identified by its position in the list
          <tbody key={place} role={roleOf('rowgroup')}>
            {part.map((row) => (
              <TableRow key={rowKey(row)} row={row} columns={shown} long={long} />
            ))}
          </tbody>
        ))}
        {rows.length === 0 && (
          <tbody>
            {placeholders.map((place) => (
              <tr key={place} aria-hidden="true">
                {shown.map(({ key }) => (
                  <td key={key}>
                    <Skeleton className="ui-skeleton-line" />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        )}
      </table>
    </section>
  );
}

/** The table's columns, the last `folds` of those that name another one with `foldInto` in its cells. */
function withFolds<Row>(columns: readonly Column<Row>[], folds: number): readonly Column<Row>[] {
  const all = columns.filter((column) => column.only !== 'card');
  const folding = all.filter(({ foldInto }) => all.some(({ key }) => key === foldInto));
  const folded = new Set(folding.slice(Math.max(0, folding.length - folds)));
  return all
    .filter((column) => !folded.has(column))
    .map((column) => {
      const inside = [...folded].filter(({ foldInto }) => foldInto === column.key);
      if (inside.length === 0) return column;
      return {
        ...column,
        cell: (row: Row) => (
          <>
            {column.cell(row)}
            {inside.map(({ key, header, foldLabel, cell }) => (
              <div key={key} className="ui-folded">
                <span className={foldLabel ? undefined : 'sr-only'}>{foldLabel ?? header}</span> {cell(row)}
              </div>
            ))}
          </>
        ),
      };
    });
}

/** Reports a table that is wider than its frame. */
function useTooWide(table: RefObject<HTMLTableElement | null>, fit: Fit, rows: unknown): void {
  const { width, reportWidth } = fit;
  useLayoutEffect(() => {
    const element = table.current;
    if (!element) return undefined;
    const frame = element.parentElement ?? element;
    // The frame's borders take part of the container's width.
    const check = (): void => reportWidth(element.scrollWidth + frame.offsetWidth - frame.clientWidth);
    check();
    // A font that arrives late widens the columns.
    if (typeof ResizeObserver !== 'function') return undefined;
    const observer = new ResizeObserver(check);
    observer.observe(element);
    return () => observer.disconnect();
  }, [table, reportWidth, width, rows]);
}

interface RowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
}

const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

function PlainTableRow<Row>({ row, columns, long }: RowProps<Row> & { readonly long: boolean }) {
  return (
    <tr role={long ? 'row' : undefined}>
      {columns.map(({ key, cell, align, primary }) =>
        primary ? (
          <th key={key} scope="row" role={long ? 'rowheader' : undefined} data-align={align}>
            {cell(row)}
          </th>
        ) : (
          <td key={key} role={long ? 'cell' : undefined} data-align={align}>
            {cell(row)}
          </td>
        ),
      )}
    </tr>
  );
}

const Cards = memo(PlainCards) as typeof PlainCards;

function PlainCards<Row>({ caption, columns, rows, rowKey, card }: DataTableProps<Row>) {
  const shown = useMemo(() => columns.filter((column) => column.only !== 'table'), [columns]);
  if (!rows?.length)
    return (
      <div className="ui-cards">
        {placeholders.slice(2).map((place) => (
          <CardSkeleton key={place} />
        ))}
      </div>
    );
  return (
    <ul className="ui-cards" aria-label={caption}>
      {rows.map((row) => (
        <RowCard key={rowKey(row)} row={row} columns={shown} card={card} />
      ))}
    </ul>
  );
}

const RowCard = memo(PlainRowCard) as typeof PlainRowCard;

function PlainRowCard<Row>({ row, columns, card }: RowProps<Row> & Pick<DataTableProps<Row>, 'card'>) {
  return (
    <li className="ui-card">
      {card ? (
        card(row)
      ) : (
        <>
          {columns
            .filter((column) => column.primary)
            .map(({ key, cell }) => (
              <div key={key} className="ui-card-title">
                {cell(row)}
              </div>
            ))}
          <dl className="ui-details">
            {columns
              .filter((column) => !column.primary && !column.actions)
              .map(({ key, header, cell }) => (
                <div key={key}>
                  <dt>{header}</dt>
                  <dd>{cell(row)}</dd>
                </div>
              ))}
          </dl>
          {columns
            .filter((column) => column.actions)
            .map(({ key, cell }) => (
              <div key={key} className="ui-card-actions">
                {cell(row)}
              </div>
            ))}
        </>
      )}
    </li>
  );
}
