import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { addDays, formatDate, type Doctor, type FreeDays, type FreeTimes, type Problem } from '@clinic/contracts';
import {
  ann,
  book,
  drGrey,
  emptyCollections,
  requestBooking,
  reschedule,
  startTestClinic,
  type TestClinic,
} from './testing/test-clinic.ts';

let clinic: TestClinic;
let path: string;
let last: string;
let beyond: string;
before(async () => {
  clinic = await startTestClinic({ CLINIC_BOOKING_HORIZON_DAYS: '20' });
  last = addDays(clinic.today, 20);
  beyond = addDays(clinic.today, 21);
});
after(() => clinic.close());
beforeEach(async () => {
  await emptyCollections(clinic, 'appointments', 'doctors', 'events');
  path = `/doctors/${(await clinic.addDoctor())._id.toHexString()}`;
});

const slots = async () => (await clinic.appointments.find({}).toArray()).map(({ date, time }) => `${date} ${time}`);

for (const who of [ann, { role: 'admin', email: 'admin@clinic.example' }] as const) {
  test(`${who.role}: the last day can be booked; the day after is rejected naming the last day, and nothing is booked`, async () => {
    const ask = (date: string) => requestBooking(clinic, who, { date });
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
  const { _id } = await book(clinic);
  for (const who of [ann, drGrey, 'admin'] as const) {
    const rejected = await reschedule(clinic, who, _id, beyond, '09:00');
    assert.deepEqual(
      [rejected.status, ((await rejected.json()) as Problem).errors?.map(({ field }) => field)],
      [400, ['date']],
    );
  }
  assert.deepEqual(await slots(), [`${clinic.soon} 09:00`]);
  assert.equal((await reschedule(clinic, ann, _id, last, '09:00')).status, 200);
});

test('free days, free times and the directory agree on the last day', async () => {
  const { days } = (await (
    await clinic.anonymous(`${path}/free-days?from=${addDays(last, -1)}&until=${addDays(beyond, 1)}`)
  ).json()) as FreeDays;
  assert.deepEqual(
    days.map(({ free }) => free),
    [3, 3, 0, 0],
  );
  const timesOn = async (date: string) =>
    ((await (await clinic.anonymous(`${path}/free-times?date=${date}`)).json()) as FreeTimes).times.length;
  assert.deepEqual([await timesOn(last), await timesOn(beyond)], [3, 0]);
  const [listed] = (await (await clinic.anonymous('/doctors')).json()) as Doctor[];
  assert.equal(listed?.bookableUntil, last);
  assert.equal(((await (await clinic.anonymous(`/doctors?_id=${listed?._id}`)).json()) as Doctor).bookableUntil, last);
});

test('the next free slot may be on the last day, and is never after it', async () => {
  const daysOff = Array.from({ length: 20 }, (_, day) => addDays(clinic.today, day));
  await clinic.doctors.updateOne({}, { $set: { daysOff } });
  const nextFree = async () => ((await (await clinic.anonymous('/doctors')).json()) as Doctor[])[0]?.nextFree;
  assert.deepEqual(await nextFree(), { date: last, time: '09:00' });
  await clinic.doctors.updateOne({}, { $set: { daysOff: [...daysOff, last] } });
  assert.equal(await nextFree(), null);
});

test('a doctor without listed times can be booked at any time up to the last day', async () => {
  await clinic.doctors.updateOne({}, { $set: { availableTimes: [] } });
  const anyTime = async (date: string) =>
    ((await (await clinic.anonymous(`${path}/free-times?date=${date}`)).json()) as FreeTimes).anyTime;
  assert.deepEqual([await anyTime(last), await anyTime(beyond)], [true, false]);
});
