import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Problem } from '@clinic/contracts';
import type { Doctor, Pharmacist } from '../contract/schemas.ts';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ann, drGrey, drHouse } from '../testing/people.ts';
import { sharedClinic, staffOf, verdict, type Who } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
beforeEach(() => clinic.empty('doctors', 'pharmacists', 'events'));

const profile = {
  name: 'Meredith Grey',
  email: drGrey.email,
  qualification: 'MD',
  specialization: 'Cardiologist',
  experience: 9,
  role: 'doctor',
};
const create = (who: Who, json: unknown) => clinic.as(who)('/doc-pharma', { method: 'POST', json });

test('an admin creates a doctor, whom patients can find immediately', async () => {
  clinic.issuer.setStaff([staffOf(clinic, drGrey)]);
  const answer = await create('admin', { ...profile, email: 'Grey@Clinic.Example' });
  assert.equal(answer.status, 201);
  const doctor = (await answer.json()) as Doctor;
  assert.deepEqual(
    [doctor.email, doctor.education, doctor.isAvailable, doctor.availableTimes],
    [drGrey.email, 'Cardiologist', false, []],
    'without hours nobody can book',
  );
  assert.deepEqual(await (await clinic.anonymous('/doctors')).json(), [doctor]);
  const own = async () => (await clinic.as(drGrey)(`/doc-pharma/${drGrey.email}`)).json();
  await waitUntil(async () => assert.deepEqual(await own(), [doctor]));
  const event = await clinic.db
    .collection('events')
    .findOne({ 'record.type': 'doctor', 'record.id': doctor._id, action: 'created' });
  assert.deepEqual([event?.['action'], event?.['actor'].email], ['created', 'admin@clinic.example']);
});

test('an admin creates a pharmacist, listed for admins only', async () => {
  const answer = await create('admin', {
    ...profile,
    name: 'Olivia Pym',
    email: 'olivia@clinic.example',
    role: 'pharmacist',
    specialization: 'Oncology',
  });
  assert.equal(answer.status, 201);
  const pharmacist = (await answer.json()) as Pharmacist;
  assert.deepEqual(
    [pharmacist.experienceYears, pharmacist.status, pharmacist.specialization],
    [9, 'active', 'Oncology'],
  );
  assert.deepEqual(await (await clinic.as('admin')('/pharmacists?q=onco&limit=5')).json(), [pharmacist]);
  assert.deepEqual(await (await clinic.as('admin')('/pharmacists?q=cardio')).json(), []);
  assert.equal(await verdict(clinic.anonymous('/pharmacists')), '401 unauthenticated');
  assert.equal(await verdict(clinic.as(drGrey)('/pharmacists')), '403 forbidden');
});

test('an email has one profile of each kind, even if two admins create one at once', async () => {
  const verdicts = await Promise.all(Array.from({ length: 5 }, () => verdict(create('admin', profile))));
  assert.deepEqual(verdicts.toSorted(), ['201', ...Array.from({ length: 4 }, () => '409 duplicate')]);
  const rejected = (await (await create('admin', profile)).json()) as Problem;
  const message =
    'There’s already a doctor with this email address. Edit that profile under Doctors, or use another address';
  assert.deepEqual([rejected.detail, rejected.errors], [`${message}.`, [{ field: 'email', message }]]);
  assert.equal(await clinic.doctors.countDocuments({}), 1);
  assert.equal((await create('admin', { ...profile, role: 'pharmacist' })).status, 201);
  const again = (await (await create('admin', { ...profile, role: 'pharmacist' })).json()) as Problem;
  assert.match(
    again.detail ?? '',
    /a pharmacist with .* Edit that profile under Pharmacists, or use another address\.$/,
  );
});

test('every invalid field is named', async () => {
  for (const [field, value] of Object.entries({
    name: '',
    email: 'x',
    qualification: ' ',
    specialization: 7,
    experience: -1,
    role: 'admin',
  })) {
    const problem = (await (await create('admin', { ...profile, [field]: value })).json()) as Problem;
    assert.deepEqual([problem.status, problem.errors?.map((error) => error.field)], [400, [field]], field);
  }
  assert.equal(await clinic.doctors.countDocuments({}), 0);
});

test('only admins can create profiles, and doctors can read only their own', async () => {
  assert.equal(
    await verdict(clinic.anonymous('/doc-pharma', { method: 'POST', json: profile })),
    '401 unauthenticated',
  );
  for (const who of ['patient', 'pharmacist', 'doctor'] as const)
    assert.equal(await verdict(create(who, profile)), '403 forbidden');
  assert.equal(await clinic.doctors.countDocuments({}), 0);
  assert.equal(await verdict(clinic.as(drHouse)(`/doc-pharma/${drGrey.email}`)), '403 forbidden');
  assert.deepEqual(await (await clinic.as(drGrey)(`/doc-pharma/${drGrey.email}`)).json(), []);
});

