import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { clinicInstant, type Problem } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { ann, ben, drGrey } from '../testing/people.ts';
import { sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
await clinic.addDoctor();
beforeEach(() => clinic.empty('appointments', 'events'));

const post = (who: Who, json: unknown, key?: string) =>
  clinic.as(who)('/appoinments', {
    method: 'POST',
    json,
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });

test('books a slot as Pending with the doctor’s name from the directory, whatever the client sends', async () => {
  const answer = await post(
    ann,
    clinic.booking({ status: 'Confirmed', doctorname: 'Somebody', patientemail: 'Ann@Mail.Example' }),
  );
  assert.equal(answer.status, 201);
  const appointment = (await answer.json()) as Appointment;
  const { _id, ...fields } = appointment;
  const at = (time: string) => clinicInstant({ date: clinic.soon, time }, 'Asia/Dhaka').toISOString();
  assert.match(_id, /^[0-9a-f]{24}$/);
  assert.deepEqual(fields, {
    patientname: 'Ann Lee',
    patientemail: ann.email,
    doctorname: 'Dr. Meredith Grey',
    doctoremail: drGrey.email,
    age: 34,
    address: '5 Lake Road',
    number: '+880 1555 010999',
    date: clinic.soon,
    time: '09:00',
    start: at('09:00'),
    end: at('09:30'),
    minutes: 30,
    place: 'Level 3',
    status: 'Pending',
    changeUntil: at('07:00'),
    you: ['patient'],
  });
  assert.equal(await clinic.appointments.countDocuments({}), 1);
  const [event] = await clinic.eventsOf(_id);
  assert.deepEqual([event?.action, event?.before, event?.actor?.email], ['booked', null, ann.email]);
});

test('the rejection of a taken slot lists the other free times of that day', async () => {
  await clinic.book({ time: '09:30' });
  const answer = await post(ben, clinic.booking({ patientemail: ben.email, time: '09:30' }));
  assert.equal(answer.status, 409);
  const problem = (await answer.json()) as Problem;
  assert.equal(problem.code, 'slot_taken');
  assert.deepEqual(problem.freeTimes, ['09:00', '10:00']);
});

test('the same key and booking return the first result, concurrently and later, and book once', async () => {
  const [first, second] = await Promise.all([post(ann, clinic.booking(), 'same'), post(ann, clinic.booking(), 'same')]);
  assert.deepEqual([first.status, second.status], [201, 201]);
  const third = await post(ann, clinic.booking(), 'same');
  assert.equal(third.status, 201);
  const bodies = await Promise.all([first.json(), second.json(), third.json()]);
  assert.deepEqual(bodies[1], bodies[0]);
  assert.deepEqual(bodies[2], bodies[0]);
  assert.equal(await clinic.appointments.countDocuments({}), 1);
});

test('missing and invalid fields are named in words, and nothing is booked', async () => {
  const messages = async (json: unknown) =>
    ((await (await post(ann, json)).json()) as Problem).errors?.map(({ message }) => message);
  assert.deepEqual(await messages({ ...clinic.booking(), age: -1 }), ['Age must be positive']);
  assert.deepEqual(await messages({ patientemail: ann.email, doctoremail: drGrey.email }), [
    'Patient name is required',
    'Age is required',
    'Address is required',
    'Phone number is required',
    'Date is required',
    'Time is required',
  ]);
  assert.equal(await clinic.appointments.countDocuments({}), 0);
});

test('a doctor without hours is closed, as one is whom POST /doc-pharma has just made', async () => {
  const profile = { name: 'Dr. New', email: 'new@clinic.example', qualification: 'MD', specialization: 'Cardiologist' };
  const made = await clinic.as('admin')('/doc-pharma', {
    method: 'POST',
    json: { ...profile, experience: 3, role: 'doctor' },
  });
  assert.equal(made.status, 201);
  const answer = await post(ann, clinic.booking({ doctoremail: profile.email, time: '10:05' }));
  assert.deepEqual(
    [answer.status, ((await answer.json()) as Problem).errors?.[0]?.message],
    [400, 'This doctor has no hours yet'],
  );
  assert.equal(await clinic.appointments.countDocuments({}), 0);
});

test('only the patient or an admin can book for a patient; a rejected booking changes nothing', async () => {
  assert.equal(
    await verdict(clinic.anonymous('/appoinments', { method: 'POST', json: clinic.booking() })),
    '401 unauthenticated',
  );
  assert.equal(await verdict(post(ben, clinic.booking())), '403 forbidden');
  assert.equal(await verdict(post(drGrey, clinic.booking())), '403 forbidden');
  assert.equal(await clinic.appointments.countDocuments({}), 0);
  assert.equal(await clinic.db.collection('events').countDocuments({}), 0);
  assert.equal(await verdict(post('admin', clinic.booking())), '201');
});

test('a walk-in is one only if the desk says so', async () => {
  const { walkIn } = await clinic.book({ walkIn: true });
  assert.equal(walkIn, undefined);
  const answer = await clinic.requestBooking('admin', { patientemail: ben.email, time: '09:30', walkIn: true });
  assert.equal(((await answer.json()) as Appointment).walkIn, true);
  assert.deepEqual(
    (await clinic.appointments.find({}).sort({ time: 1 }).toArray()).map((record) => record.walkIn),
    [undefined, true],
  );
});
