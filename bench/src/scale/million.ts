import { spawn } from 'node:child_process';
import path from 'node:path';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { Area, AreaContext } from '../support/area.ts';
import { endWithUs } from '../support/program.ts';
import type { Row } from '../support/results.ts';
import type { Domain } from './domains.ts';
import { latencyRow } from './latency.ts';
import { inOrder, ScaleStack, type Sized } from './stack.ts';

/** Records of every kind that is not a domain's main one. */
const others = 10_000;

/** Milliseconds that a service may take to aggregate a million records for its reports. */
const countedWithin = 600_000;

const backupBench = path.join(import.meta.dirname, '..', '..', '..', 'packages', 'backup', 'bench', 'bench.ts');

const sizeFor = (effort: number): number => (effort < 1 ? 50_000 : 1_000_000);

/** Lists, searches, counts and reports with 1,000,000 users, appointments and orders, an area for each. */
const lists: readonly Area[] = inOrder.map((domain) => ({
  name: `million-${domain.main}`,
  title: `A million ${domain.main} on the embedded engine`,
  within: 900,
  byName: true,
  async run(context) {
    const most = sizeFor(context.effort);
    const stack = await ScaleStack.start(context, undefined);
    // The other services follow identity's feed of changed rights.
    const [identity] = inOrder;
    if (identity && domain !== identity) await stack.empty(identity, 0);
    return {
      how: `The real service with 1,000 and ${most.toLocaleString('en')} ${domain.main} on the embedded engine, indexes built afterwards; one client asks both in turn, medians.`,
      peerName: 'with 1,000',
      rows: await measured(stack, domain, most, context),
      remarks: [
        `"ours" is with ${most.toLocaleString('en')} ${domain.main}, and at most ${others.toLocaleString('en')} of anything else.`,
      ],
    };
  },
}));

const backup: Area = {
  name: 'million-backup',
  title: 'A backup of a million records of each kind',
  within: 900,
  byName: true,
  async run(context) {
    const most = sizeFor(context.effort);
    return {
      how: `Backup, verification and restore of ${most.toLocaleString('en')} records, each in a program of its own.`,
      peerName: 'peer',
      rows: await backedUp(most, context),
    };
  },
};

/** `npm run bench -- million` measures all of them. */
export const million: readonly Area[] = [...lists, backup];

async function measured(stack: ScaleStack, domain: Domain, most: number, { effort, say }: AreaContext): Promise<Row[]> {
  const rows: Row[] = [];
  const sized: Sized[] = [];
  for (const size of [1_000, most]) {
    const { seconds, one } = await filled(stack, domain, size);
    say(
      `${domain.service}: ${size.toLocaleString('en')} ${domain.main}, ${seconds.map((s) => s.toFixed(0)).join(' + ')} s`,
    );
    if (size === most)
      rows.push(
        ...['writing', 'indexing', 'counting for reports'].map((step, at) => ({
          what: `${step} ${size.toLocaleString('en')} ${domain.main}`,
          ours: { value: seconds[at] ?? 0, unit: 's' },
        })),
      );
    sized.push(one);
  }
  const cookie = await stack.cookie();
  for (const question of domain.questions.filter(({ of }) => of === undefined)) {
    const row = await latencyRow(sized, question, cookie, effort);
    say(`${row.what}: ${row.ours.value.toFixed(1)} ms, with 1,000 ${row.peer?.value.toFixed(1)} ms`);
    rows.push(row);
  }
  await stack.stop(sized);
  return rows;
}

/** A service with its records, indexes and report rollups, and how long each took to build. */
async function filled(
  stack: ScaleStack,
  domain: Domain,
  size: number,
): Promise<{ readonly one: Sized; readonly seconds: readonly number[] }> {
  const seconds: number[] = [];
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await work();
    seconds.push((performance.now() - began) / 1_000);
    return result;
  };
  const { program, database } = await stack.empty(domain, size);
  await program.stop();
  const createIndexes = await stack.dropIndexes(database);
  await timed(() => stack.fill({ database, size }, domain, (name) => (name === domain.main ? Infinity : others)));
  await timed(createIndexes);
  // The service rebuilds the rollups of its reports.
  const markers = stack.client.db(database).collection<{ readonly _id: string }>('markers');
  await markers.deleteOne({ _id: 'tallies' });
  const one = await timed(async () => {
    const started = await stack.start(domain, size, database);
    await waitUntil(
      async () => (await markers.findOne({ _id: 'tallies', version: { $exists: true } })) !== null,
      countedWithin,
    );
    return started;
  });
  return { one, seconds };
}

/** Backup, verification and restore, each in its own process. */
async function backedUp(records: number, { say }: AreaContext): Promise<Row[]> {
  const child = spawn(process.execPath, [backupBench, String(records)], { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    say(chunk.toString().trim());
  });
  const code = await new Promise((resolve) => {
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`the backup of ${records} records ended with ${String(code)}`);
  return [...said.matchAll(/^(.+): ([\d.]+) s, (\d+) MB of memory$/gm)].map(([, what = '', seconds, memory]) => ({
    what: `${what}, ${records.toLocaleString('en')} records`,
    ours: { value: Number(seconds), unit: 's' },
    note: `${memory} MB of memory`,
  }));
}