test('an admin edits a doctor, who is found by the new words immediately, and the history has the changes', async () => {
  const { _id } = (await (await create('admin', profile)).json()) as Doctor;
  const edit = (who: Who, json: unknown, id = _id) =>
    clinic.as(who)(`/doctors/${id}/profile`, { method: 'PATCH', json });
  const answer = await edit('admin', {
    name: 'Dr. Merida Grey',
    specialization: 'Dermatology',
    location: 'Level 4',
    experience: 9,
  });
  assert.equal(answer.status, 200);
  const doctor = (await answer.json()) as Doctor;
  assert.deepEqual(
    [doctor.name, doctor.specialty, doctor.location, doctor.qualification],
    ['Dr. Merida Grey', 'Dermatology', 'Level 4', 'MD'],
  );
  assert.deepEqual(await (await clinic.anonymous('/doctors?q=merida&specialty=Dermatology')).json(), [doctor]);
  // A repeat is no change.
  assert.equal((await edit('admin', { location: 'Level 4' })).status, 200);
  const changes = await clinic.findEvents({ action: 'profile changed' });
  assert.deepEqual(
    changes.map(({ before, after, actor }) => [before, after, actor.email]),
    [
      [
        { name: 'Meredith Grey', specialization: 'Cardiologist', location: '' },
        { name: 'Dr. Merida Grey', specialization: 'Dermatology', location: 'Level 4' },
        'admin@clinic.example',
      ],
    ],
  );

  for (const who of [ann, drGrey, 'pharmacist'] as const)
    assert.equal(await verdict(edit(who, { location: 'Roof' })), '403 forbidden');
  assert.equal(await verdict(edit('admin', {})), '400 validation_failed');
  assert.equal(await verdict(edit('admin', { name: ' ' })), '400 validation_failed');
  assert.equal(await verdict(edit('admin', { name: 'Nobody' }, 'a'.repeat(24))), '404 not_found');
  assert.equal((await clinic.doctors.findOne({}))?.location, 'Level 4');
});

test('an admin edits a pharmacist and puts them on leave', async () => {
  const { _id } = (await (await create('admin', { ...profile, role: 'pharmacist' })).json()) as Pharmacist;
  const edit = (json: unknown) => clinic.as('admin')(`/pharmacists/${_id}`, { method: 'PATCH', json });
  const pharmacist = (await (
    await edit({ phone: '+880 1555 010311', status: 'on leave', experience: 10 })
  ).json()) as Pharmacist;
  assert.deepEqual(
    [pharmacist.phone, pharmacist.status, pharmacist.experienceYears, pharmacist.name],
    ['+880 1555 010311', 'on leave', 10, 'Meredith Grey'],
  );
  assert.deepEqual(await (await clinic.as('admin')('/pharmacists')).json(), [pharmacist]);
  assert.equal(await verdict(edit({ status: 'asleep' })), '400 validation_failed');
  assert.equal(await verdict(edit({ phone: 'call me' })), '400 validation_failed');
  assert.equal(
    await verdict(clinic.as('pharmacist')(`/pharmacists/${_id}`, { method: 'PATCH', json: { status: 'active' } })),
    '403 forbidden',
  );
});

test('an admin reads the profiles of an account, whoever has its address by then', async () => {
  const graysId = clinic.issuer.idOf(drGrey.email);
  const own = await clinic.addDoctor({ email: 'before@clinic.example' }, false);
  await clinic.doctors.updateOne({ _id: own._id }, { $set: { accountId: graysId } });
  const waiting = await clinic.addDoctor({}, false);
  const contacts = clinic.db.collection<{ _id: string; accountId: string }>('contacts');
  const profiles = async (query = ''): Promise<string[]> => {
    const answer = await clinic.as('admin')(`/doc-pharma/${drGrey.email}${query}`);
    return ((await answer.json()) as Doctor[]).map(({ _id }) => _id);
  };
  const ofAccount = `?account=${graysId}`;
  const [ownId, waitingId] = [own, waiting].map(({ _id }) => _id.toHexString());
  const held = (accountId: string) =>
    contacts.updateOne({ _id: drGrey.email }, { $set: { accountId } }, { upsert: true });
  await held(graysId);
  assert.deepEqual(await profiles(ofAccount), [ownId, waitingId]);
  assert.deepEqual(await profiles(), [ownId, waitingId]);
  // The address is somebody else's now, and so is the profile that waits for its account.
  await held(clinic.issuer.idOf(drHouse.email));
  assert.deepEqual(await profiles(ofAccount), [ownId]);
  assert.deepEqual(await profiles(), [waitingId]);
  await held(graysId);
});
