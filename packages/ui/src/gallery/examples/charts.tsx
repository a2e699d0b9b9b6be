import { BarChart, ChartPanel, FiguresSection, RankChart, type RankRow, type Series } from '../../charts/index.ts';
import { longText, nothing, type Examples } from '../example.ts';

const series: readonly Series[] = [
  { key: 'confirmed', label: 'Confirmed', hue: 'main' },
  { key: 'cancelled', label: 'Cancelled', hue: 'third' },
];
const doctors: readonly RankRow[] = [
  { key: '1', name: 'Dr. Mei Tanaka', detail: 'Paediatrics', values: { confirmed: 24, cancelled: 3 } },
  { key: '2', name: longText, values: { confirmed: 2, cancelled: 1 } },
];

/** Figures and charts, which only pages with figures load. */
export const charts = {
  BarChart: {
    Empty: () => <BarChart label="Appointments of nobody" points={[]} series={series} />,
  },
  RankChart: {
    'Long text': () => <RankChart rows={doctors} series={series} />,
  },
  ChartPanel: {
    Empty: () => (
      <ChartPanel title="Orders by day" rows={[]} fileName="orders" empty="No orders in these days." columns={[]}>
        {null}
      </ChartPanel>
    ),
  },
  FiguresSection: {
    Loading: () => <FiguresSection title="Orders" onRetry={nothing} />,
    Error: () => <FiguresSection title="Sales" error="The pharmacy is unavailable." onRetry={nothing} />,
  },
} satisfies Examples;
