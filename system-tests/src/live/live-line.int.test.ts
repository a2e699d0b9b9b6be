import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { pino } from 'pino';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';
import { startPagelessGateway } from '../support/pageless-gateway.ts';
import { bystanders, people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { openLine, type LiveEvent } from './live-events.ts';

const all = ['watchAppointments', 'watchPharmacy', 'watchSession'];

let services: ThreeServices;
before(async () => {
  services = await startThreeServices();
});
after(() => services.close());

/** A gateway that is closed with the test, at the latest. */
async function openGateway(t: TestContext) {
  const gateway = await startPagelessGateway(services, { log: pino({ level: 'silent' }) });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= gateway.close());
  t.after(close);
  return { close, as: (cookie: string): TestFetch => testFetch(gateway.url, { Cookie: cookie }) };
}

const isChangeOf =
  (list: string) =>
  ({ event, data }: LiveEvent): boolean =>
    event === 'change' && (data.lists ?? []).includes(list);

const hasAll = ({ event, data }: LiveEvent): boolean =>
  event === 'live' && all.every((one) => data.streams?.includes(one));

/** Restocks a medicine, directly at its service. */
async function restock(cookie: string): Promise<void> {
  const pharmacy = services.from(cookie)('pharmacy');
  const [medicine] = (await (await pharmacy('/medicine?limit=1')).json()) as Medicine[];
  const answer = await pharmacy(`/medicine/${medicine?._id.$oid}`, { method: 'PATCH', json: { restock: 1 } });
  assert.equal(answer.status, 200, await answer.text());
}

async function userId(cookie: string, email: string): Promise<string> {
  return ((await (await services.from(cookie)('identity')(`/users/${email}`)).json()) as { _id: string })._id;
}

test('sends new records, and the end of a session by a new role or a log-out', async (t) => {
  const gateway = await openGateway(t);
  const [admin, staff] = [await services.signIn(people.admin.email), await services.signIn(people.pharmacist.email)];
  const [someone = ''] = bystanders;
  const theirs = await services.signIn(someone);
  const line = await openLine(gateway.as(staff));
  const their = await openLine(gateway.as(theirs));
  t.after(() => [line, their].forEach((one) => one.stop()));
  await Promise.all([line.next(hasAll), their.next(hasAll)]);

  const medicines = line.next(isChangeOf('listMedicines'));
  await restock(staff);
  await medicines;

  const users = services.from(admin)('identity');
  const over = their.next(({ event }) => event === 'session');
  const id = await userId(admin, someone);
  assert.equal((await users(`/update-role/${id}`, { method: 'PATCH', json: { newRole: 'pharmacist' } })).status, 200);
  await over;
  // Staff's stock is none of a patient's lists.
  assert.ok(!their.events.some(isChangeOf('listMedicines')));

  // One call gets the new role, and the line opens again.
  const renewed = await gateway.as(theirs)('/jwt/refresh', { method: 'POST', json: {} });
  assert.equal(((await renewed.json()) as { user: { role: string } }).user.role, 'pharmacist');
  const cookie = renewed.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const again = await openLine(gateway.as(cookie), their.lastId);
  t.after(() => again.stop());
  await again.next(hasAll);
  const out = again.next(({ event }) => event === 'session');
  assert.equal((await users(`/users/${someone}/sessions`, { method: 'DELETE' })).status, 204);
  await out;
  assert.equal((await users(`/update-role/${id}`, { method: 'PATCH', json: { newRole: 'patient' } })).status, 200);
});

test('sends what changed while a gateway was down as soon as the line opens at another', async (t) => {
  const first = await openGateway(t);
  const staff = await services.signIn(people.pharmacist.email);
  const line = await openLine(first.as(staff));
  await line.next(hasAll);
  await first.close();
  await restock(staff);
  const second = await openGateway(t);
  const again = await openLine(second.as(staff), line.lastId);
  t.after(() => again.stop());
  await again.next(isChangeOf('listMedicines'));
  // An old position: everything may have changed.
  const late = await openLine(second.as(staff), line.lastId.replaceAll(/\d{13}/g, String(Date.now() - 3_600_000)));
  t.after(() => late.stop());
  await late.next(isChangeOf('listOrders'));
});

test('includes a restarted service again, and reports what changed during the restart', async (t) => {
  const gateway = await openGateway(t);
  const staff = await services.signIn(people.pharmacist.email);
  const line = await openLine(gateway.as(staff));
  t.after(() => line.stop());
  await line.next(hasAll);
  const lost = line.next(({ event, data }) => event === 'live' && !data.streams?.includes('watchSession'));
  await services.stopIdentity();
  await lost;
  const back = line.next(hasAll);
  await services.restartIdentity();
  // A line that had no stream for ten seconds ends, and the browser opens it again.
  const reopened = async (): Promise<void> => {
    const again = await openLine(gateway.as(staff), line.lastId);
    t.after(() => again.stop());
    await again.next(hasAll).catch(reopened);
  };
  await back.catch(reopened);
});
