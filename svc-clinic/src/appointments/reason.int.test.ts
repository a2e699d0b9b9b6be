import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { personWith } from '@clinic/service-kit/testing';
import { maxReason } from '../contract/limits.ts';
import type { Appointment } from '../contract/schemas.ts';
import { ObjectId } from 'mongodb';
import { ann, ben, drGrey } from '../testing/people.ts';
import { sharedClinic } from '../testing/test-clinic.ts';

const reason = 'Palpitations since Tuesday';

const clinic = await sharedClinic();
await clinic.addDoctor();

const stored = (id: string) => clinic.appointments.findOne({ _id: new ObjectId(id) });
/** Everything the database has about an appointment besides the record itself. */
const eventsOf = async (id: string) =>
  JSON.stringify(await clinic.db.collection('events').find({ 'record.id': id }).toArray());

test('reception reads no reason in any list or answer, not even that of a visit it changes', async () => {
  const { _id } = await clinic.book({ reason, date: addDays(clinic.soon, 1), time: '09:30' });
  const { date, time } = (await stored(_id)) ?? assert.fail();
  const { _id: doctor } = (await clinic.doctors.findOne({})) ?? assert.fail();
  const at = clinic.as({ role: 'patient', email: 'desk@clinic.example', rights: ['reception'] });
  const change = (path: string, json: object) => at(path, { method: 'PATCH', json });
  for (const answer of [
    await at('/appoinments'),
    await at('/appoinments?limit=5&q=ann'),
    await at(`/appoinments?email=${ann.email}`),
    await at(`/appoinments/day?date=${date}`),
    await at('/appoinments/patients?q=ann'),
    await at(`/doctors/calendar?from=${date}&until=${date}`),
    await at(`/doctors/calendar?doctor=${doctor.toHexString()}&from=${date}&until=${date}`),
    await at(`/appoinments/${_id}/history`),
    await change(`/update-appoinment/${_id}`, { newStatus: 'Confirmed' }),
    await change('/appoinments/undone-status', { changes: [{ id: _id, seen: { date, time, status: 'Confirmed' } }] }),
    await change(`/appoinments/${_id}`, { date, time: '10:00' }),
    await change(`/appoinments/${_id}/details`, { age: 41 }),
  ]) {
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    assert.ok(!text.includes(reason), `${answer.url} ${text}`);
  }
  assert.equal((await stored(_id))?.reason, reason);
});

test('patient, doctor and admin can read the reason; the history only shows that there is one', async () => {
  const { _id } = await clinic.book({ reason: `  ${reason} ` });
  assert.equal((await stored(_id))?.reason, reason);
  for (const [who, path] of [
    [ann, `/appoinments?email=${ann.email}`],
    [drGrey, `/appoinments?email=${drGrey.email}`],
    ['admin', '/appoinments'],
  ] as const) {
    const list = (await (await clinic.as(who)(path)).json()) as Appointment[];
    assert.equal(list.find((one) => one._id === _id)?.reason, reason, path);
  }
  const events = await eventsOf(_id);
  assert.ok(!events.includes(reason), events);
  assert.ok(events.includes('"reason":"given"'), events);
  const calendar = await (await clinic.as(ann)(`/appoinments/${_id}/calendar`)).text();
  assert.ok(!calendar.includes('Palpitations'), calendar);
});

test('front-ends of earlier releases book without a reason, and an empty one counts as none', async () => {
  const without = await clinic.book({ time: '09:30' });
  assert.equal('reason' in without, false);
  const empty = await clinic.book({ time: '10:00', reason: '   ' });
  assert.equal('reason' in empty, false);
  assert.equal(Object.hasOwn((await stored(empty._id)) ?? {}, 'reason'), false);
});

test('a reason that is too long is rejected and books nothing', async () => {
  const before = await clinic.appointments.countDocuments();
  const answer = await clinic.requestBooking(ben, {
    patientemail: ben.email,
    time: '09:30',
    reason: 'x'.repeat(maxReason + 1),
  });
  assert.equal(answer.status, 400);
  assert.deepEqual(((await answer.json()) as { errors: unknown }).errors, [
    { field: 'reason', message: 'Reason for the visit must be 300 characters or fewer' },
  ]);
  assert.equal(await clinic.appointments.countDocuments(), before);
});

test('a data export has the reason; deleting the doctor keeps it, deleting the patient removes it', async () => {
  const other = 'house@clinic.example';
  await clinic.addDoctor({ name: 'Dr. House', email: other });
  const { _id } = await clinic.book({ patientemail: ben.email, doctoremail: other, reason });
  const copy = await (await clinic.as(ben)(`/appoinments/export?email=${ben.email}`)).text();
  assert.ok(copy.includes(reason), copy);
  const erase = (email: string) => clinic.erase(personWith(clinic.issuer.idOf(email), email));
  await erase(other);
  assert.equal((await stored(_id))?.reason, reason);
  await erase(ben.email);
  const left = await stored(_id);
  assert.equal(left?.patientName, 'Deleted person');
  assert.equal(Object.hasOwn(left ?? {}, 'reason'), false);
  assert.ok(!(await eventsOf(_id)).includes(reason));
});
