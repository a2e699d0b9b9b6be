import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '@clinic/contracts';
import type { FreeTimes } from '../contract/schemas.ts';
import { ann, ben, drGrey } from '../testing/people.ts';
import { hoursAt, sharedClinic, verdict } from '../testing/test-clinic.ts';

const clinic = await sharedClinic({ CLINIC_OPENING_HOURS: '08:00-20:00' });

test('patients see, book and move to times within the opening hours only; the doctor and an admin also others', async () => {
  const doctor = await clinic.addDoctor(hoursAt(['03:00', '08:00', '09:00', '19:30', '19:45', '21:00']));
  const free = await clinic.anonymous(`/doctors/${doctor._id.toHexString()}/free-times?date=${clinic.soon}`);
  assert.deepEqual(((await free.json()) as FreeTimes).times, ['08:00', '09:00', '19:30']);
  for (const time of ['03:00', '21:00'])
    assert.equal(await verdict(clinic.requestBooking(ann, { patientemail: ann.email, time })), '400 validation_failed');
  const { _id } = await clinic.book({ patientemail: ann.email, time: '09:00' });
  assert.equal(await verdict(clinic.reschedule(ann, _id, clinic.soon, '21:00')), '400 validation_failed');
  assert.equal((await clinic.reschedule(drGrey, _id, clinic.soon, '21:00')).status, 200);
  assert.equal((await clinic.requestBooking('admin', { patientemail: ben.email, time: '03:00' })).status, 201);
});

test('who finds a time taken is told of the others that they can book, staff also of those outside the opening hours', async () => {
  await clinic.empty('doctors', 'appointments');
  await clinic.addDoctor(hoursAt(['08:00', '09:00', '21:00', '21:30']));
  const rejected = async (answers: readonly Promise<Response>[]): Promise<readonly unknown[]> => {
    const problems = (await Promise.all(answers)).filter(({ status }) => status === 409);
    return Promise.all(problems.map(async (answer) => ((await answer.json()) as Problem).freeTimes));
  };
  const book = (who: Parameters<typeof clinic.requestBooking>[0], email: string, time: string): Promise<Response> =>
    clinic.requestBooking(who, { patientemail: email, time });
  // At once, as some find the time free and lose it while they book.
  const emails = Array.from({ length: 9 }, (_, at) => `patient${at}@mail.example`);
  const others = await rejected(emails.map((email) => book('admin', email, '21:00')));
  assert.deepEqual(
    others,
    Array.from({ length: 8 }, () => ['08:00', '09:00', '21:30']),
  );
  const mine = await clinic.book({ time: '08:00' });
  const moved = rejected([clinic.reschedule(drGrey, mine._id, clinic.soon, '21:00')]);
  assert.deepEqual(await moved, [['08:00', '09:00', '21:30']]);
  assert.deepEqual(await rejected([book(ben, ben.email, '08:00')]), [['09:00']]);
});
