import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, type Problem } from '@clinic/contracts';
import { ann, ben } from '../testing/people.ts';
import { sharedClinic, type Who, minutesFrom } from '../testing/test-clinic.ts';

const most = 4;
const clinic = await sharedClinic({ CLINIC_MAX_OPEN_APPOINTMENTS: String(most) });
beforeEach(async () => {
  await clinic.empty('appointments', 'doctors');
  await clinic.addDoctor({ availableTimes: minutesFrom('10:00', 60) });
});

const bookingAt = (number: number, fields: Parameters<typeof clinic.booking>[0] = {}) =>
  clinic.booking({ time: `10:${String(number).padStart(2, '0')}`, ...fields });
const tryToBook = (who: Who, json: object) => clinic.as(who)('/appoinments', { method: 'POST', json });
const openOf = (patientEmail: string) =>
  clinic.appointments.countDocuments({ patientEmail, status: { $in: ['Pending', 'Confirmed'] } });

test('of twelve concurrent bookings by one patient, as many succeed as the limit allows', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, (_, number) => tryToBook(ann, bookingAt(number))));
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, most);
  assert.equal(statuses.filter((status) => status === 409).length, 12 - most);
  assert.equal(await openOf(ann.email), most);
  assert.equal(
    await clinic.db.collection('events').countDocuments({ action: 'booked', 'actor.email': ann.email }),
    most,
  );

  const rejected = (await (answers.find(({ status }) => status === 409) ?? assert.fail()).json()) as Problem;
  assert.equal(rejected.code, 'too_many_appointments');
  assert.equal(
    rejected.detail,
    'You have 4 upcoming appointments, the most you can have at a time. Cancel one you don’t need, or call the clinic to book more.',
  );
});

test('other patients can still book, and an admin can book more for the same patient', async () => {
  for (let number = 0; number < most; number += 1) await clinic.book(bookingAt(number));
  assert.equal((await tryToBook(ann, bookingAt(10))).status, 409);
  assert.equal((await tryToBook(ben, bookingAt(11, { patientemail: ben.email }))).status, 201);
  assert.equal((await tryToBook('admin', bookingAt(12))).status, 201);
  assert.equal(await openOf(ann.email), most + 1);
});

test('cancelled and past appointments don’t count', async () => {
  const booked = [];
  for (let number = 0; number < most; number += 1) booked.push(await clinic.book(bookingAt(number)));
  const [first, second] = booked;
  await clinic.setStatus(ann, first?._id ?? '', 'Cancelled');
  assert.equal((await tryToBook(ann, bookingAt(20))).status, 201);
  assert.equal((await tryToBook(ann, bookingAt(21))).status, 409);
  await clinic.appointments.updateOne({ time: second?.time ?? '' }, { $set: { date: addDays(clinic.today, -1) } });
  assert.equal((await tryToBook(ann, bookingAt(21))).status, 201);
  assert.equal((await tryToBook(ann, bookingAt(22))).status, 409);
});

test('a repeated booking returns the first response, even at the limit', async () => {
  const once = () =>
    clinic.as(ann)('/appoinments', {
      method: 'POST',
      json: bookingAt(most),
      headers: { 'Idempotency-Key': 'the-last-one' },
    });
  for (let number = 1; number < most; number += 1) await clinic.book(bookingAt(number));
  const first = await (await once()).json();
  assert.deepEqual(await (await once()).json(), first);
  assert.equal(await openOf(ann.email), most);
});
