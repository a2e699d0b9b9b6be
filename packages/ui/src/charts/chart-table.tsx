import type { ChartColumn } from './chart-column.ts';
import { inEnglish } from './series.ts';

interface ChartTableProps<Row> {
  readonly title: string;
  readonly columns: readonly ChartColumn<Row>[];
  readonly rows: readonly Row[];
  /** Visually hidden; screen readers still have it. */
  readonly hidden: boolean;
}

/** The figures behind a chart. */
export function ChartTable<Row>({ title, columns, rows, hidden }: ChartTableProps<Row>) {
  const table = (
    <table className="ui-table">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr>
          {columns.map(({ header }, place) => (
            <th key={header} scope="col" data-align={place === 0 ? undefined : alignOf(columns, rows, place)}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, line) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows are identified by position only
          <tr key={line}>
            {columns.map((column, place) =>
              place === 0 ? (
                <th key={column.header} scope="row">
                  {textOf(column, row)}
                </th>
              ) : (
                <td key={column.header} data-align={alignOf(columns, rows, place)}>
                  {textOf(column, row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (hidden) return <div className="sr-only">{table}</div>;
  if (rows.length === 0) return <p className="ui-chart-empty">Nothing to show.</p>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <section className="ui-chart-table" aria-label={`${title}, table`} tabIndex={0}>
      {table}
    </section>
  );
}

function textOf<Row>({ value, text }: ChartColumn<Row>, row: Row): string {
  if (text) return text(row);
  const plain = value(row);
  return typeof plain === 'number' ? inEnglish(plain) : plain;
}

/** Numbers are right-aligned. */
function alignOf<Row>(columns: readonly ChartColumn<Row>[], rows: readonly Row[], place: number): 'end' | undefined {
  const [first] = rows;
  return first !== undefined && typeof columns[place]?.value(first) === 'number' ? 'end' : undefined;
}
