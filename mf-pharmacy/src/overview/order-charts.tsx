import { formatOrderTotal, toMinor } from '@clinic/app-kit';
import type { OrderReport } from '@clinic/svc-pharmacy/contract/reports';
import { toMajor } from '@clinic/contracts/money';
import { addUp, bucketsOf, ChartPanel, Figures, RankChart, type Series } from '@clinic/ui/charts';
import { TimeChart } from '@clinic/ui/time-chart';

const orderSeries: readonly Series[] = [
  { key: 'kept', label: 'Orders', hue: 'main' },
  { key: 'cancelled', label: 'Cancelled', hue: 'third' },
];
const revenueSeries: readonly Series[] = [{ key: 'minor', label: 'Revenue', hue: 'main' }];
const unitSeries: readonly Series[] = [{ key: 'quantity', label: 'Units', hue: 'main' }];

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
/** '৳1.5K', with the clinic's sign: an axis has no room for more. */
const shortAmount = (minor: number): string => formatOrderTotal(0).replace('0.00', compact.format(toMajor(minor)));

/** Orders and revenue over time, and best sellers. */
export function OrderCharts({ report }: { readonly report: OrderReport }) {
  const { totals } = report;
  const { orders, byStatus } = totals;
  const empty = orders === 0 && 'There were no orders in this period.';
  const shown: Shown = { report, days: daysOf(report), empty };
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

function daysOf({ from, to, byDay }: OrderReport) {
  return addUp(
    bucketsOf(from, to),
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
  /** Shown if there were no orders. */
  readonly empty: string | false;
}

function OrdersChart({ report, days, empty }: Shown) {
  return (
    <TimeChart
      of="Orders"
      period={report}
      bars={days}
      series={orderSeries}
      empty={empty}
      columns={[
        { header: 'All', value: ({ values }) => values.all },
        { header: 'Cancelled', value: ({ values }) => values.cancelled },
      ]}
    />
  );
}

function RevenueChart({ report, days, empty }: Shown) {
  return (
    <TimeChart
      of="Revenue"
      period={report}
      bars={days}
      series={revenueSeries}
      empty={empty}
      format={formatOrderTotal}
      formatMark={shortAmount}
      fractions
      columns={[
        {
          header: 'Revenue',
          value: ({ values }) => toMajor(values.minor),
          text: ({ values }) => formatOrderTotal(values.minor),
        },
      ]}
    />
  );
}

function BestSellers({ report: { topMedicines, from, to } }: Shown) {
  return (
    <ChartPanel
      wide
      title="Best sellers"
      rows={topMedicines}
      empty={topMedicines.length === 0 && 'Nothing was sold in this period.'}
      fileName={`sold-most-${from}-to-${to}`}
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
