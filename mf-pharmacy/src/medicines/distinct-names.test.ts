import { distinctNames } from './distinct-names.ts';

const medicine = (number: number, told: { name?: string; manufacturer?: string; expiryDate?: string } = {}) => ({
  medicineId: `MED-${number}`,
  name: 'Aspirin',
  manufacturer: 'Square',
  unit: 'strip',
  priceMinor: 250,
  expiryDate: '2030-01-31',
  ...told,
});

const namesOf = (...medicines: Parameters<typeof distinctNames>[0]): string[] => [...distinctNames(medicines).values()];

test('a name of its own stays as it is', () => {
  expect(namesOf(medicine(1), medicine(2, { name: 'Ibuprofen' }))).toEqual(['Aspirin', 'Ibuprofen']);
});

test('a shared name is followed by what differs, and nothing else', () => {
  expect(namesOf(medicine(1), medicine(2, { manufacturer: 'Beximco' }))).toEqual([
    'Aspirin, Square',
    'Aspirin, Beximco',
  ]);
  expect(namesOf(medicine(1), medicine(2, { expiryDate: '2031-02-28' }))).toEqual([
    'Aspirin, expires Jan 31, 2030',
    'Aspirin, expires Feb 28, 2031',
  ]);
});

test('those that look the same are told apart by their numbers', () => {
  expect(namesOf(medicine(1), medicine(2), medicine(3, { manufacturer: 'Beximco' }))).toEqual([
    'Aspirin, Square, MED-1',
    'Aspirin, Square, MED-2',
    'Aspirin, Beximco',
  ]);
});
