import { formatOrderTotal, toMinor } from '@clinic/app-kit';
import type { OrderReport } from '@clinic/contracts';
import { toMajor } from '@clinic/contracts/money';
import {
  addUp,
  BarChart,
  bucketsOf,
  ChartPanel,
  Figures,
  grainOf,
  RankChart,
  timeColumn,
  type Series,
} from '@clinic/ui/charts';

const orderSeries: readonly Series[] = [
  { key: 'kept', label: 'Orders', hue: 'main' },
  { key: 'cancelled', label: 'Cancelled', hue: 'third' },
];
const revenueSeries: readonly Series[] = [{ key: 'minor', label: 'Revenue', hue: 'main' }];
const unitSeries: readonly Series[] = [{ key: 'quantity', label: 'Units', hue: 'main' }];

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
/** '৳1.5K': an axis has no room for more. */
const shortAmount = (minor: number): string => `৳${compact.format(toMajor(minor))}`;

/** Orders and revenue over time, and best sellers. */
export function OrderCharts({ report }: { readonly report: OrderReport }) {
  const { totals } = report;
  const { orders, byStatus } = totals;
  const grain = grainOf(report.from, report.to);
  const empty = orders === 0 && 'There were no orders in this period.';
  const shown: Shown = { report, days: daysOf(report, grain), grain, span: `${report.from}-to-${report.to}`, empty };
  return (
    <>
      <Figures
        figures={[
          { label: 'Orders', value: orders.toLocaleString('en'), icon: 'package' },
          {
            label: 'Revenue',
            value: formatOrderTotal(toMinor(totals.revenue)),
            hint: 'without cancelled orders',
            icon: 'cart',
          },
          { label: 'Waiting to be shipped', value: byStatus.pending.toLocaleString('en'), icon: 'clock' },
          { label: 'Cancelled', value: byStatus.Cancelled.toLocaleString('en'), icon: 'x-circle' },
        ]}
      />
      <div className="ui-charts">
        <OrdersChart {...shown} />
        <RevenueChart {...shown} />
        <BestSellers {...shown} />
      </div>
    </>
  );
}

function daysOf({ from, to, byDay }: OrderReport, grain: ReturnType<typeof grainOf>) {
  return addUp(
    bucketsOf(from, to, grain),
    byDay.map(({ date, orders: all, cancelled, revenue }) => ({
      date,
      all,
      kept: all - cancelled,
      cancelled,
      minor: toMinor(revenue),
    })),
    ['all', 'kept', 'cancelled', 'minor'],
  );
}

interface Shown {
  readonly report: OrderReport;
  readonly days: ReturnType<typeof daysOf>;
  readonly grain: ReturnType<typeof grainOf>;
  /** For file names. */
  readonly span: string;
  /** Shown if there were no orders. */
  readonly empty: string | false;
}

function OrdersChart({ days, grain, span, empty }: Shown) {
  return (
    <ChartPanel
      title={`Orders by ${grain}`}
      legend={orderSeries}
      rows={days}
      empty={empty}
      fileName={`orders-by-${grain}-${span}`}
      columns={[
        timeColumn(grain),
        { header: 'All', value: ({ values }) => values.all },
        { header: 'Cancelled', value: ({ values }) => values.cancelled },
      ]}
    >
      <BarChart label={`Orders by ${grain}`} points={days} series={orderSeries} />
    </ChartPanel>
  );
}

function RevenueChart({ days, grain, span, empty }: Shown) {
  return (
    <ChartPanel
      title={`Revenue by ${grain}`}
      rows={days}
      empty={empty}
      fileName={`revenue-by-${grain}-${span}`}
      columns={[
        timeColumn(grain),
        {
          header: 'Revenue',
          value: ({ values }) => toMajor(values.minor),
          text: ({ values }) => formatOrderTotal(values.minor),
        },
      ]}
    >
      <BarChart
        label={`Revenue by ${grain}`}
        points={days}
        series={revenueSeries}
        format={formatOrderTotal}
        formatMark={shortAmount}
        fractions
      />
    </ChartPanel>
  );
}

function BestSellers({ report: { topMedicines }, span }: Shown) {
  return (
    <ChartPanel
      wide
      title="Best sellers"
      rows={topMedicines}
      empty={topMedicines.length === 0 && 'Nothing was sold in this period.'}
      fileName={`sold-most-${span}`}
      summary={topMedicines.length > 0 && 'Units in orders that weren’t cancelled.'}
      columns={[
        { header: 'Medicine', value: ({ name }) => name },
        { header: 'Units', value: ({ quantity }) => quantity },
        {
          header: 'Revenue',
          value: ({ revenue }) => revenue,
          text: ({ revenue }) => formatOrderTotal(toMinor(revenue)),
        },
      ]}
    >
      <RankChart
        rows={topMedicines.map(({ medicineId, name, quantity }) => ({
          key: medicineId,
          name,
          values: { quantity },
        }))}
        series={unitSeries}
        most={10}
      />
    </ChartPanel>
  );
}
