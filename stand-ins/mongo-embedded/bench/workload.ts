import { ObjectId } from 'mongodb';
import type { Collection, MongoClient } from 'mongodb';

/** A document similar to the clinic's. */
export interface Appointment {
  _id: ObjectId;
  number: number;
  patient: string;
  doctor: string;
  slot: string;
  status: string;
  amount: number;
  createdAt: Date;
  note: string;
}

/** What one operation works with. */
export interface Measure {
  client: MongoClient;
  collection: Collection<Appointment>;
  size: number;
  run: number;
}

/** The _id of document number n of the initial ones. */
export function idOf(number: number): ObjectId {
  return ObjectId.createFromHexString((0x70000000 + number).toString(16).padStart(24, '0'));
}

/** Document number n; each patient has ten. */
export function appointment(number: number): Appointment {
  return {
    _id: idOf(number),
    number,
    patient: `patient${Math.floor(number / 10)}@example.com`,
    doctor: `doctor${number % 50}@example.com`,
    slot: `slot ${number}`,
    status: 'Pending',
    amount: 100,
    createdAt: new Date(1_700_000_000_000 + number * 1000),
    note: 'x'.repeat(120),
  };
}

/** Spreads runs over the documents without a cache-friendly pattern. */
export function spread(run: number, size: number): number {
  return (run * 7919 + 13) % size;
}

let inserted = 10_000_000;

/** The next new document. */
export function nextAppointment(): Appointment {
  inserted += 1;
  return appointment(inserted);
}

const PAGE = 20;

/** The measured operations, by name. */
export const WORKLOAD: { name: string; operation(measure: Measure): Promise<unknown> }[] = [
  {
    name: 'find by _id',
    operation: ({ collection, size, run }) => collection.findOne({ _id: idOf(spread(run, size)) }),
  },
  {
    name: 'find by index',
    operation: ({ collection, size, run }) =>
      collection.find({ patient: appointment(spread(run, size)).patient }).toArray(),
  },
  {
    name: 'sorted page',
    operation: ({ collection, size, run }) => {
      const { createdAt, _id } = appointment(spread(run, size));
      return collection
        .find({ $or: [{ createdAt: { $lt: createdAt } }, { createdAt, _id: { $lt: _id } }] })
        .sort({ createdAt: -1, _id: -1 })
        .limit(PAGE)
        .toArray();
    },
  },
  {
    name: 'update',
    operation: ({ collection, size, run }) =>
      collection.updateOne({ _id: idOf(spread(run, size)) }, { $inc: { amount: 1 } }),
  },
  {
    name: 'transaction',
    operation: ({ client, collection, size, run }) =>
      client.withSession((session) =>
        session.withTransaction(async () => {
          const [from, to] = [spread(run * 2, size), spread(run * 2 + 1, size)];
          await collection.updateOne({ _id: idOf(from) }, { $inc: { amount: -1 } }, { session });
          await collection.updateOne({ _id: idOf(to) }, { $inc: { amount: 1 } }, { session });
        }),
      ),
  },
  { name: 'insert', operation: ({ collection }) => collection.insertOne(nextAppointment()) },
];
