import type { Db, MongoClient } from 'mongodb';
import { stockUnlikeMovements } from '../support/moved-stock.ts';

/** Stock before anything happens, by the medicine's number. */
export async function initialStock(pharmacy: Db): Promise<ReadonlyMap<string, number>> {
  const [medicines, orders, events] = await Promise.all([
    pharmacy.collection('medicines').find().toArray(),
    sold(pharmacy),
    restocked(pharmacy),
  ]);
  return new Map(
    medicines.map(({ _id, medicineId, quantity }) => [
      String(medicineId),
      Number(quantity) + (orders.get(String(medicineId)) ?? 0) - (events.get(String(_id)) ?? 0),
    ]),
  );
}

/** Units of each medicine in orders that aren't cancelled. */
async function sold(pharmacy: Db): Promise<ReadonlyMap<string, number>> {
  const units = new Map<string, number>();
  for await (const { items } of pharmacy.collection('orders').find({ status: { $ne: 'Cancelled' } })) {
    for (const { medicineId, quantity } of items as { medicineId: string; quantity: number }[])
      units.set(medicineId, (units.get(medicineId) ?? 0) + quantity);
  }
  return units;
}

/** Units of each medicine added according to the history, by its id. */
async function restocked(pharmacy: Db): Promise<ReadonlyMap<string, number>> {
  const units = new Map<string, number>();
  for await (const { record, before, after } of pharmacy.collection('events').find({ action: 'restocked' })) {
    const { id } = record as { id: string };
    units.set(
      id,
      (units.get(id) ?? 0) +
        Number((after as { quantity: number }).quantity) -
        Number((before as { quantity: number }).quantity),
    );
  }
  return units;
}

/**
 * Finds contradictions within and between the databases. A copy as of one moment has none.
 *
 * @param stock stock before the first order
 * @returns a description of each; empty if all agree
 */
export async function broken(client: MongoClient, stock: ReadonlyMap<string, number>): Promise<string[]> {
  const [clinic, pharmacy, identity] = [client.db('clinic'), client.db('pharmacy'), client.db('identity')];
  const now = await initialStock(pharmacy);
  const wrong = [...now]
    .filter(([medicine, units]) => units !== stock.get(medicine))
    .map(([medicine, units]) => `${medicine}: ${units} units by the books, ${stock.get(medicine)} at the beginning`)
    .concat(await stockUnlikeMovements(pharmacy));
  const appointments = await clinic.collection('appointments').find().toArray();
  const counters = await clinic.collection('appointmentTallies').find().toArray();
  for (const status of ['Pending', 'Confirmed', 'Cancelled']) {
    const [records, counted] = [
      appointments.filter((record) => record['status'] === status).length,
      counters.reduce((sum, counts) => sum + Number(counts[status] ?? 0), 0),
    ];
    if (records !== counted) wrong.push(`${records} appointments are ${status}, ${counted} are counted`);
  }
  // The last change of each record matches the record.
  for (const [db, type, collection] of [
    [clinic, 'appointment', 'appointments'],
    [pharmacy, 'order', 'orders'],
  ] as const) {
    const last = new Map<string, unknown>();
    for await (const { record, after } of db.collection('events').find({ 'record.type': type }).sort({ at: 1, _id: 1 }))
      last.set((record as { id: string }).id, (after as { status?: unknown } | null)?.status);
    const records = new Map(
      (await db.collection(collection).find().toArray()).map(({ _id, status }) => [String(_id), status as unknown]),
    );
    for (const [id, status] of last)
      if (records.get(id) !== status)
        wrong.push(`${type} ${id} is ${String(records.get(id))}, its history ends with ${String(status)}`);
  }
  // People are from the same moment as their actions.
  const emails = new Set((await identity.collection('users').find().toArray()).map(({ email }) => String(email)));
  const strangers = appointments.filter(
    ({ patientEmail }) => String(patientEmail).startsWith('zebediah') && !emails.has(String(patientEmail)),
  );
  return strangers.length > 0 ? [...wrong, `${strangers.length} appointments are of nobody`] : wrong;
}
