import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import type { Appointment, Doctor, Pharmacist } from './contract/schemas.ts';
import { startTestService } from '@clinic/service-kit/testing';
import { ObjectId } from 'mongodb';
import { searchFields } from './search-keys.ts';
import { doctorTarget } from './waitlist/waitlist-record.ts';
import { joinAppointments } from './accounts/join-appointments.ts';
import { collectionsOf } from './collections.ts';
import { pharmacistRecord } from './pharmacists/pharmacist-record.ts';
import { clinicService } from './service.ts';
import { ann } from './testing/people.ts';
import { read, sharedClinic } from './testing/test-clinic.ts';

// Composed and decomposed, in all cases, with both encodings of a Bangla letter.
const jose = ['Jos\u00e9', 'jose\u0301', 'JOS\u00c9'];
const istanbul = ['\u0130stanbul', 'istanbul', 'ISTANBUL'];
const weiss = ['Weiß', 'weiss', 'WEISS', 'WEI\u1e9e'];
const nunez = ['nunez', 'NU\u00d1EZ', 'Nun\u0303ez', 'Nuñez O’Brien'];
const obrien = ["o'brien", 'O’BRIEN', 'o\u2011brien', 'obrien', 'brien'];
const joya = ['জ\u09dfা', 'জ\u09af\u09bcা'];

const clinic = await sharedClinic({ CLINIC_MAX_OPEN_APPOINTMENTS: '50' });
for (const [at, name] of [
  'Dr. Jos\u00e9 \u0130stanbul',
  'Dr. Jose\u0301 Weiß',
  'Dr. জ\u09dfা',
  'Dr. জ\u09af\u09bcা',
  'Dr. Núñez O’Brien',
].entries()) {
  await clinic.addDoctor({
    _id: new ObjectId(),
    name,
    email: `doctor${at}@clinic.example`,
    specialization: at === 0 ? 'Cafe\u0301 Straße' : 'Other',
  });
  await clinic.pharmacists.insertOne(
    pharmacistRecord({
      _id: new ObjectId(),
      name,
      email: `pharmacist${at}@clinic.example`,
      phone: '',
      status: 'active',
      qualification: 'BPharm',
      specialization: 'Other',
      experience: 1,
      createdAt: new Date(),
    }),
  );
  await clinic.book({
    patientname: name,
    number: `+880 1711 00000${at}`,
    doctoremail: `doctor${at}@clinic.example`,
    date: addDays(clinic.soon, at),
    time: '09:00',
  });
}

/** A place on the waitlist for each doctor's patient, as the previous release stored it. */
async function waitAsBefore(): Promise<void> {
  const { context } = clinic;
  const { waitlist } = collectionsOf(clinic.db);
  for await (const { patientName, doctorEmail, doctorName, phone } of clinic.appointments.find().sort({ _id: 1 })) {
    const target = doctorTarget(doctorEmail);
    await waitlist.insertOne({
      _id: new ObjectId(),
      patientId: new ObjectId().toHexString(),
      patientName: `${patientName} Waiting`,
      patientEmail: `waiting${/\d/.exec(doctorEmail)?.[0] ?? ''}@mail.example`,
      confirmed: true,
      age: 40,
      address: '',
      phone,
      target,
      about: target,
      doctorEmail,
      doctorName,
      from: clinic.soon,
      until: clinic.soon,
      parts: ['morning'],
      status: 'waiting',
      joinedAt: new Date(),
    });
  }
  await searchFields('BD')
    .find(({ recordType }) => recordType === 'waitlist')
    ?.rewrite(context);
}
await waitAsBefore();

async function found(path: string, q: string): Promise<number[]> {
  const answer = await clinic.as('admin')(`${path}${path.includes('?') ? '&' : '?'}q=${encodeURIComponent(q)}`);
  assert.equal(answer.status, 200);
  const rows = (await answer.json()) as (Doctor | Pharmacist | Appointment)[];
  return rows
    .map((row) => Number(/\d/.exec('doctoremail' in row ? row.doctoremail : row.email)?.[0]))
    .toSorted((a, b) => a - b);
}

