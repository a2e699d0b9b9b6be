import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weekdayOf } from '@clinic/contracts/opening-days';
import { addDays } from '@clinic/contracts';
import { drGrey, drHouse } from '../testing/people.ts';
import { change, clinic, freeOn, openClinicOfDrGrey, path, period, read, shown } from '../testing/test-schedule.ts';
import { scheduleWeekly } from './schedule-weekly.ts';

openClinicOfDrGrey();

test('front-ends of the previous release add and remove times of every working day, and days off', async () => {
  const [one, other] = [weekdayOf(clinic.soon), weekdayOf(addDays(clinic.soon, 1))];
  await change({
    periods: [
      {
        slotMinutes: 30,
        bufferMinutes: 0,
        hours: [
          { day: one, from: '09:00', until: '10:30', place: 'Annexe' },
          { day: other, from: '10:00', until: '11:00', place: '' },
        ],
      },
    ],
  });
  const doctor = await shown();
  const seen = { availableTimes: doctor.availableTimes, daysOff: doctor.daysOff };
  const edit = (json: unknown) => clinic.as(drGrey)(path, { method: 'PATCH', json });
  const times = [...doctor.availableTimes.filter((time) => time !== '10:00'), '17:00'];
  const answer = await edit({ availableTimes: times, daysOff: [addDays(clinic.soon, 7)], seen });
  assert.equal(answer.status, 200);
  const { hours, availableTimes, daysOff } = (await clinic.doctors.findOne({})) ?? {};
  assert.deepEqual(daysOff, [addDays(clinic.soon, 7)]);
  assert.deepEqual(availableTimes, hours?.listedTimes);
  assert.deepEqual(
    [await freeOn(clinic.soon), await freeOn(addDays(clinic.soon, 1)), await freeOn(addDays(clinic.soon, 2))],
    [['09:00', '09:30', '17:00'], ['10:30', '17:00'], []],
  );
  assert.equal(hours?.periods[0]?.hours.find(({ from }) => from === '09:00')?.place, 'Annexe');
  // They read back what they saved, and saving it again changes nothing.
  const before = await clinic.doctors.findOne({});
  const again = await shown();
  assert.equal((await edit({ availableTimes: again.availableTimes, daysOff: again.daysOff })).status, 200);
  assert.deepEqual(await clinic.doctors.findOne({}), before);
  assert.equal((await edit({ isAvailable: false })).status, 200);
  assert.deepEqual((await clinic.doctors.findOne({}))?.hours, before?.hours);
  // An emptied list leaves no hours.
  assert.equal((await edit({ isAvailable: true, availableTimes: [] })).status, 200);
  assert.deepEqual([(await read()).periods, (await shown()).availableTimes], [[], []]);
});

test('changes by a replica of the previous release apply during a rolling upgrade', async () => {
  await change({ periods: [period('09:00', '12:00')] });
  await clinic.doctors.updateOne({}, { $set: { availableTimes: ['08:00', '17:00'] } });
  assert.deepEqual(await freeOn(clinic.soon), ['08:00', '17:00']);
  assert.deepEqual(
    (await read()).periods[0]?.hours.filter(({ day }) => day === 'Monday'),
    [
      { day: 'Monday', from: '08:00', until: '08:30', place: '' },
      { day: 'Monday', from: '17:00', until: '17:30', place: '' },
    ],
  );
  const { schedule } = await change({ periods: [period('10:00', '11:00')] });
  assert.equal(schedule.periods.length, 1);
  assert.deepEqual(await freeOn(clinic.soon), ['10:00', '10:30']);
});

test('the schema change gives doctors hours with exactly their times, once, and leaves those without times alone', async () => {
  await clinic.doctors.updateOne({}, { $set: { availableTimes: ['16:00', '00:00', '09:10', '09:00'] } });
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House', availableTimes: [] });
  const before = await freeOn(clinic.soon);
  const migration = scheduleWeekly(1);
  await Promise.all([migration.up(clinic.context), migration.up(clinic.context)]);
  const [grey, house] = await Promise.all(
    [drGrey, drHouse].map(async ({ email }) => clinic.doctors.findOne({ email })),
  );
  assert.deepEqual(
    grey?.hours?.periods[0]?.hours.filter(({ day }) => day === 'Friday').map(({ from, until }) => [from, until]),
    [
      ['00:00', '00:10'],
      ['09:00', '09:20'],
      ['16:00', '16:10'],
    ],
  );
  assert.deepEqual(grey.availableTimes, ['16:00', '00:00', '09:10', '09:00']);
  assert.equal(house?.hours, undefined);
  assert.deepEqual([before, await freeOn(clinic.soon)], [['00:00', '09:00', '09:10', '16:00'], before]);
  await migration.up(clinic.context);
  assert.deepEqual(await clinic.doctors.findOne({ email: drGrey.email }), grey);
});
