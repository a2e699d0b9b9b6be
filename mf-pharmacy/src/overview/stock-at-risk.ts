import { unitName } from '../medicines/units.ts';
import { formatShortDate } from '@clinic/contracts/clinic-time';
import type { StockReport } from '@clinic/svc-pharmacy/contract/reports';

/** Why a medicine needs attention, most urgent first. */
const risks = ['expired', 'outOfStock', 'nearExpiry', 'lowStock'] as const;
export type Risk = (typeof risks)[number];

export const riskLabels: Readonly<Record<Risk, string>> = {
  expired: 'Expired',
  outOfStock: 'Out of stock',
  nearExpiry: 'Expires soon',
  lowStock: 'Low stock',
};

/** A medicine with all its risks. */
export interface MedicineAtRisk {
  readonly id: string;
  readonly name: string;
  readonly quantity: number;
  readonly unit: string;
  readonly expiryDate: string;
  readonly risks: readonly Risk[];
}

/** The medicines named in a report, each once, most urgent first. */
export function medicinesAtRisk(report: StockReport): MedicineAtRisk[] {
  const found = new Map<string, MedicineAtRisk>();
  for (const risk of risks) {
    for (const { _id, name, quantity, unit, expiryDate } of report[risk].first) {
      const known = found.get(_id);
      found.set(_id, { id: _id, name, quantity, unit, expiryDate, risks: [...(known?.risks ?? []), risk] });
    }
  }
  return [...found.values()];
}

export interface RiskCount {
  readonly risk: Risk;
  readonly label: string;
  readonly count: number;
}

/** Number of medicines for each risk, including those the report doesn't name. */
export function countsOf(report: StockReport): RiskCount[] {
  return risks.map((risk) => ({ risk, label: riskLabels[risk], count: report[risk].count }));
}

/** 'expired Nov 2, 2026, 3 boxes left', 'until Dec 1, 2026, none left': what to know before acting. */
export function describeRisk({ risks: [first], quantity, unit, expiryDate }: MedicineAtRisk): string {
  const left = quantity === 0 ? 'none left' : `${quantity.toLocaleString('en')} ${unitName(quantity, unit)} left`;
  if (first === 'expired') return `expired ${formatShortDate(expiryDate)}, ${left}`;
  if (first === 'nearExpiry') return `until ${formatShortDate(expiryDate)}, ${left}`;
  return left;
}
