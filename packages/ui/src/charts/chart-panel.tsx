import { Button, Card } from '@clinic/ui';
import { useState, type ReactNode } from 'react';
import { ChartTable } from './chart-table.tsx';
import { saveCsv, toCsv } from './csv.ts';
import type { Series } from './series.ts';
import type { Bucket, Grain } from './spans.ts';

export interface ChartColumn<Row> {
  readonly header: string;
  /** As a spreadsheet gets it. */
  readonly value: (row: Row) => string | number;
  /** As people read it; unless told, the value itself. */
  readonly text?: (row: Row) => string;
}

export interface ChartPanelProps<Row> {
  readonly title: string;
  /** What there is to see, in a sentence. */
  readonly summary?: ReactNode;
  /** What the colours mean. */
  readonly legend?: readonly Series[];
  /** The figures behind the picture; the first column says what a row is about. */
  readonly columns: readonly ChartColumn<Row>[];
  readonly rows: readonly Row[];
  /** Of the exported file, without its ending. */
  readonly fileName: string;
  /** Said in the picture's place when there is nothing to draw. */
  readonly empty?: string | false;
  /** As wide as the section. */
  readonly wide?: boolean;
  /** The picture. */
  readonly children: ReactNode;
}

/** The column that says which day or week a row is about; a spreadsheet gets the first day as it can compute with it. */
export function timeColumn(grain: Grain): ChartColumn<Bucket> {
  return { header: grain === 'day' ? 'Day' : 'Week', value: ({ from }) => from, text: ({ name }) => name };
}

/** A picture of figures with the figures themselves: as a table, which screen readers always have, and as a file. */
export function ChartPanel<Row>({ title, summary, legend = [], columns, rows, fileName, empty = false, wide = false, children }: ChartPanelProps<Row>) {
  const [asTable, setAsTable] = useState(false);
  const save = (): void => saveCsv(toCsv([columns.map(({ header }) => header), ...rows.map((row) => columns.map(({ value }) => value(row)))]), `${fileName}.csv`);
  const other = asTable ? 'Show as chart' : 'Show as table';
  return (
    <Card as="section" className="ui-chart-panel" aria-label={title} data-wide={wide || undefined}>
      <header className="ui-chart-head">
        <div>
          <h3 className="ui-chart-title">{title}</h3>
          {summary && <p className="ui-chart-summary">{summary}</p>}
        </div>
        <div className="ui-chart-actions">
          <Button variant="ghost" size="sm" aria-label={`${other}: ${title}`} onClick={() => setAsTable(!asTable)}>{other}</Button>
          <Button variant="ghost" size="sm" aria-label={`Export CSV: ${title}`} onClick={save}>Export CSV</Button>
        </div>
      </header>
      {!asTable && !empty && legend.length > 1 && (
        <ul className="ui-chart-legend" aria-hidden="true">
          {legend.map(({ key, label, hue }) => <li key={key}><i data-hue={hue} className="ui-chart-swatch" />{label}</li>)}
        </ul>
      )}
      {!asTable && (empty ? <p className="ui-chart-empty">{empty}</p> : children)}
      <ChartTable title={title} columns={columns} rows={rows} hidden={!asTable} />
    </Card>
  );
}
