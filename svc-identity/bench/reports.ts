// `npm run bench -w @clinic/svc-identity`: measures the report of users.
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { addDays } from '@clinic/contracts';
import { ObjectId } from 'mongodb';
import { profile } from '../src/testing/browser.ts';
import { startIdentityStack } from '../src/testing/identity-stack.ts';
import { searchFields, type UserRecord } from '../src/users/user-record.ts';
import { keepUserRollups } from '../src/users/user-rollups.ts';

/** The best of several measurements, because the machine does other work too. */
export interface Measured {
  readonly what: string;
  readonly milliseconds: number;
}

/** Time budget of a report, milliseconds. */
export const reportBudget = 300;

const tries = 5;
const firstDay = '2026-01-01';
const days = 365;

function userOf(n: number, records: number): UserRecord {
  const email = `person${n}@mail.example`;
  const createdAt = new Date(Date.parse(firstDay) + (n / records) * days * 86_400_000);
  return {
    _id: new ObjectId(),
    email,
    ...profile,
    role: n % 50 === 0 ? 'doctor' : 'patient',
    emailVerified: true,
    registered: true,
    version: 1,
    createdAt,
    ...searchFields(profile, email),
  };
}

/**
 * Measures over real HTTP on the embedded database.
 *
 * @param records - users who registered within a year
 */
export async function measureReports(records: number): Promise<Measured[]> {
  const stack = await startIdentityStack({ LOG_LEVEL: 'warn' });
  try {
    for (let from = 0; from < records; from += 2_000) {
      await stack.users.insertMany(
        Array.from({ length: Math.min(2_000, records - from) }, (_, index) => userOf(from + index, records)),
      );
    }
    const begun = performance.now();
    await keepUserRollups(stack.replica.context);
    const counting = performance.now() - begun;
    const admin = await stack.login('admin@clinic.example', 'admin');
    const measured: Measured[] = [];
    for (const [what, from, to] of [
      ['reportUsers, 30 days', '2026-05-12', '2026-06-10'],
      ['reportUsers, a year', firstDay, addDays(firstDay, days - 1)],
    ] as const) {
      const times: number[] = [];
      for (let turn = 0; turn < tries; turn += 1) {
        const start = performance.now();
        const answer = await admin.fetch(`/users/report?from=${from}&to=${to}`);
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`the report answered ${answer.status}`);
        times.push(performance.now() - start);
      }
      measured.push({ what, milliseconds: Math.min(...times) });
    }
    return [...measured, { what: 'counting all again, at the start after an update', milliseconds: counting }];
  } finally {
    await stack.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const records = Number(process.argv[2] ?? 100_000);
  console.log(`${records} users, at most ${reportBudget} ms for a report`);
  for (const { what, milliseconds } of await measureReports(records))
    console.log(`${what}: ${milliseconds.toFixed(0)} ms`);
}
