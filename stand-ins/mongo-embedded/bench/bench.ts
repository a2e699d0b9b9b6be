/**
 * Prints operations per second through the driver for 1 and 16 clients on 1,000 and 100,000 documents, compared with
 * the same rows in raw node:sqlite inside one process. BENCH_SECONDS (default 2) is the time per figure, BENCH_DIR the
 * disk to measure, BENCH_SIZES the numbers of documents, BENCH_JSON a file that the figures are also written to.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { Collection } from 'mongodb';
import { startProcess } from './server-process.ts';
import { measureFsync, measureRaw } from './raw-sqlite.ts';
import { WORKLOAD, appointment } from './workload.ts';
import type { Appointment, Measure } from './workload.ts';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const SIZES = (process.env['BENCH_SIZES'] ?? '1000,100000').split(',').map(Number);
const CLIENTS = [1, 16];

/** Content of the BENCH_JSON file. */
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
  perSecond: number;
  p50: number;
}

/** Keeps `clients` operations in flight for some seconds. */
async function measure(clients: number, operation: (run: number) => Promise<unknown>): Promise<Figure> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + SECONDS * 1000;
  let run = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const began = performance.now();
      await operation(run++);
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  return { perSecond: latencies.length / seconds, p50: latencies[Math.floor(latencies.length / 2)] ?? 0 };
}

async function fill(collection: Collection<Appointment>, size: number): Promise<number> {
  await collection.createIndexes([
    { key: { patient: 1, _id: 1 }, name: 'patient' },
    { key: { createdAt: -1, _id: -1 }, name: 'newest' },
    { key: { slot: 1 }, name: 'slot', unique: true, partialFilterExpression: { status: 'Pending' } },
  ]);
  const start = performance.now();
  for (let at = 0; at < size; at += 1000) {
    await collection.insertMany(Array.from({ length: 1000 }, (_, index) => appointment(at + index)));
  }
  return size / ((performance.now() - start) / 1000);
}

function line(cells: (string | number)[]): string {
  return cells
    .map((cell, at) =>
      at === 0
        ? String(cell).padEnd(22)
        : (typeof cell === 'number' ? Math.round(cell).toLocaleString('en') : cell).padStart(14),
    )
    .join('');
}

const root = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'mongo-embedded-bench-'));
try {
  const fdatasync = measureFsync(root);
  const kept: Measurements['figures'][number][] = [];
  console.log(`this disk: ${Math.round(fdatasync)} fdatasync/s of 4 KB appends; ${SECONDS} s per figure`);
  const indexLatency = new Map<string, number>();
  for (const size of SIZES) {
    const dataDir = join(root, `server-${size}`);
    mkdirSync(dataDir);
    const server = await startProcess(dataDir);
    const client = new MongoClient(server.uri, { maxPoolSize: 20 });
    try {
      const collection = client.db('bench').collection<Appointment>('appointments');
      const bulk = await fill(collection, size);
      const raw = measureRaw(join(root, `raw-${size}.sqlite`), size, SECONDS);
      console.log(`\n${size.toLocaleString('en')} documents (filled at ${Math.round(bulk).toLocaleString('en')}/s)`);
      console.log(
        line([
          'operations per second',
          ...CLIENTS.map((clients) => `${clients} client${clients > 1 ? 's' : ''}`),
          'p50 ms, 1',
          'raw sqlite',
        ]),
      );
      for (const work of WORKLOAD) {
        const { name } = work;
        const figures: Figure[] = [];
        for (const clients of CLIENTS)
          figures.push(
            await measure(clients, (run) => work.operation({ client, collection, size, run } satisfies Measure)),
          );
        const [one, sixteen] = figures;
        kept.push({
          name,
          size,
          one: one?.perSecond ?? 0,
          sixteen: sixteen?.perSecond ?? 0,
          raw: raw.get(name) ?? 0,
          p50: one?.p50 ?? 0,
        });
        console.log(
          line([name, ...figures.map(({ perSecond }) => perSecond), (one?.p50 ?? 0).toFixed(2), raw.get(name) ?? 0]),
        );
        indexLatency.set(`${name} ${size}`, one?.p50 ?? 0);
      }
    } finally {
      await client.close();
      await server.stop();
    }
  }
  if (process.env['BENCH_JSON'])
    writeFileSync(process.env['BENCH_JSON'], JSON.stringify({ fdatasync, figures: kept } satisfies Measurements));
  console.log('\nmedian latency of 1 client with the most documents over that with the fewest (goal: 1.2 at most)');
  for (const name of ['find by _id', 'find by index', 'sorted page']) {
    const [small, large] = SIZES.map((size) => indexLatency.get(`${name} ${size}`) ?? Number.NaN);
    console.log(line([name, ((large ?? 0) / (small ?? 1)).toFixed(2)]));
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
