import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { WaitingRoom } from '../contract/waiting-room-calls.ts';
import type { AttendanceState } from '../contract/attendance.ts';
import { ann, ben, drGrey } from '../testing/people.ts';
import { read, sharedClinic, storedAppointment, verdict } from '../testing/test-clinic.ts';
import { zoneAt } from '../testing/zones.ts';

const clinic = await sharedClinic({ CLINIC_TZ: zoneAt(12) });
beforeEach(() => clinic.empty('appointments', 'events', 'waitingScreens', 'counts'));

const screen = '/appoinments/waiting-screen';
async function newSecret(): Promise<string> {
  const answer = await clinic.as('admin')(screen, { method: 'POST' });
  assert.equal(answer.status, 201);
  return ((await answer.json()) as { readonly secret: string }).secret;
}

let minute = 0;
/** A visit with Dr. Grey today, of somebody who came after those before. */
async function here(state: AttendanceState, number: number, place = 'Level 3', patientId?: string): Promise<string> {
  minute += 31;
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const since = new Date(Date.now() + minute);
  const record = storedAppointment({ date: clinic.today, time, ...(patientId && { patientId }) }, { place });
  const attendance = { date: clinic.today, time, state, since, arrivedAt: since, number };
  await clinic.appointments.insertOne({ ...record, attendance });
  return record._id.toHexString();
}

test('the screen shows numbers and rooms, latest call first, and nothing else', async () => {
  await here('called', 3);
  await here('called', 5, '');
  await here('arrived', 7);
  await here('with doctor', 2);
  await here('finished', 1);
  const moved = await here('arrived', 9);
  await clinic.appointments.updateOne({ patientName: 'Ann Lee', 'attendance.number': 9 }, { $set: { time: '23:59' } });
  const { at, ...shown } = await read<WaitingRoom>(clinic.anonymous, `/waiting-room/${await newSecret()}`);
  assert.ok(Date.parse(at) > 0, moved);
  assert.deepEqual(shown, {
    called: [
      { number: 5, room: 'Dr. Meredith Grey' },
      { number: 3, room: 'Level 3' },
    ],
    waiting: [7],
  });
});

test('a new address ends the one before it, and an ended one shows nothing; both are in the history', async () => {
  const first = await newSecret();
  const second = await newSecret();
  const at = (secret: string) => verdict(clinic.anonymous(`/waiting-room/${secret}`));
  assert.equal(await at(first), '404 not_found');
  assert.equal(await at(second), '200');
  assert.equal((await clinic.as('admin')(screen, { method: 'DELETE' })).status, 204);
  assert.equal(await at(second), '404 not_found');
  assert.deepEqual(
    (await clinic.findEvents({})).map(({ action }) => action),
    ['waiting-room address made', 'waiting-room address made', 'waiting-room address stopped'],
  );
  assert.ok(!JSON.stringify(await clinic.db.collection('waitingScreens').find({}).toArray()).includes(second));
});

test('two new addresses at once leave one that works', async () => {
  const secrets = await Promise.all([newSecret(), newSecret()]);
  const verdicts = await Promise.all(secrets.map((secret) => verdict(clinic.anonymous(`/waiting-room/${secret}`))));
  assert.deepEqual(verdicts.toSorted(), ['200', '404 not_found']);
});

test('only admins make and end it, and guessing ends soon', async () => {
  for (const who of [ann, drGrey, 'pharmacist'] as const)
    for (const method of ['GET', 'POST', 'DELETE'])
      assert.equal(await verdict(clinic.as(who)(screen, { method })), '403 forbidden');
  const guess = () => verdict(clinic.anonymous(`/waiting-room/${'x'.repeat(32)}`));
  const verdicts = new Set<string>();
  for (let tries = 0; tries < 61; tries += 1) verdicts.add(await guess());
  assert.deepEqual([...verdicts], ['404 not_found', '429 rate_limited']);
});

test('a patient who is here sees how many are before them', async () => {
  await here('called', 1);
  await here('with doctor', 2);
  await here('arrived', 3);
  const id = await here('arrived', 4, '', clinic.issuer.idOf(ann.email));
  await here('arrived', 5);
  const queue = `/appoinments/${id}/queue`;
  assert.deepEqual(await read(clinic.as(ann), queue), { state: 'arrived', number: 4, ahead: 2 });
  assert.equal(await verdict(clinic.as(ben)(queue)), '403 forbidden');
});
