import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Appointment, type Doctor, type Pharmacist } from '@clinic/contracts';
import { startTestService } from '@clinic/service-kit/testing';
import { ObjectId } from 'mongodb';
import { pharmacistRecord } from './pharmacists/pharmacist-record.ts';
import { clinicService } from './service.ts';
import { ann, book, read, sharedClinic } from './testing/test-clinic.ts';

// Composed and decomposed, in all cases, with both encodings of a Bangla letter.
const jose = ['Jos\u00e9', 'jose\u0301', 'JOS\u00c9'];
const istanbul = ['\u0130stanbul', 'istanbul', 'ISTANBUL'];
const weiss = ['Weiß', 'weiss', 'WEISS', 'WEI\u1e9e'];
const joya = ['জ\u09dfা', 'জ\u09af\u09bcা'];

const clinic = await sharedClinic({ CLINIC_MAX_OPEN_APPOINTMENTS: '50' });
for (const [at, name] of [
  'Dr. Jos\u00e9 \u0130stanbul',
  'Dr. Jose\u0301 Weiß',
  'Dr. জ\u09dfা',
  'Dr. জ\u09af\u09bcা',
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
  await book(clinic, {
    patientname: name,
    doctoremail: `doctor${at}@clinic.example`,
    date: addDays(clinic.soon, at),
    time: '09:00',
  });
}

async function found(path: string, q: string): Promise<number[]> {
  const answer = await clinic.as('admin')(`${path}${path.includes('?') ? '&' : '?'}q=${encodeURIComponent(q)}`);
  assert.equal(answer.status, 200);
  const rows = (await answer.json()) as (Doctor | Pharmacist | Appointment)[];
  return rows
    .map((row) => Number(/\d/.exec('doctoremail' in row ? row.doctoremail : row.email)?.[0]))
    .toSorted((a, b) => a - b);
}

async function assertFound(): Promise<void> {
  for (const list of ['/doctors', '/pharmacists', '/appoinments']) {
    for (const q of jose) assert.deepEqual(await found(list, q), [0, 1], `${list} ${q}`);
    for (const q of istanbul) assert.deepEqual(await found(list, q), [0], `${list} ${q}`);
    for (const q of weiss) assert.deepEqual(await found(list, q), [1], `${list} ${q}`);
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
    ['dr', [0, 1, 2, 3]],
    ['r. j', [0, 1]],
    ['the', [0, 1, 2, 3]],
    ['weiss other', []],
    ['(w', []],
    ['Dr. Jos\u00e9 \u0130stanbul of the Clinic', []],
  ] as const)
    assert.deepEqual(await found('/pharmacists', q), numbers, q);
  assert.deepEqual(await found('/doctors', 'f\u00e9 str'), [0]);
  assert.deepEqual(await found('/doctors', 'the'), [1, 2, 3]);
});

test('finds doctors, pharmacists and appointments however their names are typed', assertFound);

test('finds records of the previous release, too, once a replica of this one has started', async () => {
  const { doctors, pharmacists, appointments, db, context } = clinic;
  for await (const { _id, name, specialization } of doctors.find()) {
    const [nameKey, specialtyKey] = [name.toLowerCase(), specialization.toLowerCase()];
    await doctors.updateOne(
      { _id },
      { $set: { nameKey, specialtyKey, searchText: `${nameKey}\n${specialtyKey}` }, $unset: { searchParts: 1 } },
    );
    await pharmacists.updateOne({ name }, { $set: { nameKey, searchText: nameKey }, $unset: { searchParts: 1 } });
  }
  for await (const { _id, patientName } of appointments.find())
    await appointments.updateOne({ _id }, { $set: { words: patientName.normalize('NFC').toLowerCase().split(' ') } });
  assert.deepEqual(await found('/doctors', 'weiss'), []);
  await db.collection('schemaChanges').deleteMany({});
  const replica = await startTestService(clinicService, {
    mongoUri: context.settings.MONGODB_URI,
    env: { CLINIC_TZ: 'Asia/Dhaka', MONGODB_DATABASE: db.databaseName },
  });
  await assertFound();
  await replica.close();
  assert.equal((await appointments.findOne({ patientEmail: ann.email }))?.words.includes('ann'), true);
});
