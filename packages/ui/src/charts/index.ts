// Charts and tables of figures. The shell provides this as one lazy module: only pages with figures load it.
import './figures.css';
import './charts.css';

export { BarChart, type BarChartProps, type Point, type Series } from './bar-chart.tsx';
export { ChartPanel, timeColumn, type ChartPanelProps } from './chart-panel.tsx';
export { FiguresSection, Figures, type Figure } from './figures.tsx';
export { RankChart, type RankChartProps, type RankRow } from './rank-chart.tsx';
export { addUp, bucketsOf, grainOf, lengthOf, type Bucket, type Grain, type Sum } from './spans.ts';
export { toCsv } from '../csv.ts';
export type { ChartColumn } from './chart-column.ts';
