import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { hasNoEmail } from '@clinic/contracts/erased-person';
import { addDays, timeOf, type CallBody, type Problem } from '@clinic/contracts';
import { ObjectId } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import type { FoundPatient } from '../contract/calendar-calls.ts';
import type { Appointment } from '../contract/schemas.ts';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { sharedClinic, staffOf, storedAppointment, type Who } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
await clinic.addDoctor();
await clinic.addDoctor({ name: 'Dr. House', email: drHouse.email });
clinic.issuer.setStaff([staffOf(clinic, drGrey), staffOf(clinic, drHouse)]);
beforeEach(() => clinic.empty('appointments', 'events', 'outbox'));

const walkIn = {
  patientname: 'Rahim Uddin',
  patientemail: null,
  number: '01711 000111',
  age: null,
  address: null,
} as const;
const atDesk = (fields: Partial<CallBody<'bookAppointment'>> = {}) =>
  clinic.requestBooking('admin', { ...walkIn, ...fields });
const stored = () => clinic.appointments.find().toArray();
const found = async (who: Who, query: string): Promise<FoundPatient[]> => {
  const answer = await clinic.as(who)(`/appoinments/patients?${query}`);
  assert.equal(answer.status, 200);
  return (await answer.json()) as FoundPatient[];
};

test('an admin books for somebody of whom they know a name and a phone number; nobody gets an email', async () => {
  const answer = await atDesk();
  assert.equal(answer.status, 201);
  const booked = (await answer.json()) as Appointment;
  assert.deepEqual(
    [booked.patientname, booked.number, booked.age, booked.address],
    ['Rahim Uddin', '01711 000111', 0, ''],
  );
  assert.ok(hasNoEmail(booked.patientemail), booked.patientemail);
  assert.equal(await clinic.db.collection('outbox').countDocuments(), 0);
  const [record] = await stored();
  assert.ok(!record?.words.some((word) => word.includes('email')), String(record?.words));
});

test('a name and an email address are enough, too, and the message goes there', async () => {
  const answer = await atDesk({ patientemail: 'rahim@mail.example', number: null });
  assert.equal(answer.status, 201);
  const [entry] = await clinic.db.collection('outbox').find().toArray();
  assert.equal((entry?.['to'] as { readonly email: string } | undefined)?.email, 'rahim@mail.example');
});

test('without a way to reach the patient nothing is booked', async () => {
  const answer = await atDesk({ number: null });
  assert.equal(answer.status, 400);
  assert.deepEqual(((await answer.json()) as Problem).errors, [
    { field: 'number', message: 'Phone number or email is required' },
  ]);
  assert.deepEqual(await stored(), []);
});

test('patients have to say everything about themselves, as before', async () => {
  for (const [field, message] of [
    ['age', 'Age is required'],
    ['address', 'Address is required'],
    ['number', 'Phone number is required'],
  ] as const) {
    const answer = await clinic.requestBooking(ann, { [field]: null });
    assert.equal(answer.status, 400);
    assert.deepEqual(((await answer.json()) as Problem).errors, [{ field, message }]);
  }
  const nobody = await clinic.requestBooking(ann, { patientemail: null });
  assert.equal(nobody.status, 403);
  assert.deepEqual(await stored(), []);
});

test('two receptionists who book the same time at once book it once', async () => {
  const answers = await Promise.all([atDesk(), atDesk({ patientname: 'Karima Begum', number: '01711 000222' })]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [201, 409],
  );
  assert.equal((await stored()).length, 1);
});

test('a booking without an email address that is sent again is the same patient’s', async () => {
  const send = () =>
    clinic.as('admin')('/appoinments', {
      method: 'POST',
      json: clinic.booking(walkIn),
      headers: { 'Idempotency-Key': 'desk' },
    });
  const answers = await Promise.all([send(), send()]);
  const [first, second] = (await Promise.all(answers.map((one) => one.json()))) as Appointment[];
  assert.deepEqual(second, first);
  assert.equal((await stored()).length, 1);
});

test('two patients without an email address can be here at the same time', async () => {
  assert.equal((await atDesk()).status, 201);
  const other = await atDesk({ patientname: 'Karima Begum', doctoremail: drHouse.email });
  assert.equal(other.status, 201);
});

