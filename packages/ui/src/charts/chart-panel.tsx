import { Button, Card } from '@clinic/ui';
import { useState, type ReactNode } from 'react';
import type { ChartColumn } from './chart-column.ts';
import { ChartTable } from './chart-table.tsx';
import { saveFile } from '../save-file.ts';
import { toCsv } from '../csv.ts';
import type { Series } from './series.ts';
import type { Bucket, Grain } from './spans.ts';

export interface ChartPanelProps<Row> {
  readonly title: string;
  /** What the chart shows, in a sentence. */
  readonly summary?: ReactNode;
  /** Legend of the colours. */
  readonly legend?: readonly Series[];
  /** The figures behind the chart; the first column says what a row is about. */
  readonly columns: readonly ChartColumn<Row>[];
  readonly rows: readonly Row[];
  /** Name of the exported file, without extension. */
  readonly fileName: string;
  /** Shown instead of the chart if there is no data. */
  readonly empty?: string | false;
  /** Full width of the section. */
  readonly wide?: boolean;
  /** The chart. */
  readonly children: ReactNode;
}

/** The column with a row's day or week; a spreadsheet gets the first day as a date it can calculate with. */
export function timeColumn(grain: Grain): ChartColumn<Bucket> {
  return { header: grain === 'day' ? 'Day' : 'Week', value: ({ from }) => from, text: ({ name }) => name };
}

/** A chart with its figures: as a table, which screen readers always have, and as a file. */
export function ChartPanel<Row>({
  title,
  summary,
  legend = [],
  columns,
  rows,
  fileName,
  empty = false,
  wide = false,
  children,
}: ChartPanelProps<Row>) {
  const [asTable, setAsTable] = useState(false);
  const save = (): void =>
    saveFile(
      toCsv([columns.map(({ header }) => header), ...rows.map((row) => columns.map(({ value }) => value(row)))]),
      `${fileName}.csv`,
      'text/csv',
    );
  const other = asTable ? 'Show as chart' : 'Show as table';
  return (
    <Card as="section" className="ui-chart-panel" aria-label={title} data-wide={wide || undefined}>
      <header className="ui-chart-head">
        <div>
          <h3 className="ui-chart-title">{title}</h3>
          {summary && <p className="ui-chart-summary">{summary}</p>}
        </div>
        <div className="ui-chart-actions">
          <Button variant="ghost" size="sm" aria-label={`${other}: ${title}`} onClick={() => setAsTable(!asTable)}>
            {other}
          </Button>
          <Button variant="ghost" size="sm" aria-label={`Export CSV: ${title}`} onClick={save}>
            Export CSV
          </Button>
        </div>
      </header>
      {!asTable && !empty && legend.length > 1 && (
        <ul className="ui-chart-legend" aria-hidden="true">
          {legend.map(({ key, label, hue }) => (
            <li key={key}>
              <i data-hue={hue} className="ui-chart-swatch" />
              {label}
            </li>
          ))}
        </ul>
      )}
      {!asTable && (empty ? <p className="ui-chart-empty">{empty}</p> : children)}
      <ChartTable title={title} columns={columns} rows={rows} hidden={!asTable} />
    </Card>
  );
}
