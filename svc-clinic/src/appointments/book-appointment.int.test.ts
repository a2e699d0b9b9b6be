import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { addDays, clinicInstant, clinicMoment, type Appointment, type Problem } from '@clinic/contracts';
import {
  ann,
  ben,
  book,
  booking,
  drGrey,
  emptyCollections,
  startTestClinic,
  verdict,
  type TestClinic,
  type Who,
} from '../testing/test-clinic.ts';

let clinic: TestClinic;
before(async () => {
  clinic = await startTestClinic();
  await clinic.addDoctor();
});
after(() => clinic.close());
beforeEach(async () => {
  await emptyCollections(clinic, 'appointments', 'events');
});

const post = (who: Who, json: unknown, key?: string) =>
  clinic.as(who)('/appoinments', {
    method: 'POST',
    json,
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });

test('books a slot as Pending with the doctor’s name from the directory, whatever the client sends', async () => {
  const answer = await post(
    ann,
    booking(clinic, { status: 'Confirmed', doctorname: 'Somebody', patientemail: 'Ann@Mail.Example' }),
  );
  assert.equal(answer.status, 201);
  const appointment = (await answer.json()) as Appointment;
  const { _id, ...fields } = appointment;
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
    status: 'Pending',
    changeUntil: clinicInstant({ date: clinic.soon, time: '07:00' }, 'Asia/Dhaka').toISOString(),
    you: ['patient'],
  });
  assert.equal(await clinic.appointments.countDocuments({}), 1);
  const event = await clinic.db.collection('events').findOne({ 'record.type': 'appointment', 'record.id': _id });
  assert.equal(event?.['action'], 'booked');
  assert.equal(event?.['before'], null);
  assert.equal(event?.['actor'].email, ann.email);
});

test('of fifty concurrent bookings of one slot, exactly one succeeds', async () => {
  const patients = Array.from({ length: 50 }, (_, index) => `patient${index}@mail.example`);
  const answers = await Promise.all(
    patients.map((email) => post({ role: 'patient', email }, booking(clinic, { patientemail: email }), `key-${email}`)),
  );
  const verdicts = await Promise.all(answers.map((answer) => verdict(answer.clone())));
  assert.deepEqual(verdicts.toSorted(), ['201', ...Array.from({ length: 49 }, () => '409 slot_taken')]);
  const winner = (await answers.find(({ status }) => status === 201)?.json()) as Appointment;
  const rows = await clinic.appointments.find({}).toArray();
  assert.deepEqual(
    rows.map(({ patientEmail }) => patientEmail),
    [winner.patientemail],
  );
  assert.equal(await clinic.db.collection('events').countDocuments({}), 1);
});

test('the rejection of a taken slot lists the other free times of that day', async () => {
  await book(clinic, { time: '09:30' });
  const answer = await post(ben, booking(clinic, { patientemail: ben.email, time: '09:30' }));
  assert.equal(answer.status, 409);
  const problem = (await answer.json()) as Problem;
  assert.equal(problem.code, 'slot_taken');
  assert.deepEqual(problem.freeTimes, ['09:00', '10:00']);
});

test('the same key and booking return the first result, concurrently and later, and book once', async () => {
  const [first, second] = await Promise.all([post(ann, booking(clinic), 'same'), post(ann, booking(clinic), 'same')]);
  assert.deepEqual([first.status, second.status], [201, 201]);
  const third = await post(ann, booking(clinic), 'same');
  assert.equal(third.status, 201);
  const bodies = await Promise.all([first.json(), second.json(), third.json()]);
  assert.deepEqual(bodies[1], bodies[0]);
  assert.deepEqual(bodies[2], bodies[0]);
  assert.equal(await clinic.appointments.countDocuments({}), 1);
});

test('the same key with another booking is rejected', async () => {
  assert.equal(await verdict(post(ann, booking(clinic), 'other')), '201');
  assert.equal(await verdict(post(ann, booking(clinic, { time: '10:00' }), 'other')), '422 idempotency_mismatch');
  assert.equal(await clinic.appointments.countDocuments({}), 1);
});