test('finds patients by name, by either spelling of the number and by email, once each, the latest visit first', async () => {
  await clinic.book();
  await clinic.book({ time: '09:30' });
  assert.equal((await atDesk({ time: '10:00' })).status, 201);
  for (const q of ['rahim', 'udd', '01711000111', '+880 1711-000111']) {
    const [one, ...others] = await found('admin', `q=${encodeURIComponent(q)}`);
    assert.deepEqual([one?.patientname, one?.number, others.length], ['Rahim Uddin', '01711 000111', 0], q);
  }
  const [annFound, ...rest] = await found('admin', `q=${encodeURIComponent(ann.email)}`);
  assert.deepEqual(rest, []);
  assert.deepEqual(
    { ...annFound, appointment: undefined },
    {
      appointment: undefined,
      patientname: 'Ann Lee',
      patientemail: ann.email,
      age: 34,
      address: '5 Lake Road',
      number: '+880 1555 010999',
      date: clinic.soon,
      doctorname: 'Dr. Meredith Grey',
    },
  );
  // What stands for the email address of somebody who has none is no word of theirs.
  for (const q of ['patient', 'no-email', 'invalid']) assert.deepEqual(await found('admin', `q=${q}`), [], q);
  // The doctor's name is no patient's.
  assert.deepEqual(await found('admin', 'q=meredith'), []);
});

test('finds a patient of long ago, however many visits a namesake or a doctor of that name has had since', async () => {
  const drHouseId = clinic.issuer.idOf(drHouse.email);
  const drRahim = { doctorName: 'Dr. Rahim Khan', doctorEmail: drHouse.email, doctorAccountId: drHouseId };
  // Past visits hold no minutes.
  const visit = (at: number, fields: Partial<AppointmentRecord>) => {
    const { cells: _past, ...record } = storedAppointment({
      date: addDays(clinic.today, -1 - Math.floor(at / 40)),
      time: timeOf((at % 40) * 30),
      ...fields,
    });
    return record;
  };
  const busy = Array.from({ length: 2_001 }, (_, at) =>
    visit(at, { ...drRahim, patientName: `Nadia ${at}`, patientEmail: `n${at}@mail.example` }),
  );
  const often = Array.from({ length: 60 }, (_, at) =>
    visit(at, { patientName: 'Rahim Weekly', patientEmail: 'weekly@mail.example' }),
  );
  const old = visit(8_000, { ...drRahim, patientName: 'Abdur Rahim', patientEmail: 'abdur@mail.example' });
  await clinic.appointments.insertMany([...busy, ...often, old]);
  const names = async (...asked: Parameters<typeof found>) =>
    (await found(...asked)).map(({ patientname }) => patientname);
  assert.deepEqual(await names('admin', 'q=rahim'), ['Rahim Weekly', 'Abdur Rahim']);
  assert.deepEqual(await names('admin', 'q=rah%20abd'), ['Abdur Rahim']);
  assert.deepEqual(await names('admin', `q=rahim&email=${drHouse.email}`), ['Abdur Rahim']);
  assert.deepEqual(await names(drHouse, `q=rahim&email=${drHouse.email}`), ['Abdur Rahim']);
  assert.deepEqual(await names('admin', 'q=khan'), []);
});

test('a doctor finds their own patients only, and patients find nobody', async () => {
  await clinic.book();
  await clinic.book({ doctoremail: drHouse.email, patientemail: ben.email, patientname: 'Ben Lee', time: '09:30' });
  const own = await found(drGrey, `email=${drGrey.email}&q=lee`);
  assert.deepEqual(
    own.map(({ patientname }) => patientname),
    ['Ann Lee'],
  );
  for (const [who, query] of [
    [drGrey, 'q=lee'],
    [drGrey, `email=${drHouse.email}&q=lee`],
    [ann, `email=${ann.email}&q=lee`],
  ] as const)
    assert.equal((await clinic.as(who)(`/appoinments/patients?${query}`)).status, 403, query);
});

test('a doctor books a known patient with a reason for the new visit', async () => {
  const before = await clinic.book({ reason: 'Palpitations' });
  const answer = await clinic.as(drGrey)('/appoinments/series', {
    method: 'POST',
    json: { from: before._id, reason: 'Results', dates: [{ date: clinic.soon, time: '10:00' }] },
  });
  assert.equal(answer.status, 201);
  const [booked] = (await answer.json()) as Appointment[];
  const record = await clinic.appointments.findOne({ _id: new ObjectId(booked?._id) });
  assert.deepEqual([record?.reason, record?.series, record?.patientEmail], ['Results', undefined, ann.email]);
});
