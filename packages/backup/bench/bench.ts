// Measures time and memory of backup, verify and restore: `npm run bench -w @clinic/backup -- 100000`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeKey } from '../src/encryption.ts';
import { startServer } from '@clinic/mongo-embedded';
import { MongoClient } from 'mongodb';

const records = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'clinic-backup-bench-'));
const main = join(import.meta.dirname, '../src/main.ts');
const key = await makeKey();
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** Half appointments, half events about them, with sizes and indexes like the services'. */
async function fill(client: MongoClient): Promise<void> {
  const [appointments, events] = [
    client.db('clinic').collection('appointments'),
    client.db('clinic').collection('events'),
  ];
  await appointments.createIndexes([
    { key: { doctorEmail: 1, date: 1, time: 1 } },
    { key: { patientEmail: 1, date: 1 } },
    { key: { status: 1, date: 1, _id: 1 } },
  ]);
  await events.createIndexes([
    { key: { 'record.type': 1, 'record.id': 1, at: -1, _id: -1 } },
    { key: { at: -1, _id: -1 } },
    { key: { people: 1, at: -1, _id: -1 } },
  ]);
  for (let done = 0; done < records / 2; done += 1000) {
    const numbers = Array.from({ length: Math.min(1000, records / 2 - done) }, (_, n) => done + n);
    await appointments.insertMany(
      numbers.map((n) => ({
        patientName: `Patient ${n}`,
        patientEmail: `patient${n % 5000}@mail.example`,
        age: n % 90,
        address: `${n} Long Road, Dhaka`,
        number: `+880 1555 ${n}`,
        date: `2026-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`,
        time: '10:00 AM',
        doctorEmail: `doctor${n % 40}@clinic.example`,
        status: ['Pending', 'Confirmed', 'Cancelled'][n % 3],
        createdAt: new Date(1.7e12 + n * 1000),
      })),
    );
    await events.insertMany(
      numbers.map((n) => ({
        record: { type: 'appointment', id: n.toString(16).padStart(24, '0') },
        action: 'booked',
        at: new Date(1.7e12 + n * 1000),
        by: { id: `${n % 5000}`, email: `patient${n % 5000}@mail.example`, role: 'patient' },
        people: [`patient${n % 5000}@mail.example`, `doctor${n % 40}@clinic.example`],
        before: null,
        after: { status: 'Pending', date: '2026-12-01', time: '10:00 AM' },
        requestId: `${n}-${n}-${n}`,
      })),
    );
  }
}

/** Runs the command and prints its duration and peak memory. */
async function measure(name: string, args: readonly string[], uri: string): Promise<void> {
  const began = performance.now();
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_OPTIONS: process.env['NODE_OPTIONS'],
      MONGODB_URI: uri,
      BACKUP_RECIPIENTS: key.recipient,
      BACKUP_IDENTITY: key.identity,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  let peak = 0;
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const watch = setInterval(() => {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
    peak = Math.max(peak, Number(line?.[1] ?? 0) * 1024);
  }, 50);
  const code = await new Promise((resolve) => {
    child.on('exit', (status) => {
      clearInterval(watch);
      resolve(status);
    });
  });
  if (code !== 0) throw new Error(output);
  console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s, ${megabytes(peak)} of memory`);
}

const [source, target] = [
  await startServer({ port: 0, dataDir: join(folder, 'a') }),
  await startServer({ port: 0, dataDir: join(folder, 'b') }),
];
const client = new MongoClient(source.uri);
try {
  await fill(client);
  const file = join(folder, 'bench.backup.age');
  await measure('backup including read-back', ['backup', file], source.uri);
  await measure('verify', ['verify', file], source.uri);
  await measure('restore including comparison', ['restore', file], target.uri);
  console.log(
    `${records.toLocaleString('en')} records, file ${megabytes(statSync(file).size)}, data file ${megabytes(statSync(join(folder, 'a', 'clinic.sqlite')).size)}`,
  );
} finally {
  await client.close();
  await Promise.all([source.close(), target.close()]);
  rmSync(folder, { recursive: true, force: true });
}
