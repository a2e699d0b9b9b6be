import type { Db } from 'mongodb';

/** @returns a description of each medicine whose quantity isn't the sum of its movements, which are numbered without a gap */
export async function stockUnlikeMovements(pharmacy: Db): Promise<string[]> {
  const rows = await pharmacy.collection('movements').find().sort({ medicine: 1, place: 1 }).toArray();
  const byMedicine = Map.groupBy(rows, ({ medicine }) => String(medicine));
  const medicines = await pharmacy.collection('medicines').find().toArray();
  return medicines.flatMap(({ _id, medicineId, quantity, booked, moves }) => {
    const own = byMedicine.get(String(_id)) ?? [];
    let sum = 0;
    const chained = own.every(({ place, by, quantity: after }, at) => {
      sum += Number(by);
      return place === at + 1 && after === sum;
    });
    if (chained && sum === quantity && sum === booked && own.length === moves) return [];
    return [`${String(medicineId)}: ${String(quantity)} on the shelf, ${sum} by its ${own.length} movements`];
  });
}