async function assertFound(): Promise<void> {
  for (const list of ['/doctors', '/pharmacists', '/appoinments', '/waitlist']) {
    for (const q of jose) assert.deepEqual(await found(list, q), [0, 1], `${list} ${q}`);
    for (const q of istanbul) assert.deepEqual(await found(list, q), [0], `${list} ${q}`);
    for (const q of weiss) assert.deepEqual(await found(list, q), [1], `${list} ${q}`);
    for (const q of nunez) assert.deepEqual(await found(list, q), [4], `${list} ${q}`);
    for (const q of obrien) assert.deepEqual(await found(list, q), [4], `${list} ${q}`);
    for (const q of joya) assert.deepEqual(await found(list, q), [2, 3], `${list} ${q}`);
    for (const q of ['\u200b', '\u200d\u200d']) assert.deepEqual(await found(list, q), [], `${list} without a letter`);
  }
  for (const specialty of ['Caf\u00e9 Strasse', 'CAFE\u0301 STRASSE']) {
    const doctors = await read<Doctor[]>(clinic.anonymous, `/doctors?specialty=${encodeURIComponent(specialty)}`);
    assert.deepEqual(
      doctors.map(({ email }) => email),
      ['doctor0@clinic.example'],
    );
  }
}

test('finds doctors and pharmacists by any part of their names and specialties', async () => {
  for (const [q, numbers] of [
    ['os\u00e9', [0, 1]],
    ['ANBU', [0]],
    ['ei', [1]],
    ['\u00e9 w', [1]],
    ['\u09bc', [2, 3]],
    ['dr', [0, 1, 2, 3, 4]],
    ['r. j', [0, 1]],
    ['the', [0, 1, 2, 3, 4]],
    ['weiss other', []],
    ['(w', []],
    ['Dr. Jos\u00e9 \u0130stanbul of the Clinic', []],
  ] as const)
    assert.deepEqual(await found('/pharmacists', q), numbers, q);
  assert.deepEqual(await found('/doctors', 'f\u00e9 str'), [0]);
  assert.deepEqual(await found('/doctors', 'the'), [1, 2, 3, 4]);
});

async function assertFoundByPhone(): Promise<void> {
  for (const list of ['/appoinments', '/waitlist']) {
    for (const q of ['01711 000002', '+8801711-000002', '008801711000002', '1711000002', '০১৭১১০০০০০২', '٠١٧١١-٠٠٠٠٠٢'])
      assert.deepEqual(await found(list, q), [2], `${list} ${q}`);
    for (const q of ['01711', '+880 1711 00', '017110'])
      assert.deepEqual(await found(list, q), [0, 1, 2, 3, 4], `${list} ${q}`);
    for (const q of ['01712', '2', '00']) assert.deepEqual(await found(list, q), [], `${list} ${q}`);
  }
}

test('finds places on the waitlist by the current address of who waits, also of who joins now', async () => {
  assert.deepEqual(await found('/waitlist', 'WAITING3@mail'), [3]);
  const { waitlist } = collectionsOf(clinic.db);
  assert.deepEqual(await found('/waitlist', 'waiting3'), [3]);
  assert.deepEqual(await found('/waitlist?open=false', 'waiting3'), []);
  const { patientId = '' } = (await waitlist.findOne({ patientEmail: 'waiting3@mail.example' })) ?? {};
  await clinic.context.inTransaction((session) =>
    joinAppointments(clinic)(session, { id: patientId, email: 'new3@mail.example' }),
  );
  for (const q of ['waiting3@', 'waiting3']) assert.deepEqual(await found('/waitlist', q), [], q);
  for (const q of ['new3', 'new3@mail.example', 'NEW3@']) assert.deepEqual(await found('/waitlist', q), [3], q);
  const answer = await clinic.as(ann)('/waitlist', {
    method: 'POST',
    json: {
      patientemail: ann.email,
      patientname: 'Anne-Marie Núñez',
      age: 40,
      address: 'Road 5',
      number: '০১৯১১-৩৩৩৪৪৪',
      doctoremail: 'doctor0@clinic.example',
      from: clinic.soon,
      until: clinic.soon,
      parts: ['evening'],
    },
  });
  assert.equal(answer.status, 201, await answer.clone().text());
  for (const q of ['marie', 'nunez anne', '+880 1911', '০১৯১১'])
    assert.deepEqual(await found('/waitlist?open=true', q), [0], q);
  await waitlist.deleteOne({ patientEmail: ann.email });
});

