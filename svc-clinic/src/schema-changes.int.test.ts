import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Appointment } from './contract/schemas.ts';
import { newId } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { ObjectId } from 'mongodb';
import { startTestDatabase, type TestDatabase } from '@clinic/service-kit/testing';
import { ann, ben, drGrey } from './testing/people.ts';
import { startTestClinic, staffOf, type TestClinic } from './testing/test-clinic.ts';

let server: TestDatabase;
const clinics: TestClinic[] = [];
before(async () => {
  server = await startTestDatabase();
});
after(async () => {
  for (const clinic of clinics) await clinic.close();
  await server.close();
});

async function start(database: string): Promise<TestClinic> {
  const clinic = await startTestClinic({ MONGODB_URI: server.uri, MONGODB_DATABASE: database });
  clinics.push(clinic);
  return clinic;
}

/** An appointment as release 0.1.0 stored it, booked by somebody. */
async function bookedBefore(
  clinic: TestClinic,
  patientEmail: string,
  time: string,
  actor: object | undefined,
): Promise<ObjectId> {
  const _id = newId();
  const people = [patientEmail, drGrey.email];
  await clinic.db.collection('appointments').insertOne({
    _id,
    patientName: 'Ann Lee',
    patientEmail,
    doctorName: 'Dr. Grey',
    doctorEmail: drGrey.email,
    age: 34,
    address: 'x',
    phone: '123',
    date: clinic.soon,
    time,
    status: 'Pending',
    people,
    words: ['ann'],
    bookedAt: new Date(),
    changedAt: new Date(),
  });
  await clinic.db.collection('events').insertOne({
    at: new Date(),
    call: 'bookAppointment',
    ...(actor && { actor }),
    requestId: 'r',
    record: { type: 'appointment', id: _id.toHexString() },
    concerns: people,
    people,
    action: 'booked',
    before: null,
    after: { patientemail: patientEmail },
  });
  return _id;
}

test('appointments of the previous release get their accounts, once, even if replicas start together', async () => {
  const former = await start('migrated');
  const idOf = (email: string): string => former.issuer.idOf(email);
  await former.db.collection('schemaChanges').deleteMany({});
  const own = await bookedBefore(former, ann.email, '09:00', {
    id: idOf(ann.email),
    email: ann.email,
    role: 'patient',
  });
  const byAdmin = await bookedBefore(former, ben.email, '09:30', {
    id: idOf('admin@clinic.example'),
    email: 'admin@clinic.example',
    role: 'admin',
  });
  const seeded = await bookedBefore(former, 'seeded@mail.example', '10:00', undefined);
  const erased = await bookedBefore(former, `deleted-${'a'.repeat(24)}@deleted.invalid`, '10:30', {
    id: 'a'.repeat(24),
    email: `deleted-${'a'.repeat(24)}@deleted.invalid`,
    role: 'patient',
  });
  for (let more = 0; more < 250; more += 1)
    await bookedBefore(former, ann.email, `1${Math.floor(more / 60)}:${String(more % 60).padStart(2, '0')}:x`, {
      id: idOf(ann.email),
      email: ann.email,
      role: 'patient',
    });

  const [one, two] = await Promise.all([start('migrated'), start('migrated')]);
  const accountsOf = async (_id: ObjectId) => {
    const record = await one.appointments.findOne({ _id });
    return [record?.patientId, record?.accounts];
  };
  assert.deepEqual(await accountsOf(own), [idOf(ann.email), [idOf(ann.email)]]);
  for (const id of [byAdmin, seeded, erased]) assert.deepEqual(await accountsOf(id), [undefined, []]);
  assert.equal(await one.appointments.countDocuments({ patientId: idOf(ann.email) }), 251);
  const changes = await one.db.collection('schemaChanges').find({}).sort({ _id: 1 }).toArray();
  assert.deepEqual(
    changes.map(({ name }) => name),
    [
      'profiles and appointments are found by search keys',
      'appointments belong to accounts',
      'profiles are found by parts of their names and specialties',
      'doctors have weekly hours',
      'appointments keep the length and place they were promised',
      'events carry the accounts they are about',
      'records are found without accents, and by phone numbers however they are typed',
      'places on the waitlist are found by words and phone numbers',
      'patients are found without those of doctors of the same name',
    ],
  );
  assert.equal(
    [...one.log, ...two.log].filter((line) => line.includes('"name":"appointments belong to accounts"')).length,
    1,
  );

  const listed = (await (await two.as(ben)(`/appoinments?email=${ben.email}`)).json()) as Appointment[];
  assert.deepEqual(
    listed.map(({ _id }) => _id),
    [byAdmin.toHexString()],
  );
});

test('bookings by a replica of the previous release during the upgrade get their accounts too', async () => {
  const clinic = await start('rolling');
  await clinic.addDoctor();
  const straggler = await bookedBefore(clinic, ann.email, '09:00', {
    id: clinic.issuer.idOf(ann.email),
    email: ann.email,
    role: 'patient',
  });
  // Ben's account has already confirmed its address.
  await clinic.as(ben)(`/appoinments?email=${ben.email}`);
  const byAdmin = await bookedBefore(clinic, ben.email, '09:30', {
    id: 'd'.repeat(24),
    email: 'admin@clinic.example',
    role: 'admin',
  });
  clinic.issuer.setStaff([staffOf(clinic, drGrey)]);
  for (const [_id, patient] of [
    [straggler, ann],
    [byAdmin, ben],
  ] as const) {
    const accounts = [clinic.issuer.idOf(patient.email), clinic.issuer.idOf(drGrey.email)];
    await waitUntil(async () => {
      const record = await clinic.appointments.findOne({ _id });
      assert.deepEqual([record?.patientId, record?.doctorAccountId, record?.accounts], [...accounts, accounts]);
    });
  }
});
