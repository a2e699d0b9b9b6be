import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, formatDate, type Problem } from '@clinic/contracts';
import type { Doctor, FreeDays, FreeTimes } from './contract/schemas.ts';
import { ann, drGrey } from './testing/people.ts';
import { read, rejectionOf, sharedClinic } from './testing/test-clinic.ts';

let path: string;
const clinic = await sharedClinic({ CLINIC_BOOKING_HORIZON_DAYS: '20' });
const last = addDays(clinic.today, 20);
const beyond = addDays(clinic.today, 21);
beforeEach(async () => {
  await clinic.empty('appointments', 'doctors', 'events');
  path = `/doctors/${(await clinic.addDoctor())._id.toHexString()}`;
});

const slots = async () => (await clinic.appointments.find({}).toArray()).map(({ date, time }) => `${date} ${time}`);

for (const who of [ann, { role: 'admin', email: 'admin@clinic.example' }] as const) {
  test(`${who.role}: the last day can be booked; the day after is rejected naming the last day, and nothing is booked`, async () => {
    const ask = (date: string) => clinic.requestBooking(who, { date });
    for (const date of [beyond, '2999-12-31']) {
      const rejected = await ask(date);
      const { code, errors } = (await rejected.json()) as Problem;
      assert.deepEqual(
        [rejected.status, code, errors],
        [400, 'validation_failed', [{ field: 'date', message: `You can book until ${formatDate(last)}` }]],
      );
    }
    assert.deepEqual(await slots(), []);
    assert.equal(await clinic.db.collection('events').countDocuments({}), 0);
    assert.equal((await ask(last)).status, 201);
    assert.deepEqual(await slots(), [`${last} 09:00`]);
  });
}

test('neither patient, doctor nor admin can move an appointment past the last day', async () => {
  const { _id } = await clinic.book();
  for (const who of [ann, drGrey, 'admin'] as const) {
    const rejected = await clinic.reschedule(who, _id, beyond, '09:00');
    assert.deepEqual(await rejectionOf(rejected), [400, ['date']]);
  }
  assert.deepEqual(await slots(), [`${clinic.soon} 09:00`]);
  assert.equal((await clinic.reschedule(ann, _id, last, '09:00')).status, 200);
});

test('free days, free times and the directory agree on the last day', async () => {
  const { days } = await read<FreeDays>(
    clinic.anonymous,
    `${path}/free-days?from=${addDays(last, -1)}&until=${addDays(beyond, 1)}`,
  );
  assert.deepEqual(
    days.map(({ free }) => free),
    [3, 3, 0, 0],
  );
  const timesOn = async (date: string) =>
    (await read<FreeTimes>(clinic.anonymous, `${path}/free-times?date=${date}`)).times.length;
  assert.deepEqual([await timesOn(last), await timesOn(beyond)], [3, 0]);
  const [listed] = await read<Doctor[]>(clinic.anonymous, '/doctors');
  assert.equal(listed?.bookableUntil, last);
  assert.equal((await read<Doctor>(clinic.anonymous, `/doctors?_id=${listed?._id}`)).bookableUntil, last);
});

test('the next free slot may be on the last day, and is never after it', async () => {
  const daysOff = Array.from({ length: 20 }, (_, day) => addDays(clinic.today, day));
  await clinic.doctors.updateOne({}, { $set: { daysOff } });
  const nextFree = async () => (await read<Doctor[]>(clinic.anonymous, '/doctors'))[0]?.nextFree;
  assert.deepEqual(await nextFree(), { date: last, time: '09:00' });
  await clinic.doctors.updateOne({}, { $set: { daysOff: [...daysOff, last] } });
  assert.equal(await nextFree(), null);
});
