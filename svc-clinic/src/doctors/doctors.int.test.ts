import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import type { Doctor } from '../contract/schemas.ts';
import { read, sharedClinic, storedAppointment, verdict } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
await clinic.addDoctor({ name: 'Dr. Zoe Adams', email: 'zoe@clinic.example', experience: 20, rating: 4 });
await clinic.addDoctor({
  name: 'dr. anna berg',
  email: 'anna@clinic.example',
  experience: 5,
  rating: 5,
  specialization: 'Dermatology',
});
await clinic.addDoctor({
  name: 'Dr. Bob Cardio',
  email: 'bob@clinic.example',
  experience: 12,
  rating: 3,
  specialization: 'Pediatrics',
});

const names = async (path: string): Promise<string[]> =>
  ((await (await clinic.anonymous(path)).json()) as Doctor[]).map(({ name }) => name);

test('everybody can read the directory, sorted by name by default', async () => {
  assert.deepEqual(await names('/doctors'), ['dr. anna berg', 'Dr. Bob Cardio', 'Dr. Zoe Adams']);
  assert.deepEqual(await names('/doctors?sort=experience'), ['Dr. Zoe Adams', 'Dr. Bob Cardio', 'dr. anna berg']);
  assert.deepEqual(await names('/doctors?sort=rating'), ['dr. anna berg', 'Dr. Zoe Adams', 'Dr. Bob Cardio']);
});

test('the specialty filter matches the whole specialty, in any case', async () => {
  assert.deepEqual(await names('/doctors?specialty=pediatrics'), ['Dr. Bob Cardio']);
  assert.deepEqual(await names('/doctors?specialty=Pedia'), []);
  assert.deepEqual(await names('/doctors?specialty=Cardiologist&q=zoe&limit=5'), ['Dr. Zoe Adams']);
});

test('finds a doctor by email address', async () => {
  assert.deepEqual(await names('/doctors?email=Bob@Clinic.Example'), ['Dr. Bob Cardio']);
  assert.deepEqual(await names('/doctors?email=nobody@clinic.example'), []);
});

test('returns one doctor for _id', async () => {
  const zoe = await clinic.doctors.findOne({ email: 'zoe@clinic.example' });
  const answer = await clinic.anonymous(`/doctors?_id=${zoe?._id.toHexString()}`);
  assert.equal(answer.status, 200);
  const doctor = (await answer.json()) as Doctor;
  assert.equal(doctor.name, 'Dr. Zoe Adams');
  assert.equal(doctor.id, doctor._id);
  assert.equal(doctor.specialty, doctor.specialization);
  assert.equal(await verdict(clinic.anonymous('/doctors?_id=nonsense')), '400 bad_id');
  assert.equal(await verdict(clinic.anonymous(`/doctors?_id=${'a'.repeat(24)}`)), '404 not_found');
});

test('free times need a known doctor and a valid date', async () => {
  const zoe = await clinic.doctors.findOne({ email: 'zoe@clinic.example' });
  const path = `/doctors/${zoe?._id.toHexString()}/free-times`;
  const answer = await clinic.anonymous(`${path}?date=${clinic.soon}`);
  assert.deepEqual(await answer.json(), {
    date: clinic.soon,
    timeZone: 'Asia/Dhaka',
    times: ['09:00', '09:30', '10:00'],
    anyTime: false,
  });
  assert.equal(await verdict(clinic.anonymous(path)), '400 validation_failed');
  assert.equal(await verdict(clinic.anonymous(`${path}?date=2026-02-30`)), '400 validation_failed');
  assert.equal(
    await verdict(clinic.anonymous(`/doctors/${'a'.repeat(24)}/free-times?date=${clinic.soon}`)),
    '404 not_found',
  );
  assert.equal(await verdict(clinic.anonymous(`/doctors/nonsense/free-times?date=${clinic.soon}`)), '400 bad_id');
});

test('each doctor has the earliest free slot, with few queries for all of them', async () => {
  const emails = ['busy@clinic.example', 'full@clinic.example', 'away@clinic.example', 'any@clinic.example'] as const;
  await clinic.addDoctor({ name: 'N Busy', email: emails[0], availableTimes: ['10:00', '09:00'] });
  await clinic.addDoctor({ name: 'N Full', email: emails[1], availableTimes: ['09:00'] });
  await clinic.addDoctor({ name: 'N Away', email: emails[2], isAvailable: false });
  await clinic.addDoctor({ name: 'N Any', email: emails[3], availableTimes: [] });
  const hold = (doctorEmail: string, date: string, time: string, status: 'Pending' | 'Cancelled' = 'Pending') =>
    storedAppointment({ doctorEmail, date, time, status });
  const days = Array.from({ length: 91 }, (_, day) => addDays(clinic.today, day));
  await clinic.appointments.insertMany([
    ...days.slice(0, 6).map((date) => hold(emails[0], date, '09:00')),
    ...days.slice(0, 5).map((date) => hold(emails[0], date, '10:00')),
    hold(emails[0], addDays(clinic.today, 5), '10:00', 'Cancelled'),
    ...days.map((date) => hold(emails[1], date, '09:00')),
  ]);
  const nextFree = async (path: string) =>
    Object.fromEntries(
      ((await (await clinic.anonymous(path)).json()) as Doctor[])
        .filter(({ name }) => name.startsWith('N '))
        .map((doctor) => [doctor.name, doctor.nextFree]),
    );
  const expected = {
    'N Busy': { date: addDays(clinic.today, 5), time: '10:00' },
    'N Full': null,
    'N Away': null,
    'N Any': null,
  };
  assert.deepEqual(await nextFree('/doctors'), expected);
  assert.deepEqual(await nextFree('/doctors?limit=50'), expected);

  await clinic.appointments.deleteMany({ doctorEmail: emails[1], date: addDays(clinic.today, 40) });
  const full = (await clinic.doctors.findOne({ email: emails[1] }))?._id.toHexString();
  const one = await read<Doctor>(clinic.anonymous, `/doctors?_id=${full}`);
  assert.deepEqual(one.nextFree, { date: addDays(clinic.today, 40), time: '09:00' });
});

test('readers of a list that share one query all see the doctors added before they asked', async () => {
  const added: string[] = [];
  const reads: Promise<{ readonly before: readonly string[]; readonly found: readonly string[] }>[] = [];
  for (let round = 0; round < 12; round += 1) {
    const email = `crowd${round}@clinic.example`;
    await clinic.addDoctor({ name: `Dr. Crowd ${round}`, email });
    added.push(`Dr. Crowd ${round}`);
    const before = [...added];
    for (let reader = 0; reader < 8; reader += 1)
      reads.push(names('/doctors?q=crowd&limit=50').then((found) => ({ before, found })));
  }
  for (const { before, found } of await Promise.all(reads))
    assert.deepEqual(
      before.filter((name) => !found.includes(name)),
      [],
    );
  await clinic.doctors.deleteMany({ email: /^crowd/ });
});
