import type { Medicine } from './medicine.ts';

type Named = Pick<Medicine, 'medicineId' | 'name' | 'manufacturer'>;

const namesOf = ({ medicineId, name, manufacturer }: Named): readonly [string, string, string] => [
  name,
  `${name}, ${manufacturer}`,
  `${name}, ${manufacturer}, ${medicineId}`,
];

/**
 * Names by which buttons of different medicines can be told apart when they are only heard: a shared name is followed by the
 * manufacturer, and where that is shared, too, by the pharmacy's number.
 *
 * @returns by the pharmacy's number
 */
export function distinctNames(medicines: readonly Named[]): ReadonlyMap<string, string> {
  const all = medicines.map(namesOf);
  return new Map(
    medicines.map((medicine, place) => {
      const isOwn = (name: string, at: number) => !all.some((other, index) => index !== place && other[at] === name);
      const names = namesOf(medicine);
      return [medicine.medicineId, names.find(isOwn) ?? names[2]];
    }),
  );
}