test('every invalid field is named, and nothing is booked', async () => {
  const fields = {
    patientname: ' ',
    age: 0,
    address: '',
    number: 'call me',
    date: '2026-02-30',
    time: '9 am',
    doctoremail: 'nobody',
  };
  for (const [field, value] of Object.entries(fields)) {
    const answer = await post(ann, { ...booking(clinic), [field]: value });
    const problem = (await answer.json()) as Problem;
    assert.deepEqual(
      [answer.status, problem.code, problem.errors?.map((error) => error.field)],
      [400, 'validation_failed', [field]],
      field,
    );
  }
  const messages = async (json: unknown) =>
    ((await (await post(ann, json)).json()) as Problem).errors?.map(({ message }) => message);
  assert.deepEqual(await messages({ ...booking(clinic), age: -1 }), ['Age must be positive']);
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

test('rejects unknown and unavailable doctors, unlisted times and past days', async () => {
  await clinic.addDoctor({ email: 'away@clinic.example', isAvailable: false });
  const rejected = async (fields: Parameters<typeof booking>[1]) => {
    const answer = await post(ann, booking(clinic, fields));
    assert.equal(answer.status, 400);
    return ((await answer.json()) as Problem).errors?.map(({ field }) => field);
  };
  assert.deepEqual(await rejected({ doctoremail: 'nobody@clinic.example' }), ['doctoremail']);
  assert.deepEqual(await rejected({ doctoremail: 'away@clinic.example' }), ['doctoremail']);
  assert.deepEqual(await rejected({ time: '09:15' }), ['time']);
  assert.deepEqual(await rejected({ date: addDays(clinic.today, -1) }), ['date']);
  assert.equal(await clinic.appointments.countDocuments({}), 0);
});

test('a doctor without listed times can be booked at any time of day', async () => {
  await clinic.addDoctor({ email: 'any@clinic.example', availableTimes: [] });
  assert.equal((await book(clinic, { doctoremail: 'any@clinic.example', time: '03:07' })).time, '03:07');
  const again = await post(
    ben,
    booking(clinic, { patientemail: ben.email, doctoremail: 'any@clinic.example', time: '03:07' }),
  );
  assert.equal(again.status, 409);
  assert.deepEqual(((await again.json()) as Problem).freeTimes, []);
});

test('the clinic’s time zone decides what is past', async () => {
  // These two zones are 25 hours apart: the second is always at least one day ahead.
  const west = await startTestClinic({ CLINIC_TZ: 'Pacific/Pago_Pago' });
  const east = await startTestClinic({ CLINIC_TZ: 'Pacific/Kiritimati' });
  try {
    const date = clinicMoment(new Date(), 'Pacific/Pago_Pago').date;
    for (const place of [west, east]) await place.addDoctor({ availableTimes: [] });
    const requested = booking(clinic, { date, time: '23:59' });
    assert.equal(await verdict(west.as(ann)('/appoinments', { method: 'POST', json: requested })), '201');
    const rejected = await east.as(ann)('/appoinments', { method: 'POST', json: requested });
    assert.equal(rejected.status, 400);
    assert.deepEqual(
      ((await rejected.json()) as Problem).errors?.map(({ field }) => field),
      ['date'],
    );
  } finally {
    await west.close();
    await east.close();
  }
});

test('only the patient or an admin can book for a patient; a rejected booking changes nothing', async () => {
  assert.equal(
    await verdict(clinic.anonymous('/appoinments', { method: 'POST', json: booking(clinic) })),
    '401 unauthenticated',
  );
  assert.equal(await verdict(post(ben, booking(clinic))), '403 forbidden');
  assert.equal(await verdict(post(drGrey, booking(clinic))), '403 forbidden');
  assert.equal(await clinic.appointments.countDocuments({}), 0);
  assert.equal(await clinic.db.collection('events').countDocuments({}), 0);
  assert.equal(await verdict(post('admin', booking(clinic))), '201');
});

test('free times leave out held slots and offer cancelled ones again', async () => {
  const doctor = await clinic.doctors.findOne({ email: drGrey.email });
  const free = async (date: string) =>
    (
      (await (await clinic.anonymous(`/doctors/${doctor?._id.toHexString()}/free-times?date=${date}`)).json()) as {
        times: string[];
      }
    ).times;
  const appointment = await book(clinic);
  assert.deepEqual(await free(clinic.soon), ['09:30', '10:00']);
  assert.equal(
    (
      await clinic.as(ann)(`/update-appoinment/${appointment._id}`, {
        method: 'PATCH',
        json: { newStatus: 'Cancelled' },
      })
    ).status,
    200,
  );
  assert.deepEqual(await free(clinic.soon), ['09:00', '09:30', '10:00']);
  assert.deepEqual(await free(addDays(clinic.today, -1)), []);
});
