import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import type { Doctor } from '../contract/schemas.ts';
import { ObjectId } from 'mongodb';
import { drGrey, drHouse } from '../testing/people.ts';
import { sharedClinic, verdict } from '../testing/test-clinic.ts';
import { doctorRecord } from './doctor-record.ts';
import { mostDoctorsByTime } from './doctors-by-time.ts';

const zoe = 'zoe@clinic.example';
const away = 'away@clinic.example';
const any = 'any@clinic.example';

const clinic = await sharedClinic();
const tomorrow = addDays(clinic.today, 1);
const dayAfter = addDays(clinic.today, 2);
// Nobody is free today, whatever the time is now.
const daysOff = [clinic.today];
await clinic.addDoctor({ name: 'Grey', availableTimes: ['14:00', '09:00'], experience: 5, daysOff });
await clinic.addDoctor({
  name: 'House',
  email: drHouse.email,
  availableTimes: ['12:00', '11:30'],
  experience: 9,
  daysOff,
});
await clinic.addDoctor({
  name: 'Zoe',
  email: zoe,
  availableTimes: ['08:00'],
  specialization: 'Pediatrics',
  daysOff: [...daysOff, tomorrow],
});
await clinic.addDoctor({ name: 'Away', email: away, isAvailable: false });
await clinic.addDoctor({ name: 'Any', email: any, availableTimes: [] });

async function ask(query: string): Promise<readonly Doctor[]> {
  const answer = await clinic.anonymous(`/doctors?${query}`);
  assert.equal(answer.status, 200, query);
  return (await answer.json()) as Doctor[];
}

const slots = async (query: string) =>
  (await ask(query)).map(({ name, nextFree, nextFreeTimes }) => [name, nextFree?.date, nextFreeTimes]);

test('lists doctors soonest first, and those without a free time last', async () => {
  assert.deepEqual(await slots('sort=soonest'), [
    ['Grey', tomorrow, ['09:00', '14:00']],
    ['House', tomorrow, ['11:30', '12:00']],
    ['Zoe', dayAfter, ['08:00']],
    ['Any', undefined, []],
    ['Away', undefined, []],
  ]);
});

test('keeps only doctors who are free in the period, with its free times', async () => {
  assert.deepEqual(await slots(`from=${tomorrow}&until=${tomorrow}&part=afternoon`), [
    ['House', tomorrow, ['12:00']],
    ['Grey', tomorrow, ['14:00']],
  ]);
  assert.deepEqual(await slots(`from=${tomorrow}&until=${tomorrow}&part=morning&sort=experience`), [
    ['House', tomorrow, ['11:30']],
    ['Grey', tomorrow, ['09:00']],
  ]);
  assert.deepEqual(await slots(`from=${clinic.today}&until=${clinic.today}`), []);
  assert.deepEqual(await slots(`from=${dayAfter}&specialty=Pediatrics`), [['Zoe', dayAfter, ['08:00']]]);
  assert.deepEqual(await slots(`until=${addDays(clinic.today, -1)}`), []);
  assert.deepEqual(await slots(`from=${addDays(clinic.today, 200)}`), []);
});

test('a booking takes the time out at once', async () => {
  const appointment = await clinic.book({ doctoremail: drGrey.email, date: tomorrow, time: '09:00' });
  assert.deepEqual(await slots(`from=${tomorrow}&until=${tomorrow}&part=morning`), [['House', tomorrow, ['11:30']]]);
  assert.deepEqual((await slots('sort=soonest')).slice(0, 2), [
    ['House', tomorrow, ['11:30', '12:00']],
    ['Grey', tomorrow, ['14:00']],
  ]);
  await clinic.as('admin')(`/update-appoinment/${appointment._id}`, {
    method: 'PATCH',
    json: { newStatus: 'Cancelled' },
  });
});

test('pages through the list by cursor, with the total', async () => {
  for (const more of ['', '&sort=name', '&sort=experience', '&sort=rating']) {
    const query = more === '' ? 'sort=soonest' : `from=${tomorrow}&until=${dayAfter}${more}`;
    const all = (await ask(query)).map(({ name }) => name);
    const read: string[] = [];
    let path: string | undefined = `/doctors?${query}&limit=2`;
    while (path) {
      const answer = await clinic.anonymous(path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get('x-total-count'), String(all.length));
      read.push(...((await answer.json()) as Doctor[]).map(({ name }) => name));
      path = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(read, all);
  }
});

test('rejects a malformed period, order or cursor', async () => {
  for (const query of [
    'part=night',
    'from=tomorrow',
    'part=morning&sort=salary',
    'sort=soonest&cursor=x',
    `sort=soonest&limit=1&cursor=${Buffer.from(JSON.stringify(['listDoctors by time', 'soonest', { $gt: '' }, '', ''])).toString('base64url')}`,
  ])
    assert.equal(await verdict(clinic.anonymous(`/doctors?${query}`)), '400 validation_failed', query);
});

test('finds a specialty by the words that patients use', async () => {
  for (const q of ['cardiology', 'CARDIOLOGY', 'heart', 'cardiac', 'blood pr'])
    assert.deepEqual(
      (await ask(`q=${encodeURIComponent(q)}`)).map(({ name }) => name),
      ['Any', 'Away', 'Grey', 'House'],
      q,
    );
  assert.deepEqual(
    (await ask('q=children')).map(({ name }) => name),
    ['Zoe'],
  );
  // Too short to count as more than part of a name.
  assert.deepEqual(await ask('q=hea'), []);
  assert.deepEqual(await ask('q=heartless'), []);
});

test('works out who is free for 2,000 doctors at most, and says how to ask for fewer', async () => {
  const crowd = Array.from({ length: mostDoctorsByTime + 1 }, (_, at) =>
    doctorRecord({
      _id: new ObjectId(),
      name: `Crowd ${at}`,
      email: `crowd${at}@clinic.example`,
      qualification: 'MD',
      education: 'x',
      specialization: 'Crowd',
      experience: 1,
      location: 'x',
      image: '',
      isAvailable: true,
      availableTimes: ['09:00'],
      rating: 0,
      createdAt: new Date(),
    }),
  );
  await clinic.doctors.insertMany(crowd);
  const answer = await clinic.anonymous('/doctors?specialty=Crowd&sort=soonest&limit=20');
  assert.equal(answer.status, 400);
  assert.deepEqual(((await answer.json()) as { errors: unknown }).errors, [
    {
      field: 'sort',
      message: 'There are too many doctors to find out who is free. Choose a specialty or search for a name',
    },
  ]);
  assert.equal((await ask('specialty=Crowd&q=crowd%202000&sort=soonest')).length, 1);
  assert.equal((await ask('specialty=Crowd&limit=20')).length, 20);
  await clinic.doctors.deleteOne({ _id: crowd[0]?._id });
  assert.equal((await ask('specialty=Crowd&sort=soonest&limit=20')).length, 20);
});
