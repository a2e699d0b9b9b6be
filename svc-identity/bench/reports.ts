// `npm run bench -w @clinic/svc-identity`: measures the report of users.
import { ObjectId } from 'mongodb';
import { measure, runAlone, store, year, type Measured } from '../../bench/src/support/report-measurements.ts';
import { profile } from '../src/testing/browser.ts';
import { startIdentityStack } from '../src/testing/identity-stack.ts';
import { searchFields, type UserRecord } from '../src/users/user-record.ts';
import { keepUserRollups } from '../src/users/user-rollups.ts';

function userOf(n: number, records: number): UserRecord {
  const email = `person${n}@mail.example`;
  const createdAt = new Date(Date.parse(year.firstDay) + (n / records) * year.days * 86_400_000);
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
    await store(stack.users, records, (n) => userOf(n, records));
    const admin = await stack.login('admin@clinic.example', 'admin');
    return await measure(
      () => keepUserRollups(stack.replica.context),
      (path) => admin.fetch(path),
      [
        ['reportUsers, 30 days', '/users/report?from=2026-05-12&to=2026-06-10'],
        ['reportUsers, a year', `/users/report?from=${year.firstDay}&to=${year.lastDay}`],
      ],
    );
  } finally {
    await stack.close();
  }
}

await runAlone(import.meta.url, 'users', measureReports);
