import type { ReactNode } from 'react';
import { EmptyState, type EmptyStateProps } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { CardSkeleton, Skeleton } from './skeleton.tsx';
import { useMedia } from './use-media.ts';

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  /** What a row is about: its row header, and the title of its card. One column has it. */
  readonly primary?: boolean;
  /** Buttons: at the foot of a card, header for screen readers only. */
  readonly actions?: boolean;
  /** Only in one of the two shapes, e.g. a status that is read in the table and edited on the card. */
  readonly only?: 'table' | 'card';
}

export interface DataTableProps<Row> {
  /** What the table lists; for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Absent while the first load is under way. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly loading?: boolean;
  /** What failed, e.g. 'Error loading users'. Rows that are already there stay. */
  readonly error?: string;
  readonly errorText?: ReactNode;
  readonly onRetry?: () => void;
  readonly empty: EmptyStateProps;
  /** Width below which rows become cards: `md` 768 px, `lg` 1024 px (specification section 4). */
  readonly cardsBelow?: 'md' | 'lg';
  /** A card's whole content, where the columns' list isn't right. */
  readonly card?: (row: Row) => ReactNode;
}

const narrow = { md: '(width < 48rem)', lg: '(width < 64rem)' } as const;

/** A list as table on wide screens and as cards on narrow ones, with its loading, error and empty states. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, loading = rows === undefined, error, errorText, onRetry, empty, cardsBelow = 'md' } = props;
  const asCards = useMedia(narrow[cardsBelow]);
  const hasRows = rows !== undefined && rows.length > 0;
  if (error !== undefined && !hasRows && !loading) return <div className="ui-card"><ErrorState title={error} text={errorText} onRetry={onRetry} /></div>;
  if (!hasRows && !loading) return <div className="ui-card"><EmptyState {...empty} /></div>;
  return (
    <div aria-busy={loading} className="ui-table-region">
      {loading && <output className={hasRows ? 'sr-only' : 'ui-loading'}>Loading...</output>}
      {error !== undefined && <ErrorState title={error} text={errorText} onRetry={onRetry} />}
      {asCards ? <Cards {...props} /> : <Table {...props} />}
    </div>
  );
}

const placeholders = ['a', 'b', 'c', 'd', 'e'];

function Table<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  const shown = columns.filter((column) => column.only !== 'card');
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a table wider than its frame must scroll by keyboard too
    <section className="ui-table-frame" aria-label={caption} tabIndex={0}>
      <table className="ui-table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {shown.map(({ key, header, align, actions }) => (
              <th key={key} scope="col" data-align={align}>{actions ? <span className="sr-only">{header}</span> : header}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => (
            <tr key={rowKey(row)}>
              {shown.map(({ key, cell, align, primary }) =>
                primary ? <th key={key} scope="row" data-align={align}>{cell(row)}</th> : <td key={key} data-align={align}>{cell(row)}</td>,
              )}
            </tr>
          ))}
          {!rows?.length && placeholders.map((place) => (
            <tr key={place} aria-hidden="true">{shown.map(({ key }) => <td key={key}><Skeleton className="ui-skeleton-line" /></td>)}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cards<Row>({ caption, columns, rows, rowKey, card }: DataTableProps<Row>) {
  const shown = columns.filter((column) => column.only !== 'table');
  if (!rows?.length) return <div className="ui-cards">{placeholders.slice(2).map((place) => <CardSkeleton key={place} />)}</div>;
  return (
    <ul className="ui-cards" aria-label={caption}>
      {rows.map((row) => (
        <li key={rowKey(row)} className="ui-card">
          {card ? card(row) : (
            <>
              {shown.filter((column) => column.primary).map(({ key, cell }) => <div key={key} className="ui-card-title">{cell(row)}</div>)}
              <dl className="ui-details">
                {shown.filter((column) => !column.primary && !column.actions).map(({ key, header, cell }) => (
                  <div key={key}><dt>{header}</dt><dd>{cell(row)}</dd></div>
                ))}
              </dl>
              {shown.filter((column) => column.actions).map(({ key, cell }) => <div key={key} className="ui-card-actions">{cell(row)}</div>)}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
