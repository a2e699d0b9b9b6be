import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Problem } from '@clinic/contracts';
import type { Doctor } from '../contract/schemas.ts';
import type { OutsideAppointment, ScheduledDay } from '../contract/schedule-schemas.ts';
import { weekdays, weekdayOf } from '@clinic/contracts/opening-days';
import { ann, drGrey, drHouse } from '../testing/people.ts';
import { verdict } from '../testing/test-clinic.ts';
import {
  change,
  clinic,
  freeOn,
  openClinicOfDrGrey,
  path,
  period,
  read,
  save,
  shown,
} from '../testing/test-schedule.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

openClinicOfDrGrey();

const errorsOf = async (answer: Response): Promise<string[]> =>
  (((await answer.json()) as Problem).errors ?? []).map(({ field }) => field);

test('a doctor with listed times has a schedule with these times every day', async () => {
  const { periods, daysOff, exceptions, takesAppointments } = await read();
  assert.deepEqual(
    [periods, daysOff, exceptions, takesAppointments],
    [
      [
        {
          slotMinutes: 30,
          bufferMinutes: 0,
          hours: weekdays.map((day) => ({ day, from: '09:00', until: '10:30', place: '' })),
        },
      ],
      [],
      [],
      true,
    ],
  );
});

test('saved hours decide at once what patients are offered and may book, and the history has them in words', async () => {
  const [working, free] = [clinic.soon, addDays(clinic.soon, 1)];
  await change({
    periods: [
      {
        slotMinutes: 20,
        bufferMinutes: 10,
        hours: [
          { day: weekdayOf(working), from: '14:00', until: '15:00', place: 'Annexe, Level 2' },
          { day: weekdayOf(working), from: '09:00', until: '09:20', place: '' },
        ],
      },
    ],
  });
  assert.deepEqual([await freeOn(working), await freeOn(free)], [['09:00', '14:00', '14:30'], []]);
  const { places } = (await (await clinic.anonymous(`${path}/free-times?date=${working}`)).json()) as {
    places?: unknown;
  };
  assert.deepEqual(places, [
    { time: '14:00', place: 'Annexe, Level 2' },
    { time: '14:30', place: 'Annexe, Level 2' },
  ]);
  const doctor = await shown();
  assert.deepEqual(
    [doctor.isAvailable, doctor.availableTimes, doctor.nextFree],
    [true, ['09:00', '14:00', '14:30'], { date: working, time: '09:00' }],
  );
  const ask = (date: string, time: string) => verdict(clinic.requestBooking(ann, { date, time }));
  assert.equal(await ask(working, '14:20'), '400 validation_failed');
  assert.equal(await ask(free, '09:00'), '400 validation_failed');
  assert.equal(await ask(working, '14:30'), '201');
  const list = async (query: string) => (await (await clinic.anonymous(`/doctors?${query}`)).json()) as Doctor[];
  assert.equal((await list(`from=${working}&until=${working}&part=afternoon`)).length, 1);
  assert.equal((await list(`from=${free}&until=${free}`)).length, 0);
  const event = await clinic.db.collection('events').findOne({ action: 'availability changed' });
  assert.deepEqual(event?.['after'], {
    weeklyHours: [
      `${weekdayOf(working).slice(0, 3)} 9:00 AM to 9:20 AM and 2:00 PM to 3:00 PM (Annexe, Level 2)`,
      '20-minute appointments with 10 minutes between',
    ],
  });
});

test('exceptions and days off apply to their days, and past ones are dropped', async () => {
  const { schedule } = await change({
    daysOff: [addDays(clinic.today, -1), clinic.soon],
    exceptions: [
      { date: addDays(clinic.soon, 1), kind: 'extra', from: '18:00', until: '19:00', place: '' },
      { date: addDays(clinic.soon, 2), kind: 'off', from: '09:00', until: '09:30', place: '' },
      { date: addDays(clinic.today, -1), kind: 'extra', from: '18:00', until: '19:00', place: '' },
    ],
  });
  assert.deepEqual([schedule.daysOff, schedule.exceptions.length], [[clinic.soon], 2]);
  assert.deepEqual(await Promise.all([0, 1, 2].map((days) => freeOn(addDays(clinic.soon, days)))), [
    [],
    ['09:00', '09:30', '10:00', '18:00', '18:30'],
    ['09:30', '10:00'],
  ]);
});

