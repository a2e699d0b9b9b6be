import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, type Problem } from '@clinic/contracts';
import type { Appointment, Doctor, FreeDays } from '../contract/schemas.ts';
import { ann, drGrey, drHouse } from '../testing/people.ts';
import { read, sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';

let path: string;
const clinic = await sharedClinic();
beforeEach(async () => {
  await clinic.empty('appointments', 'doctors', 'events');
  path = `/doctors/${(await clinic.addDoctor())._id.toHexString()}`;
});

const change = (who: Who, json: unknown) => clinic.as(who)(path, { method: 'PATCH', json });
const outside = async () =>
  (await read<Appointment[]>(clinic.as(drGrey), `${path}/outside-times`)).map(({ date, time }) => `${date} ${time}`);

test('a doctor changes their times and days off; omitted fields stay, and the history records it', async () => {
  const answer = await change(drGrey, {
    availableTimes: ['11:00', '08:30', '11:00'],
    daysOff: [clinic.soon, addDays(clinic.today, -5), clinic.today],
  });
  assert.equal(answer.status, 200);
  const doctor = (await answer.json()) as Doctor;
  assert.deepEqual(
    [doctor.availableTimes, doctor.daysOff, doctor.isAvailable],
    [['08:30', '11:00'], [clinic.today, clinic.soon], true],
  );
  assert.deepEqual(doctor.nextFree, { date: addDays(clinic.today, 1), time: '08:30' });
  const [again] = await read<Doctor[]>(clinic.as(drGrey), `/doc-pharma/${drGrey.email}`);
  assert.deepEqual(again, doctor);
  assert.equal(((await (await change('admin', { isAvailable: false })).json()) as Doctor).availableTimes.length, 2);
  const events = await clinic.findEvents({ action: 'availability changed' });
  assert.deepEqual(
    events.map((event) => event['actor'].email),
    [drGrey.email, 'admin@clinic.example'],
  );
});

test('the history has only what changed, and no entry if nothing did', async () => {
  const edits = () => clinic.findEvents({ action: 'availability changed' });
  // Unsorted, as an earlier release may have stored them, with a day in the past.
  await clinic.doctors.updateOne(
    {},
    { $set: { availableTimes: ['10:00', '09:00', '09:30'], daysOff: [addDays(clinic.today, -2), clinic.soon] } },
  );
  const stored = await clinic.doctors.findOne({});
  for (const json of [
    { isAvailable: true },
    { availableTimes: ['09:30', '09:00', '10:00'] },
    { daysOff: [clinic.soon] },
    { availableTimes: ['09:00', '09:30', '10:00'], daysOff: [clinic.soon], isAvailable: true },
  ]) {
    assert.equal((await change(drGrey, json)).status, 200, JSON.stringify(json));
  }
  assert.deepEqual([await edits(), await clinic.doctors.findOne({})], [[], stored]);
  await change(drGrey, { availableTimes: ['09:00', '09:30', '10:00'], daysOff: [], isAvailable: true });
  assert.deepEqual(
    (await edits()).map(({ before: was, after: is }) => [was, is]),
    [[{ daysOff: [clinic.soon] }, { daysOff: [] }]],
  );
});

test('two people editing the same days and times keep each other’s changes, in sequence and concurrently', async () => {
  const [a, b, c] = [1, 2, 4].map((days) => addDays(clinic.soon, days)) as [string, string, string];
  const seen = { availableTimes: ['09:00', '09:30', '10:00'], daysOff: [c] };
  for (let round = 0; round < 8; round += 1) {
    await clinic.doctors.updateOne({}, { $set: seen });
    const edits = [
      () => change(drGrey, { seen, daysOff: [a, c], availableTimes: ['09:00', '10:00'] }),
      () => change('admin', { seen, daysOff: [b], availableTimes: ['09:00', '09:30', '10:00', '11:00'] }),
    ];
    const answers =
      round < 4 ? await Promise.all(edits.map((edit) => edit())) : [await edits[0]?.(), await edits[1]?.()];
    assert.deepEqual(
      answers.map((answer) => answer?.status),
      [200, 200],
    );
    const doctor = await clinic.doctors.findOne({});
    assert.deepEqual(
      [doctor?.daysOff, doctor?.availableTimes],
      [
        [a, b],
        ['09:00', '10:00', '11:00'],
      ],
    );
  }
});

test('lists without `seen`, as front-ends of earlier releases send them, replace the stored ones', async () => {
  await change(drGrey, { daysOff: [clinic.soon] });
  await change('admin', { daysOff: [addDays(clinic.soon, 1)] });
  assert.deepEqual((await clinic.doctors.findOne({}))?.daysOff, [addDays(clinic.soon, 1)]);
});

test('edits that together exceed the limit are rejected and change nothing', async () => {
  const times = Array.from(
    { length: 96 },
    (_, index) => `${String(Math.floor(index / 4)).padStart(2, '0')}:${String((index % 4) * 15).padStart(2, '0')}`,
  );
  await change(drGrey, { availableTimes: times });
  const rejected = await change('admin', { availableTimes: ['09:01'], seen: { availableTimes: [], daysOff: [] } });
  assert.deepEqual(
    [rejected.status, ((await rejected.json()) as Problem).errors],
    [400, [{ field: 'availableTimes', message: 'You can list at most 96 times a day' }]],
  );
  assert.deepEqual((await clinic.doctors.findOne({}))?.availableTimes, times);
});

test('other people and malformed requests are rejected and change nothing', async () => {
  for (const who of [ann, drHouse, 'pharmacist'] as const) {
    assert.equal(await verdict(change(who, { isAvailable: false })), '403 forbidden');
    assert.equal(await verdict(clinic.as(who)(`${path}/outside-times`)), '403 forbidden');
  }
  assert.equal(
    await verdict(clinic.anonymous(path, { method: 'PATCH', json: { isAvailable: false } })),
    '401 unauthenticated',
  );
  assert.equal(
    await verdict(clinic.as('admin')(`/doctors/${'a'.repeat(24)}`, { method: 'PATCH', json: { isAvailable: false } })),
    '404 not_found',
  );
  for (const json of [
    {},
    { availableTimes: ['9'] },
    { availableTimes: '09:00' },
    { daysOff: ['2026-02-30'] },
    { daysOff: null },
    { isAvailable: 'no' },
    { seen: { availableTimes: [], daysOff: [] } },
    { daysOff: [], seen: { daysOff: [] } },
    { availableTimes: Array(97).fill('09:00') },
  ]) {
    assert.equal(await verdict(change(drGrey, json)), '400 validation_failed', JSON.stringify(json));
  }
  const doctor = await clinic.doctors.findOne({});
  assert.deepEqual(
    [doctor?.isAvailable, doctor?.availableTimes, doctor?.daysOff],
    [true, ['09:00', '09:30', '10:00'], undefined],
  );
});

test('appointments that no longer fit are listed and stay booked', async () => {
  await clinic.book();
  await clinic.book({ date: addDays(clinic.soon, 1), time: '10:00' });
  await clinic.book({ date: addDays(clinic.soon, 2), time: '09:30' });
  const cancelled = await clinic.book({ time: '10:00' });
  await clinic.as(ann)(`/update-appoinment/${cancelled._id}`, { method: 'PATCH', json: { newStatus: 'Cancelled' } });
  assert.deepEqual(await outside(), []);
  await change(drGrey, { daysOff: [clinic.soon], availableTimes: ['09:00', '09:30'] });
  assert.deepEqual(await outside(), [`${clinic.soon} 09:00`, `${addDays(clinic.soon, 1)} 10:00`]);
  assert.equal(await clinic.appointments.countDocuments({ status: 'Pending' }), 3);
});

test('free days count the remaining slots of each day', async () => {
  await clinic.book({ time: '09:00' });
  await clinic.book({ time: '10:00' });
  await change(drGrey, { daysOff: [addDays(clinic.soon, 1)] });
  const ask = (from: string, until: string) => clinic.anonymous(`${path}/free-days?from=${from}&until=${until}`);
  const { days, anyTime, timeZone } = (await (
    await ask(addDays(clinic.today, -1), addDays(clinic.soon, 2))
  ).json()) as FreeDays;
  const left = Object.fromEntries(days.map(({ date, free }) => [date, free]));
  assert.deepEqual(
    [
      left[addDays(clinic.today, -1)],
      left[addDays(clinic.today, 1)],
      left[clinic.soon],
      left[addDays(clinic.soon, 1)],
      left[addDays(clinic.soon, 2)],
    ],
    [0, 3, 1, 0, 3],
  );
  assert.deepEqual([days.length, anyTime, timeZone], [7, false, 'Asia/Dhaka']);
  assert.equal(await verdict(ask(clinic.soon, clinic.today)), '400 validation_failed');
  assert.equal(await verdict(ask(clinic.today, addDays(clinic.today, 62))), '400 validation_failed');
  await change(drGrey, { availableTimes: [] });
  const closed = (await (await ask(clinic.today, clinic.soon)).json()) as FreeDays;
  assert.deepEqual([closed.anyTime, closed.days.filter(({ free }) => free > 0)], [false, []]);
});
