import { knownLabel } from '@clinic/contracts/known-words';
import { Link } from '@clinic/app-kit';
import type { StockReport } from '@clinic/svc-pharmacy/contract/reports';
import { StatusBadge, type Tone } from '@clinic/ui';
import { ChartPanel, RankChart, type Series } from '@clinic/ui/charts';
import { countsOf, describeRisk, medicinesAtRisk, riskLabels, type Risk } from './stock-at-risk.ts';

const series: readonly Series[] = [{ key: 'count', label: 'Medicines', hue: 'second' }];
const tones: Readonly<Record<Risk, Tone>> = {
  expired: 'red',
  outOfStock: 'red',
  nearExpiry: 'yellow',
  lowStock: 'yellow',
};

/** Medicines listed in the chart; the table has the rest. */
const mostListed = 6;

/** What is low or out of stock, expires soon or has expired; as of today, whatever the period. */
export function StockCharts({ report }: { readonly report: StockReport }) {
  const counts = countsOf(report);
  const medicines = medicinesAtRisk(report);
  const none = medicines.length === 0 && 'Nothing needs attention.';
  return (
    <div className="ui-charts">
      <ChartPanel
        title="Medicines at risk"
        summary={`Of ${report.medicines.toLocaleString('en')} in the inventory, today.`}
        rows={counts}
        empty={none}
        fileName={`stock-at-risk-${report.today}`}
        columns={[
          { header: 'Risk', value: ({ label }) => label },
          { header: 'Medicines', value: ({ count }) => count },
        ]}
      >
        <RankChart
          rows={counts.map(({ risk, label, count }) => ({ key: risk, name: label, values: { count } }))}
          series={series}
        />
      </ChartPanel>
      <ChartPanel
        title="Needs attention first"
        rows={medicines}
        empty={none}
        fileName={`medicines-at-risk-${report.today}`}
        columns={[
          { header: 'Medicine', value: ({ name }) => name },
          { header: 'Risk', value: ({ risks }) => risks.map((risk) => knownLabel(riskLabels, risk)).join(', ') },
          { header: 'On hand', value: ({ quantity }) => quantity },
          { header: 'Unit', value: ({ unit }) => unit },
          { header: 'Expiry', value: ({ expiryDate }) => expiryDate },
        ]}
      >
        <ul className="ui-list">
          {medicines.slice(0, mostListed).map((medicine) => (
            <li key={medicine.id}>
              <span>
                <Link className="ui-list-title" to={`/dash/medicine?q=${encodeURIComponent(medicine.name)}`}>
                  {medicine.name}
                </Link>
                <span className="ui-hint">{describeRisk(medicine)}</span>
              </span>
              {medicine.risks.slice(0, 1).map((risk) => (
                <StatusBadge key={risk} status={knownLabel(riskLabels, risk)} tone={tones[risk]} />
              ))}
            </li>
          ))}
        </ul>
        {medicines.length > mostListed && (
          <p className="ui-hint">and {medicines.length - mostListed} more in the table</p>
        )}
      </ChartPanel>
    </div>
  );
}
