import { distinctNames } from './distinct-names.ts';

const medicine = (number: number, told: { name?: string; manufacturer?: string } = {}) => ({
  medicineId: `MED-${number}`,
  name: 'Aspirin',
  manufacturer: 'Square',
  ...told,
});

const namesOf = (...medicines: Parameters<typeof distinctNames>[0]): string[] => [...distinctNames(medicines).values()];

test('a name of its own stays as it is', () => {
  expect(namesOf(medicine(1), medicine(2, { name: 'Ibuprofen' }))).toEqual(['Aspirin', 'Ibuprofen']);
});

test('a shared name is followed by who makes it, and if that is shared, too, by the number', () => {
  expect(namesOf(medicine(1), medicine(2), medicine(3, { manufacturer: 'Beximco' }))).toEqual([
    'Aspirin, Square, MED-1',
    'Aspirin, Square, MED-2',
    'Aspirin, Beximco',
  ]);
});
