import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { HistoryEvent } from '@clinic/service-kit';
import type { OrderStatus } from '@clinic/svc-pharmacy/contract/transitions';
import type { Db, MongoClient } from 'mongodb';
import { stockUnlikeMovements } from '../support/moved-stock.ts';
import type { Ledger } from './ledger.ts';

/** Milliseconds for which gateways may show a list differently after a change. */
const agreeWithin = 1_000;

type Fields = Readonly<Record<string, unknown>>;

/** Initial stock, by the medicine's number. */
export async function readStock(client: MongoClient): Promise<Map<string, number>> {
  const medicines = await client
    .db('pharmacy')
    .collection('medicines')
    .find({}, { projection: { medicineId: 1, quantity: 1 } })
    .toArray();
  return new Map(medicines.map(({ medicineId, quantity }) => [String(medicineId), Number(quantity)]));
}

/**
 * Checks the databases at the end.
 *
 * @returns a description of each broken promise; empty if all were kept
 */
export async function brokenPromises(
  client: MongoClient,
  ledger: Ledger,
  stockBefore: ReadonlyMap<string, number>,
): Promise<string[]> {
  const [clinic, pharmacy] = [client.db('clinic'), client.db('pharmacy')];
  return [
    ...(await appointmentsAsAnswered(clinic, ledger)),
    ...(await slotsOnce(clinic)),
    ...(await ordersAsAnswered(pharmacy, ledger)),
    ...(await stockIsBooked(pharmacy, ledger, stockBefore)),
    ...(await stockUnlikeMovements(pharmacy)),
    ...(await historyWhole(clinic, pharmacy)),
  ];
}

/** @returns lists that gateways show differently although nothing has changed for a second */
export async function gatewaysAgree(urls: readonly string[]): Promise<string[]> {
  await delay(agreeWithin);
  const lists = await Promise.all(
    ['/medicine', '/doctors'].map(async (path) => {
      const shown = await Promise.all(
        urls.map(async (url) => {
          const answer = await fetch(url + path);
          return { status: answer.status, text: await answer.text() };
        }),
      );
      return { path, agree: shown.every(({ status, text }) => status === 200 && text === shown[0]?.text) };
    }),
  );
  return lists.filter(({ agree }) => !agree).map(({ path }) => `the gateways show different lists at ${path}`);
}

async function appointmentsAsAnswered(db: Db, { appointments }: Ledger): Promise<string[]> {
  const kept = await db
    .collection('appointments')
    .find({ patientEmail: /^chaos/ })
    .toArray();
  const byId = new Map(kept.map((record) => [record._id.toHexString(), record]));
  const wrong = [...appointments].flatMap(([id, { slots, statuses }]) => {
    const record = byId.get(id);
    if (!record) return [`appointment ${id} was acknowledged but is missing`];
    const slot = `${String(record['date'])} ${String(record['time'])}`;
    if (!slots.has(slot)) return [`appointment ${id} is on ${slot}, acknowledged was ${[...slots].join(' or ')}`];
    return statuses.has(record['status'] as never)
      ? []
      : [`appointment ${id} is ${String(record['status'])}, acknowledged was ${[...statuses].join(' or ')}`];
  });
  // Every booking was retried until it was answered, so more than were acknowledged means duplicates.
  return kept.length === appointments.size
    ? wrong
    : [...wrong, `${kept.length} appointments were made, ${appointments.size} acknowledged`];
}

async function slotsOnce(db: Db): Promise<string[]> {
  const held = await db
    .collection('appointments')
    .find({ status: { $in: ['Pending', 'Confirmed'] } })
    .toArray();
  const slots = Map.groupBy(held, ({ doctorEmail, date, time }) => [doctorEmail, date, time].join(' '));
  return [...slots]
    .filter(([, records]) => records.length > 1)
    .map(([slot, { length }]) => `${slot} is booked ${length} times`);
}