test('of two editors who save at once, one gets a conflict, and nothing of the other’s work is lost', async () => {
  for (let round = 0; round < 6; round += 1) {
    const seen = await read();
    const requested = [`1${round}:00`, `2${round % 3}:00`] as const;
    const answers = await Promise.all([
      save(drGrey, { ...seen, periods: [period('08:00', requested[0])] }),
      save('admin', { ...seen, periods: [period('07:00', requested[1])] }),
    ]);
    assert.deepEqual(statusesOf(answers), [200, 412]);
    const winner = answers.findIndex(({ status }) => status === 200);
    assert.equal((await read()).periods[0]?.hours[0]?.until, requested[winner]);
  }
  const { version } = await read();
  await clinic.as('admin')(path, { method: 'PATCH', json: { isAvailable: false } });
  assert.equal(await verdict(save(drGrey, { ...(await read()), version })), '412 changed_meanwhile');
  assert.equal((await clinic.doctors.findOne({}))?.isAvailable, false);
});

test('two people who change different parts at once keep each other’s changes', async () => {
  for (let round = 1; round < 6; round += 1) {
    const { version } = await read();
    const answers = await Promise.all([
      save(drGrey, { version, daysOff: [addDays(clinic.soon, round)] }),
      save('admin', { version, periods: [period('07:00', `1${round}:00`)] }),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    const { daysOff, periods } = await read();
    assert.deepEqual([daysOff, periods[0]?.hours[0]?.until], [[addDays(clinic.soon, round)], `1${round}:00`]);
  }
});

test('hours that are sent again after a lost response are answered as the first time', async () => {
  const { version } = await read();
  const send = () =>
    clinic.as(drGrey)(`${path}/schedule`, {
      method: 'PATCH',
      json: { version, periods: [period('07:00', '13:00')] },
      headers: { 'Idempotency-Key': 'hours-1' },
    });
  const first = await send();
  const again = await send();
  assert.deepEqual([first.status, again.status], [200, 200]);
  assert.deepEqual(await again.json(), await first.json());
});

test('saving what is already there changes nothing and adds no event', async () => {
  await change({ periods: [period('08:00', '12:00')] });
  const stored = await clinic.doctors.findOne({});
  await change({});
  assert.deepEqual(await clinic.doctors.findOne({}), stored);
  assert.equal(await clinic.db.collection('events').countDocuments({ action: 'availability changed' }), 1);
});

test('faults are named at their fields, and change nothing', async () => {
  const seen = await read();
  const stored = await clinic.doctors.findOne({});
  const hours = (...spans: [string, string][]) =>
    spans.map(([from, until]) => ({ day: 'Monday', from, until, place: '' }));
  const faults: [object, string[]][] = [
    [{ periods: [{ slotMinutes: 30, hours: hours(['10:00', '09:00']) }] }, ['periods.0.hours.0.until']],
    [{ periods: [{ slotMinutes: 60, hours: hours(['10:00', '10:30']) }] }, ['periods.0.hours.0.until']],
    [
      { periods: [{ slotMinutes: 30, hours: hours(['09:00', '11:00'], ['10:00', '12:00']) }] },
      ['periods.0.hours.1.from'],
    ],
    [{ periods: [{ slotMinutes: 5, hours: hours(['00:00', '24:00']) }] }, ['periods.0.slotMinutes']],
    [{ periods: [{ slotMinutes: 30, hours: [] }] }, ['periods']],
    [{ periods: [period('09:00', '10:00'), { ...period('11:00', '12:00'), from: clinic.soon }] }, ['periods.1.from']],
    [{ periods: [{ ...period('09:00', '10:00'), from: clinic.soon, until: clinic.today }] }, ['periods.0.until']],
    [
      { exceptions: [{ date: clinic.soon, kind: 'extra', from: '10:00', until: '10:10', place: '' }] },
      ['exceptions.0.until'],
    ],
    [
      { periods: [], exceptions: [{ date: clinic.soon, kind: 'off', from: '10:00', until: '11:00', place: '' }] },
      ['exceptions'],
    ],
    [{ periods: [{ slotMinutes: 0, hours: hours(['09:00', '10:00']) }] }, ['periods.0.slotMinutes']],
    [
      { periods: [{ slotMinutes: 30, hours: [{ day: 'Moonday', from: '9', until: '25:00' }] }] },
      ['periods.0.hours.0.day', 'periods.0.hours.0.from', 'periods.0.hours.0.until'],
    ],
    [{ periods: Array.from({ length: 9 }, () => period('09:00', '10:00')) }, ['periods']],
    [{ version: undefined }, ['version']],
    [{ periods: undefined, daysOff: undefined, exceptions: undefined, takesAppointments: undefined }, ['']],
  ];
  for (const [fields, expected] of faults) {
    const answer = await save(drGrey, { ...seen, ...fields });
    assert.equal(answer.status, 400, JSON.stringify(fields));
    assert.deepEqual(await errorsOf(answer), expected, JSON.stringify(fields));
  }
  assert.deepEqual(await clinic.doctors.findOne({}), stored);
});

test('only the doctor and admins read and change a schedule', async () => {
  const seen = await read();
  for (const who of [ann, drHouse, 'pharmacist'] as const) {
    assert.equal(await verdict(clinic.as(who)(`${path}/schedule`)), '403 forbidden');
    assert.equal(await verdict(save(who, { ...seen, periods: [period('01:00', '02:00')] })), '403 forbidden');
    assert.equal(
      await verdict(clinic.as(who)(`${path}/schedule/preview`, { method: 'POST', json: seen })),
      '403 forbidden',
    );
  }
  assert.deepEqual(await read('admin'), seen);
  assert.equal(await verdict(clinic.as('admin')(`/doctors/${'a'.repeat(24)}/schedule`)), '404 not_found');
});

test('without periods a doctor is closed', async () => {
  const { schedule } = await change({ periods: [] });
  assert.deepEqual([schedule.periods, (await shown()).availableTimes], [[], []]);
  assert.equal((await clinic.doctors.findOne({}))?.hours, undefined);
  assert.equal((await shown()).isAvailable, false);
  assert.equal(await verdict(clinic.requestBooking(ann, { time: '03:07' })), '400 validation_failed');
});

test('a doctor without hours up to the last bookable day isn’t available on the wire', async () => {
  await change({ periods: [{ ...period('09:00', '10:00'), from: addDays(clinic.today, 200) }] });
  const doctor = await shown();
  assert.deepEqual([doctor.isAvailable, doctor.availableTimes, doctor.nextFree], [false, [], null]);
});

test('a preview shows the week and the appointments that would be stranded, and changes nothing', async () => {
  await clinic.book({ time: '09:30' });
  const stored = await clinic.doctors.findOne({});
  const seen = await read();
  const ask = (json: unknown) => clinic.as(drGrey)(`${path}/schedule/preview`, { method: 'POST', json });
  const answer = await ask({ ...seen, periods: [period('09:00', '09:30')], from: clinic.today });
  const { days, outside } = (await answer.json()) as { days: ScheduledDay[]; outside: OutsideAppointment[] };
  assert.equal(days.length, 7);
  assert.deepEqual(days[3], { date: clinic.soon, times: [{ time: '09:00', place: '', taken: false }] });
  assert.deepEqual(
    outside.map(({ date, time, patientname }) => [date, time, patientname]),
    [[clinic.soon, '09:30', 'Ann Lee']],
  );
  assert.deepEqual(await clinic.doctors.findOne({}), stored);
  const faulty = (await (await ask({ ...seen, periods: [period('10:00', '09:30')] })).json()) as {
    errors: { field: string }[];
    days: unknown[];
  };
  assert.deepEqual([faulty.errors.length, faulty.errors[0]?.field, faulty.days], [7, 'periods.0.hours.0.until', []]);
  assert.equal(await verdict(ask({ ...seen, periods: 'none' })), '400 validation_failed');
});
