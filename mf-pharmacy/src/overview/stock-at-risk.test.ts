import type { StockReport } from '@clinic/svc-pharmacy/contract/reports';
import { countsOf, describeRisk, medicinesAtRisk } from './stock-at-risk.ts';

const medicine = (name: string, quantity: number, expiryDate: string, unit = 'box') => ({
  _id: name,
  medicineId: name,
  name,
  quantity,
  unit,
  expiryDate,
  status: 'in stock' as const,
});
const list = (count: number, ...first: ReturnType<typeof medicine>[]) => ({ count, first });
const aspirin = medicine('Aspirin', 0, '2026-11-01');
const insulin = medicine('Insulin', 4, '2026-12-01', 'ml');

const report: StockReport = {
  today: '2026-11-21',
  timeZone: 'Asia/Dhaka',
  medicines: 40,
  lowStock: list(21, medicine('Zinc', 3, '2027-05-01'), insulin),
  outOfStock: list(1, aspirin),
  nearExpiry: list(1, insulin),
  expired: list(1, aspirin),
};

test('a medicine is listed once with all its risks, most urgent first', () => {
  expect(medicinesAtRisk(report).map(({ name, risks }) => [name, risks])).toEqual([
    ['Aspirin', ['expired', 'outOfStock']],
    ['Insulin', ['nearExpiry', 'lowStock']],
    ['Zinc', ['lowStock']],
  ]);
});

test('risks include the medicines that the report doesn’t name', () => {
  expect(countsOf(report).map(({ label, count }) => [label, count])).toEqual([
    ['Expired', 1],
    ['Out of stock', 1],
    ['Expires soon', 1],
    ['Low stock', 21],
  ]);
});

test('the remaining stock is put in words', () => {
  expect(medicinesAtRisk(report).map(describeRisk)).toEqual([
    'expired Nov 1, 2026, none left',
    'until Dec 1, 2026, 4 ml left',
    '3 boxes left',
  ]);
});
