import { BarChart, ChartPanel, grainOf, timeColumn, type ChartColumn, type Series, type Sum } from '@clinic/ui/charts';
import type { ReactNode } from 'react';

// Not shared by the shell: each remote bundles its own copy, so it also works in a shell that is older than this file.

export interface TimeChartProps<Field extends string> {
  /** What is counted, e.g. 'New users': it names the panel and the exported file. */
  readonly of: string;
  /** First and last day, 'yyyy-mm-dd'. */
  readonly period: { readonly from: string; readonly to: string };
  /** Sums by day or week of the period. */
  readonly bars: readonly Sum<Field>[];
  /** From the axis up. */
  readonly series: readonly Series[];
  /** Columns of the table beside the day or week. */
  readonly columns: readonly ChartColumn<Sum<Field>>[];
  /** What the chart shows, in a sentence. */
  readonly summary?: ReactNode;
  /** Shown instead of the chart if there is no data. */
  readonly empty?: string | false;
  /** Full width of the section. */
  readonly wide?: boolean;
  /** Formats a value; counts need no format. */
  readonly format?: (value: number) => string;
  /** Formats an axis mark, shorter than a value. */
  readonly formatMark?: (value: number) => string;
  /** The values aren't counts: the axis may have fractional marks. */
  readonly fractions?: boolean;
}

/** A panel with the bars of a period, by day or, in a long one, by week. */
export function TimeChart<Field extends string>({
  of,
  period: { from, to },
  bars,
  series,
  columns,
  summary,
  empty,
  wide,
  ...formats
}: TimeChartProps<Field>) {
  const grain = grainOf(from, to);
  const title = `${of} by ${grain}`;
  return (
    <ChartPanel
      title={title}
      summary={summary}
      legend={series}
      rows={bars}
      empty={empty}
      wide={wide}
      fileName={`${title.toLowerCase().replaceAll(' ', '-')}-${from}-to-${to}`}
      columns={[timeColumn(grain), ...columns]}
    >
      <BarChart label={title} points={bars} series={series} {...formats} />
    </ChartPanel>
  );
}
