/**
 * `npm run bench -- database`: writes operations per second through the driver for 1 and 16 clients, and the same rows in raw
 * node:sqlite inside one process, as JSON to stdout. Its arguments are an empty folder on the disk to measure, the seconds
 * per figure and the numbers of documents.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { Collection } from 'mongodb';
import { startProcess } from '../src/testing/harness.ts';
import { measureFsync, measureRaw } from './raw-sqlite.ts';
import { WORKLOAD, appointment } from './workload.ts';
import type { Appointment, Measure } from './workload.ts';

const [root = '', seconds = '', ...sizes] = process.argv.slice(2);

/** What is written. */
export interface Measurements {
  /** 4 KB appends that the disk confirms per second. */
  readonly fdatasync: number;
  readonly figures: readonly {
    readonly name: string;
    readonly size: number;
    /** Operations per second with one client, with sixteen, and in raw SQLite. */
    readonly one: number;
    readonly sixteen: number;
    readonly raw: number;
    /** Milliseconds with one client. */
    readonly p50: number;
  }[];
}

interface Figure {
  readonly perSecond: number;
  readonly p50: number;
}

/** Keeps `clients` operations in flight for some seconds. */
async function measure(clients: number, operation: (run: number) => Promise<unknown>): Promise<Figure> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + Number(seconds) * 1000;
  let run = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const began = performance.now();
      await operation(run++);
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const perSecond = (latencies.length * 1000) / (performance.now() - start);
  latencies.sort((a, b) => a - b);
  return { perSecond, p50: latencies[Math.floor(latencies.length / 2)] ?? 0 };
}

async function fill(collection: Collection<Appointment>, size: number): Promise<void> {
  await collection.createIndexes([
    { key: { patient: 1, _id: 1 }, name: 'patient' },
    { key: { createdAt: -1, _id: -1 }, name: 'newest' },
    { key: { slot: 1 }, name: 'slot', unique: true, partialFilterExpression: { status: 'Pending' } },
  ]);
  for (let at = 0; at < size; at += 1000) {
    await collection.insertMany(Array.from({ length: 1000 }, (_, index) => appointment(at + index)));
  }
}

const fdatasync = measureFsync(root);
const figures: Measurements['figures'][number][] = [];
for (const size of sizes.map(Number)) {
  const dataDir = join(root, `server-${size}`);
  mkdirSync(dataDir);
  const server = await startProcess(dataDir);
  const client = new MongoClient(server.uri, { maxPoolSize: 20 });
  try {
    const collection = client.db('bench').collection<Appointment>('appointments');
    await fill(collection, size);
    const raw = measureRaw(join(root, `raw-${size}.sqlite`), size, Number(seconds));
    for (const work of WORKLOAD) {
      const { name } = work;
      const act = (run: number) => work.operation({ client, collection, size, run } satisfies Measure);
      const one = await measure(1, act);
      const sixteen = await measure(16, act);
      figures.push({
        name,
        size,
        one: one.perSecond,
        sixteen: sixteen.perSecond,
        raw: raw.get(name) ?? 0,
        p50: one.p50,
      });
    }
  } finally {
    await client.close();
    await server.stop();
  }
}
process.stdout.write(JSON.stringify({ fdatasync, figures } satisfies Measurements));