test('finds appointments by the patient’s phone number however it is typed, and keeps what was typed', async () => {
  await assertFoundByPhone();
  const { _id, phone, phoneE164 } =
    (await clinic.appointments.findOne({ doctorEmail: 'doctor2@clinic.example' })) ?? {};
  assert.deepEqual([phone, phoneE164], ['+880 1711 000002', '+8801711000002']);
  const corrected = await clinic.as('admin')(`/appoinments/${String(_id)}/details`, {
    method: 'PATCH',
    json: { number: '\u202a০১৯১১-৩৩৩৪৪৪\u202c' },
  });
  assert.equal(corrected.status, 200);
  assert.deepEqual(await found('/appoinments', '+880 1911'), [2]);
  assert.equal((await clinic.appointments.findOne({ phoneE164: '+8801911333444' }))?.phone, '০১৯১১-৩৩৩৪৪৪');
  await clinic.as('admin')(`/appoinments/${String(_id)}/details`, { method: 'PATCH', json: { number: '01711000002' } });
});

test('sorts names as people do', async () => {
  await clinic.addDoctor({
    _id: new ObjectId(),
    name: 'Dr. Ñato',
    email: 'doctor5@clinic.example',
    specialization: 'Other',
  });
  await clinic.addDoctor({
    _id: new ObjectId(),
    name: 'Dr. Oz',
    email: 'doctor6@clinic.example',
    specialization: 'Other',
  });
  await clinic.addDoctor({
    _id: new ObjectId(),
    name: 'Dr. Äbel',
    email: 'doctor7@clinic.example',
    specialization: 'Other',
  });
  const names = (await read<Doctor[]>(clinic.anonymous, '/doctors?q=dr&sort=name')).map(({ name }) => name);
  const latin = names.filter((name) => /^Dr\. \p{Script=Latin}/u.test(name));
  assert.deepEqual(latin, latin.toSorted(new Intl.Collator('en').compare));
  await clinic.doctors.deleteMany({ email: /^doctor[567]@/ });
});

test('finds doctors, pharmacists and appointments however their names are typed', assertFound);

test('finds records of the previous release, too, once a replica of this one has started', async () => {
  const { doctors, pharmacists, appointments, db, context } = clinic;
  const { waitlist } = collectionsOf(db);
  for await (const { _id, name, specialization } of doctors.find()) {
    const [nameKey, specialtyKey] = [name.toLowerCase(), specialization.toLowerCase()];
    await doctors.updateOne(
      { _id },
      { $set: { nameKey, specialtyKey, searchText: `${nameKey}\n${specialtyKey}` }, $unset: { searchParts: 1 } },
    );
    await pharmacists.updateOne({ name }, { $set: { nameKey, searchText: nameKey }, $unset: { searchParts: 1 } });
  }
  for await (const { _id, patientName } of appointments.find())
    await appointments.updateOne(
      { _id },
      { $unset: { phoneE164: 1 }, $set: { words: patientName.normalize('NFC').toLowerCase().split(' ') } },
    );
  await waitlist.updateMany({}, { $unset: { words: 1, phoneE164: 1 } });
  assert.deepEqual(await found('/doctors', 'weiss'), []);
  assert.deepEqual(await found('/waitlist', 'weiss'), []);
  await db.collection('schemaChanges').deleteMany({});
  const replica = await startTestService(clinicService, {
    mongoUri: context.settings.MONGODB_URI,
    env: { CLINIC_TZ: 'Asia/Dhaka', MONGODB_DATABASE: db.databaseName },
  });
  await assertFound();
  await assertFoundByPhone();
  await replica.close();
  assert.equal((await appointments.findOne({ patientEmail: ann.email }))?.words.includes('ann'), true);
});
