import {
  addUp,
  BarChart,
  bucketsOf,
  ChartPanel,
  Figures,
  FiguresSection,
  RankChart,
  timeColumn,
  type RankRow,
  type Series,
} from '../../charts/index.ts';
import { ReportSection } from '../../report-section.tsx';
import { TimeChart } from '../../time-chart.tsx';
import type { Examples } from '../example.ts';
import { longText, nothing } from '../example.ts';

const series: readonly Series[] = [
  { key: 'confirmed', label: 'Confirmed', hue: 'main' },
  { key: 'cancelled', label: 'Cancelled', hue: 'third' },
];
const buckets = bucketsOf('2026-11-10', '2026-11-23');
const days = addUp(
  buckets,
  buckets.map(({ from }, place) => ({ date: from, confirmed: (place * 5) % 7, cancelled: place % 3 })),
  ['confirmed', 'cancelled'],
);
const columns = [{ header: 'Confirmed', value: ({ values }: (typeof days)[number]) => values.confirmed }];
const doctors: readonly RankRow[] = [
  { key: '1', name: 'Dr. Mei Tanaka', detail: 'Paediatrics', values: { confirmed: 24, cancelled: 3 } },
  { key: '2', name: longText, values: { confirmed: 2, cancelled: 1 } },
];

/** Figures and charts, which only pages with figures load. */
export const charts = {
  BarChart: {
    Default: () => <BarChart label="Appointments by day" points={days} series={series} />,
    Empty: () => <BarChart label="Appointments of nobody" points={[]} series={series} />,
  },
  RankChart: {
    Default: () => <RankChart rows={doctors} series={series} />,
  },
  ChartPanel: {
    Default: () => (
      <ChartPanel
        title="Appointments by day"
        summary="What is booked for each day."
        legend={series}
        rows={days}
        fileName="appointments"
        columns={[timeColumn('day'), ...columns]}
      >
        <BarChart label="Appointments, with their table" points={days} series={series} />
      </ChartPanel>
    ),
    Empty: () => (
      <ChartPanel title="Orders by day" rows={[]} fileName="orders" empty="No orders in these days." columns={[]}>
        {null}
      </ChartPanel>
    ),
  },
  TimeChart: {
    Default: () => (
      <TimeChart
        of="Visits"
        period={{ from: '2026-11-10', to: '2026-11-23' }}
        bars={days}
        series={series}
        columns={columns}
      />
    ),
  },
  Figures: {
    Default: () => (
      <Figures
        figures={[
          { label: 'Appointments', value: '134', icon: 'calendar' },
          { label: 'Sales', value: '৳12,345.60', hint: 'without cancelled orders', icon: 'pill' },
        ]}
      />
    ),
  },
  FiguresSection: {
    Loading: () => <FiguresSection title="Orders" onRetry={nothing} />,
    Error: () => <FiguresSection title="Sales" error="The pharmacy is unavailable." onRetry={nothing} />,
  },
  ReportSection: {
    Default: () => (
      <ReportSection
        title="Visits"
        report={{ data: 24, error: null, isPlaceholderData: false, refetch: async () => undefined }}
      >
        {(visits) => <Figures figures={[{ label: 'Today', value: String(visits) }]} />}
      </ReportSection>
    ),
  },
} satisfies Examples;
