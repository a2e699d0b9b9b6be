import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { internalHeaders, internalSecret } from '@clinic/service-kit';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import type { AttendanceRecord } from './attendance-record.ts';
import type { VisitOfDay } from '../contract/attendance-calls.ts';
import { admin, ann, ben, drGrey } from '../testing/people.ts';
import { read, sharedClinic, startTestClinic, storedAppointment } from '../testing/test-clinic.ts';

const clinic = await sharedClinic({ CLINIC_CONFIRM_AFTER_MISSED: '2' });
await clinic.addDoctor();
beforeEach(() => clinic.empty('appointments', 'events', 'outbox'));

const idOf = (who: { readonly email: string }) => clinic.issuer.idOf(who.email);
async function visit(date: string, fields: Partial<AppointmentRecord> = {}): Promise<string> {
  const accounts = { patientId: idOf(ann), doctorAccountId: idOf(drGrey) };
  const record = storedAppointment({ date, time: '09:00', ...accounts, ...fields });
  await clinic.appointments.insertOne(record);
  return record._id.toHexString();
}
const notSeen = (date: string): AttendanceRecord => ({ date, time: '09:00', state: 'missed', since: new Date() });
const missed = (date: string, fields: Partial<AppointmentRecord> = {}) =>
  visit(date, { attendance: notSeen(date), ...fields });
const headers = internalHeaders(internalSecret(clinic.context.settings));
const post = (path: string, json: object) =>
  clinic.anonymous(`/internal/visits${path}`, { method: 'POST', json, headers });
const isAsked = async (id: string): Promise<boolean> => {
  const [now] = (await (await post('', { ids: [id] })).json()) as { readonly toConfirm?: boolean }[];
  return now?.toConfirm === true;
};
const ofDay = async (as = clinic.as(admin)): Promise<(boolean | undefined)[]> =>
  (await read<{ readonly visits: VisitOfDay[] }>(as, `/appoinments/day?date=${clinic.soon}`)).visits.map(
    ({ willCome }) => willCome,
  );
const come = (id: string, who: { readonly email: string } = ann) => {
  clinic.issuer.setStanding(idOf(who), { active: true, role: 'patient' });
  return post(`/${id}/change`, {
    account: idOf(who),
    seen: { date: clinic.soon, time: '09:00' },
    change: { act: 'come' },
  });
};

test('who missed two visits within a year is asked; the link says that they will come, once, until the visit moves', async () => {
  await missed(addDays(clinic.today, -30));
  const id = await visit(clinic.soon);
  assert.deepEqual([await isAsked(id), await ofDay()], [false, [undefined]]);
  await missed(addDays(clinic.today, -200));
  assert.deepEqual([await isAsked(id), await ofDay()], [true, [false]]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => come(id)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.deepEqual([await isAsked(id), await ofDay()], [false, [true]]);
  assert.deepEqual(
    (await clinic.eventsOf(id)).map(({ action, actor }) => [action, actor.email]),
    [['promised to come', ann.email]],
  );
  const record = await clinic.appointments.findOne({ date: clinic.soon });
  assert.deepEqual([record?.status, record?.sequence], ['Confirmed', undefined]);
  assert.equal((await clinic.reschedule(admin, id, clinic.soon, '09:30')).status, 200);
  assert.deepEqual([await isAsked(id), await ofDay()], [true, [false]]);
  // The link was about the old time.
  assert.equal((await come(id)).status, 409);
});

test('missed visits count by account, for a year: not another’s at the same address, older ones, nor who waited in vain', async () => {
  await missed(addDays(clinic.today, -30));
  await missed(addDays(clinic.today, -366));
  await missed(addDays(clinic.today, -40), { patientId: idOf(ben) });
  const left = addDays(clinic.today, -50);
  await missed(left, { attendance: { ...notSeen(left), arrivedAt: new Date() } });
  const id = await visit(clinic.soon);
  assert.deepEqual([await isAsked(id), await ofDay()], [false, [undefined]]);
  assert.equal((await come(id, ben)).status, 404);
});

test('nobody is asked unless the clinic wants it', async (t) => {
  const other = await startTestClinic();
  t.after(() => other.close());
  const date = addDays(other.today, -10);
  for (const time of ['09:00', '09:30', '10:00']) {
    const attendance = { date, time, state: 'missed' as const, since: new Date() };
    await other.appointments.insertOne({ ...storedAppointment({ date, time, patientId: 'a'.repeat(24) }), attendance });
  }
  await other.appointments.insertOne(storedAppointment({ date: other.soon, time: '09:00', patientId: 'a'.repeat(24) }));
  const { visits } = await read<{ readonly visits: VisitOfDay[] }>(
    other.as(admin),
    `/appoinments/day?date=${other.soon}`,
  );
  assert.deepEqual(
    visits.map(({ willCome }) => willCome),
    [undefined],
  );
});
