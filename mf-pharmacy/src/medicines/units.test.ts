import { medicineUnits } from '@clinic/svc-pharmacy/contract/limits';
import { amountOf } from './units.ts';

test('counts every unit of the pharmacy', () => {
  expect(medicineUnits.map((unit) => amountOf(1, unit))).toEqual([
    '1 box',
    '1 bottle',
    '1 strip',
    '1 piece',
    '1 ml',
    '1 mg',
    '1 tablet',
  ]);
  expect(medicineUnits.map((unit) => amountOf(1_200, unit))).toEqual([
    '1,200 boxes',
    '1,200 bottles',
    '1,200 strips',
    '1,200 pieces',
    '1,200 ml',
    '1,200 mg',
    '1,200 tablets',
  ]);
  expect(amountOf(0, 'box')).toBe('0 boxes');
});