async function ordersAsAnswered(db: Db, { orders }: Ledger): Promise<string[]> {
  const kept = await db
    .collection('orders')
    .find({ customerEmail: /^chaos/ })
    .toArray();
  const byId = new Map(kept.map((record) => [record._id.toHexString(), record]));
  const wrong = [...orders].flatMap(([id, { statuses }]) => {
    const status = byId.get(id)?.['status'] as OrderStatus | undefined;
    if (status === undefined) return [`order ${id} was acknowledged but is missing`];
    return statuses.has(status) ? [] : [`order ${id} is ${status}, acknowledged was ${[...statuses].join(' or ')}`];
  });
  return kept.length === orders.size
    ? wrong
    : [...wrong, `${kept.length} orders were made, ${orders.size} acknowledged`];
}

/** Stock equals the initial stock, plus restocks, plus or minus adjustments, minus sales. */
async function stockIsBooked(db: Db, ledger: Ledger, before: ReadonlyMap<string, number>): Promise<string[]> {
  const medicines = await db.collection('medicines').find().toArray();
  const orders = await db
    .collection('orders')
    .find({ customerEmail: /^chaos/, status: { $ne: 'Cancelled' } })
    .toArray();
  const events = await db
    .collection<HistoryEvent>('events')
    .find({ action: { $in: ['restocked', 'adjusted'] } })
    .toArray();
  return medicines.flatMap(({ _id, medicineId, quantity }) => {
    const number = String(medicineId);
    const unitsOf = (action: string) =>
      events
        .filter((event) => event.action === action && event.record.id === _id.toHexString())
        .reduce(
          (sum, { before: from, after: to }) =>
            sum + Number((to as Fields)['quantity']) - Number((from as Fields)['quantity']),
          0,
        );
    const came = unitsOf('restocked');
    const sold = orders
      .flatMap(({ items }) => items as { medicineId: string; quantity: number }[])
      .filter((item) => item.medicineId === number)
      .reduce((sum, item) => sum + item.quantity, 0);
    const expected = (before.get(number) ?? 0) + came + unitsOf('adjusted') - sold;
    const acknowledged = ledger.restocked.get(number) ?? 0;
    return [
      ...(quantity === expected ? [] : [`${number}: ${String(quantity)} on the shelf, ${expected} by the books`]),
      ...(came >= acknowledged && came <= acknowledged + (ledger.maybeRestocked.get(number) ?? 0)
        ? []
        : [`${number}: ${came} units came in according to the history, ${acknowledged} were acknowledged`]),
    ];
  });
}

/**
 * Each record's changes form one chain: every change starts from the result of the previous one, and the last one
 * matches the record.
 */
async function historyWhole(clinic: Db, pharmacy: Db): Promise<string[]> {
  const wrong: string[] = [];
  for (const [db, type, collection, fields] of [
    [clinic, 'appointment', 'appointments', ['status', 'date', 'time']],
    [pharmacy, 'order', 'orders', ['status']],
    [pharmacy, 'medicine', 'medicines', ['quantity', 'status']],
  ] as const) {
    const events = await db
      .collection<HistoryEvent>('events')
      .find({ 'record.type': type })
      .sort({ at: 1, _id: 1 })
      .toArray();
    const chains = Map.groupBy(events, ({ record }) => record.id);
    for (const record of await db.collection(collection).find().toArray()) {
      const id = record._id.toHexString();
      const chain = chains.get(id);
      // Demo records have no history before their first change.
      if (!chain) continue;
      const end = follow(chain);
      if (!end) wrong.push(`the history of ${type} ${id} has a gap`);
      else if (fields.some((field) => field in end && end[field] !== record[field]))
        wrong.push(`the history of ${type} ${id} ends with ${JSON.stringify(end)}, which it is not`);
    }
  }
  return wrong;
}

/** @returns the fields after the last change; `undefined` if a change doesn't start from the previous result */
function follow(chain: readonly HistoryEvent[]): Fields | undefined {
  let now: Record<string, unknown> = {};
  for (const { before, after } of chain) {
    for (const [field, value] of Object.entries((before ?? {}) as Fields))
      if (field in now && !isDeepStrictEqual(now[field], value)) return undefined;
    now = { ...now, ...(after as Fields) };
  }
  return now;
}
