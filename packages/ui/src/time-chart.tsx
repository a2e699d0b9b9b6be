import {
  BarChart,
  ChartPanel,
  grainOf,
  timeColumn,
  type BarChartProps,
  type ChartPanelProps,
  type Sum,
} from '@clinic/ui/charts';

// Not shared by the shell: each remote bundles its own copy, so it also works in a shell that is older than this file.

export interface TimeChartProps<Field extends string>
  extends
    Omit<ChartPanelProps<Sum<Field>>, 'title' | 'legend' | 'rows' | 'fileName' | 'children'>,
    Omit<BarChartProps, 'label' | 'points'> {
  /** What is counted, e.g. 'New users': it names the panel and the exported file. */
  readonly of: string;
  /** First and last day, 'yyyy-mm-dd'. */
  readonly period: { readonly from: string; readonly to: string };
  /** Sums by day or week of the period. */
  readonly bars: readonly Sum<Field>[];
}

/** A panel with the bars of a period, by day or, in a long one, by week. Its table has the day or week in front. */
export function TimeChart<Field extends string>({
  of,
  period: { from, to },
  bars,
  series,
  format,
  formatMark,
  fractions,
  columns,
  ...panel
}: TimeChartProps<Field>) {
  const grain = grainOf(from, to);
  const title = `${of} by ${grain}`;
  return (
    <ChartPanel
      {...panel}
      title={title}
      legend={series}
      rows={bars}
      fileName={`${title.toLowerCase().replaceAll(' ', '-')}-${from}-to-${to}`}
      columns={[timeColumn(grain), ...columns]}
    >
      <BarChart {...{ series, format, formatMark, fractions }} label={title} points={bars} />
    </ChartPanel>
  );
}
