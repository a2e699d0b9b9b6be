import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { keepRollups } from '@clinic/service-kit';
import { addDays, clinicInstant, maxReportDays, roles, type User } from '@clinic/contracts';
import type { UserReport } from '../contract/reports.ts';
import { identityCalls } from '../contract/calls.ts';
import fc from 'fast-check';
import { openBrowser, type Browser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { changeRole, userRecord, verdict } from '../testing/people.ts';
import type { IdentityContext } from '../settings.ts';
import type { UserRecord } from './user-record.ts';
import { userRollupPlan, userRollupsOf } from './user-rollups.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { clockMonths } from '@clinic/service-kit/testing/clock-months';

const keepUserRollups = (context: IdentityContext): Promise<number> => keepRollups(context, userRollupPlan(context));

const emptyDays = [4, 12, 13];

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await stack.login('admin@clinic.example', 'admin');
for (const [timeZone, first] of clockMonths) await stack.users.insertMany(newcomers(first, timeZone));

/** People who registered in a month, many of them around midnight in the clinic's time zone. */
function newcomers(first: string, timeZone: string): UserRecord[] {
  const moment = fc.oneof(fc.constantFrom(0, -1, 1, 3_599_999, 3_600_000), fc.integer({ min: 0, max: 80_000_000 }));
  const day = fc.nat(30).filter((at) => !emptyDays.includes(at) && !emptyDays.includes(at - 1));
  return fc
    .sample(fc.record({ day, moment, role: fc.constantFrom(...roles) }), { seed: 20_261_121, numRuns: 120 })
    .map(({ day: on, moment: after, role }, index) => {
      const email = `${timeZone.toLowerCase().replace('/', '.')}.${first}.${index}@mail.example`;
      const createdAt = new Date(
        clinicInstant({ date: addDays(first, on), time: '00:00' }, timeZone).getTime() + after,
      );
      return userRecord(email, { role, disabled: index % 10 === 0, createdAt });
    });
}

/** The admin at a replica with the clinic in another time zone. */
async function adminAt(timeZone: string): Promise<{ readonly browser: Browser; readonly close: () => Promise<void> }> {
  const replica = await stack.addReplica({ CLINIC_TZ: timeZone });
  // The replica does so in the background.
  await keepUserRollups(replica.context);
  return { browser: openBrowser(replica.url, admin.cookies), close: () => replica.close() };
}

async function reportOf(browser: Browser, query = ''): Promise<UserReport> {
  return identityCalls.reportUsers.response.strict().parse(await readJson(browser.fetch(`/users/report${query}`), 200));
}

for (const [timeZone, first] of clockMonths) {
  test(`registrations of the month from ${first} in ${timeZone} are counted on the clinic's day`, async () => {
    const { browser, close } = await adminAt(timeZone);
    const days = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
    const users = await admin.read<User[]>('/users');
    const created = await stack.users.find({}, { projection: { createdAt: 1 } }).toArray();
    const byDay = Map.groupBy(created, ({ createdAt }) => days.format(createdAt));
    for (const [a, b] of [
      [0, 30],
      [0, 0],
      [12, 13],
      [-30, 60],
      [7, 22],
    ] as const) {
      const [from, to] = [addDays(first, a), addDays(first, b)];
      const newByDay: UserReport['newByDay'] = [];
      for (let date = from; date <= to; date = addDays(date, 1))
        newByDay.push({ date, count: byDay.get(date)?.length ?? 0 });
      const byRole = Object.fromEntries(roles.map((role) => [role, users.filter((user) => user.role === role).length]));
      assert.deepEqual(await reportOf(browser, `?from=${from}&to=${to}`), {
        from,
        to,
        timeZone,
        total: users.length,
        byRole,
        newByDay,
        created: newByDay.reduce((sum, { count }) => sum + count, 0),
      });
    }
    await close();
  });
}

test('a registration counts today, and a change of role changes the column', async () => {
  const { to: today } = await reportOf(admin);
  // Midnight may come meanwhile.
  const days = `?from=${today}&to=${addDays(today, 1)}`;
  const before = await reportOf(admin, days);
  await stack.login('newcomer@mail.example', 'patient');
  const after = await reportOf(admin, days);
  assert.deepEqual(
    [after.total, after.byRole.patient, after.created],
    [before.total + 1, before.byRole.patient + 1, before.created + 1],
  );
  assert.equal((await changeRole(stack, admin, 'newcomer@mail.example', 'doctor')).status, 200);
  assert.deepEqual((await reportOf(admin)).byRole, { ...before.byRole, doctor: before.byRole.doctor + 1 });
});

test('concurrent registrations all count, deleted users don’t, and lost rollups are rebuilt', async () => {
  const { context } = stack.replica;
  // The replicas of the tests above had other time zones.
  assert.ok((await keepUserRollups(context)) > 0);
  const came = async (): Promise<number> =>
    (await reportOf(admin, `?from=${addDays(today, -1)}&to=${addDays(today, 1)}`)).created;
  const { to: today } = await reportOf(admin);
  const before = await came();
  const emails = Array.from({ length: 12 }, (_, index) => `crowd${index}@mail.example`);
  await Promise.all(emails.map((email) => stack.login(email)));
  assert.equal(await came(), before + 12);
  const gone = emails[0] ?? '';
  assert.equal((await admin.fetch(`/users/${gone}/erasure`, { method: 'POST', json: {} })).status, 200);
  assert.equal((await admin.fetch(`/users/${gone}`, { method: 'DELETE' })).status, 200);
  assert.equal(await came(), before + 11);
  assert.equal(await keepUserRollups(context), 0, 'the rollups match the users');
  await userRollupsOf(context).deleteMany({ day: { $gte: '2026-03-01' } });
  await Promise.all([
    keepUserRollups(context),
    keepUserRollups(context),
    ...emails.map((email) => stack.login(`late.${email}`)),
  ]);
  assert.equal(await came(), before + 23);
  assert.equal((await reportOf(admin)).total, await stack.users.countDocuments({}));
});

test('the report’s path and a user’s path don’t hide each other', async () => {
  assert.deepEqual(await verdict(admin.fetch('/users/reports')), [400, 'validation_failed'], 'it isn’t an email');
  const email = 'report@mail.example';
  await stack.login(email);
  assert.equal((await admin.read<User>(`/users/${email}`)).email, email);
  assert.equal((await admin.fetch('/users/report', { method: 'DELETE' })).status >= 400, true);
  assert.equal((await reportOf(admin)).total, await stack.users.countDocuments({}));
});

test('invalid periods are rejected naming the field', async () => {
  const wrong = [
    ['?to=2026-13-01', 'to', 'To must be a date (yyyy-mm-dd)'],
    ['?from=2026-02-02&to=2026-02-01', 'to', 'To can’t be before From'],
    ['?from=2026-01-01&to=2027-01-02', 'to', `A report can cover at most ${maxReportDays} days`],
  ] as const;
  for (const [query, field, message] of wrong) {
    const answer = await admin.fetch(`/users/report${query}`);
    assert.equal(answer.status, 400);
    assert.deepEqual(((await answer.json()) as { errors: unknown }).errors, [{ field, message }]);
  }
});
