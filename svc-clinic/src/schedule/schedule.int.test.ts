import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import {
  addDays,
  type Appointment,
  type CallBody,
  type Doctor,
  type Holiday,
  type OutsideAppointment,
  type Problem,
  type Schedule,
  type ScheduledDay,
} from '@clinic/contracts';
import { weekdays } from '@clinic/contracts/opening-days';
import {
  ann,
  ben,
  book,
  booking,
  drGrey,
  drHouse,
  startTestClinic,
  verdict,
  type TestClinic,
} from '../testing/test-clinic.ts';
import { weekdayOf } from './local-time.ts';
import { scheduleWeekly } from './schedule-weekly.ts';

let clinic: TestClinic;
let path: string;
before(async () => {
  clinic = await startTestClinic();
});
after(() => clinic.close());
beforeEach(async () => {
  for (const collection of [clinic.appointments, clinic.doctors, clinic.db.collection('events')])
    await collection.deleteMany({});
  await clinic.db.collection('holidays').updateMany({}, { $set: { list: [] } });
  path = `/doctors/${(await clinic.addDoctor())._id.toHexString()}`;
});

type Who = Parameters<TestClinic['as']>[0];
const read = async (who: Who = drGrey): Promise<Schedule> =>
  (await (await clinic.as(who)(`${path}/schedule`)).json()) as Schedule;
const save = (who: Who, json: unknown) => clinic.as(who)(`${path}/schedule`, { method: 'PATCH', json });
const everyDay = (from: string, until: string) => weekdays.map((day) => ({ day, from, until, place: '' }));
const period = (from: string, until: string, slotMinutes = 30) => ({
  slotMinutes,
  bufferMinutes: 0,
  hours: everyDay(from, until),
});

/** Saves a change of the current schedule and expects success. */
async function change(
  fields: Partial<CallBody<'changeSchedule'>>,
  who: Who = drGrey,
): Promise<{ readonly schedule: Schedule; readonly outside: OutsideAppointment[] }> {
  const answer = await save(who, { ...(await read(who)), ...fields });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as { schedule: Schedule; outside: OutsideAppointment[] };
}

const freeOn = async (date: string): Promise<string[]> =>
  ((await (await clinic.anonymous(`${path}/free-times?date=${date}`)).json()) as { times: string[] }).times;
const shown = async (): Promise<Doctor> =>
  (await (await clinic.anonymous(`/doctors?_id=${path.slice('/doctors/'.length)}`)).json()) as Doctor;
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
  const ask = (json: unknown) => verdict(clinic.as(ann)('/appoinments', { method: 'POST', json }));
  assert.equal(await ask(booking(clinic, { date: working, time: '14:20' })), '400 validation_failed');
  assert.equal(await ask(booking(clinic, { date: free, time: '09:00' })), '400 validation_failed');
  assert.equal(await ask(booking(clinic, { date: working, time: '14:30' })), '201');
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
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 412],
    );
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

test('without periods a doctor takes any time of day', async () => {
  const { schedule } = await change({ periods: [] });
  assert.deepEqual([schedule.periods, (await shown()).availableTimes], [[], []]);
  assert.equal((await clinic.doctors.findOne({}))?.hours, undefined);
  await book(clinic, { time: '03:07' });
});

test('a doctor without hours up to the last bookable day isn’t available on the wire', async () => {
  await change({ periods: [{ ...period('09:00', '10:00'), from: addDays(clinic.today, 200) }] });
  const doctor = await shown();
  assert.deepEqual([doctor.isAvailable, doctor.availableTimes, doctor.nextFree], [false, [], null]);
});

test('a preview shows the week and the appointments that would be stranded, and changes nothing', async () => {
  await book(clinic, { time: '09:30' });
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

const settle = (who: Who, { _id }: Pick<Appointment, '_id'>, json: unknown) =>
  clinic.as(who)(`/appoinments/${_id}/outside`, { method: 'PATCH', json });
const seenAt = (time: string) => ({ doctoremail: drGrey.email, date: clinic.soon, time });
const outsideNow = async () =>
  ((await (await clinic.as(drGrey)(`${path}/outside-times`)).json()) as Appointment[]).map(({ time }) => time);

test('a change lists the appointments it strands; each is kept, moved or cancelled, and the history says which', async () => {
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
  const kept = await book(clinic, { time: '09:00' });
  const moved = await book(clinic, { time: '09:30', patientemail: ben.email });
  const handedOver = await book(clinic, { time: '10:00', patientemail: 'cleo@mail.example' });
  const { outside } = await change({ periods: [period('14:00', '16:00')] });
  assert.deepEqual(
    outside.map(({ time }) => time),
    ['09:00', '09:30', '10:00'],
  );
  assert.equal(await verdict(settle(ann, kept, { seen: seenAt('09:00'), decision: { act: 'keep' } })), '403 forbidden');
  assert.equal(
    await verdict(settle(drHouse, kept, { seen: seenAt('09:00'), decision: { act: 'keep' } })),
    '403 forbidden',
  );
  const decisions: [Appointment, string, object][] = [
    [kept, '09:00', { act: 'keep' }],
    [moved, '09:30', { act: 'move', date: clinic.soon, time: '14:30', patientChoice: 'agreed' }],
    [
      handedOver,
      '10:00',
      { act: 'move', doctoremail: drHouse.email, date: clinic.soon, time: '10:00', patientChoice: 'not asked' },
    ],
  ];
  for (const [appointment, time, decision] of decisions)
    assert.equal(await verdict(settle(drGrey, appointment, { seen: seenAt(time), decision })), '200');
  assert.deepEqual(await outsideNow(), []);
  const events = await clinic.db
    .collection('events')
    .find({ action: { $in: ['kept outside hours', 'rescheduled', 'moved to a colleague'] } })
    .sort({ at: 1, _id: 1 })
    .toArray();
  assert.deepEqual(
    events.map(({ action, after }) => [action, after.patientChoice, after.doctoremail]),
    [
      ['kept outside hours', undefined, undefined],
      ['rescheduled', 'agreed', undefined],
      ['moved to a colleague', 'not asked', drHouse.email],
    ],
  );
  // Within the hours, a doctor can't hand it over this way.
  const again = { seen: seenAt('14:30'), decision: { act: 'cancel', patientChoice: 'agreed' } };
  assert.equal(await verdict(settle(drGrey, moved, again)), '409 transition_refused');
  assert.equal((await clinic.appointments.findOne({ patientEmail: ben.email }))?.status, 'Pending');
});

test('of two people who decide about one appointment at once, one decides and the other gets a conflict', async () => {
  for (let round = 0; round < 6; round += 1) {
    await clinic.appointments.deleteMany({});
    await change({ periods: [period('09:00', '16:00')] });
    const appointment = await book(clinic, { time: '09:00', patientemail: `p${round}@mail.example` });
    await change({ periods: [period('14:00', '16:00')] });
    const seen = seenAt('09:00');
    const answers = await Promise.all([
      settle(drGrey, appointment, {
        seen,
        decision: { act: 'move', date: clinic.soon, time: '14:00', patientChoice: 'agreed' },
      }),
      round % 2 === 0
        ? settle('admin', appointment, { seen, decision: { act: 'cancel', patientChoice: 'agreed' } })
        : settle('admin', appointment, {
            seen,
            decision: { act: 'move', date: clinic.soon, time: '15:00', patientChoice: 'agreed' },
          }),
    ]);
    const verdicts = await Promise.all(answers.map((answer) => verdict(answer)));
    assert.equal(verdicts.filter((one) => one === '200').length, 1, verdicts.join());
    assert.match(verdicts.find((one) => one !== '200') ?? '', /^(412 changed_meanwhile|409 transition_refused)$/);
    const stored = await clinic.appointments.findOne({});
    const [byDoctor] = verdicts;
    assert.deepEqual(
      [stored?.time, stored?.status],
      byDoctor === '200' ? ['14:00', 'Pending'] : round % 2 === 0 ? ['09:00', 'Cancelled'] : ['15:00', 'Pending'],
    );
  }
});

test('an appointment that was kept off the new grid holds every slot that it reaches into', async () => {
  await change({ periods: [period('09:15', '10:45')] });
  await book(clinic, { time: '09:45' });
  await change({ periods: [period('09:00', '11:00')] });
  assert.deepEqual(await freeOn(clinic.soon), ['09:00', '10:30']);
  const answer = await clinic.as(ben)('/appoinments', {
    method: 'POST',
    json: booking(clinic, { patientemail: ben.email, time: '10:00' }),
  });
  assert.deepEqual([answer.status, ((await answer.json()) as Problem).freeTimes], [409, ['09:00', '10:30']]);
  assert.equal(await clinic.appointments.countDocuments({}), 1);
});

test('a holiday closes the clinic for everybody, names who is booked then, and can be removed', async () => {
  const appointment = await book(clinic);
  const add = (who: Who, json: unknown) => clinic.as(who)('/doctors/holidays', { method: 'POST', json });
  const holiday = { name: 'Victory Day', from: clinic.soon, until: addDays(clinic.soon, 1) };
  assert.equal(await verdict(add(drGrey, holiday)), '403 forbidden');
  const answer = await add('admin', holiday);
  assert.equal(answer.status, 201);
  const { holiday: added, outside } = (await answer.json()) as { holiday: Holiday; outside: OutsideAppointment[] };
  assert.deepEqual(
    outside.map(({ _id }) => _id),
    [appointment._id],
  );
  assert.deepEqual(await (await clinic.anonymous('/doctors/holidays')).json(), [added]);
  assert.deepEqual([await freeOn(clinic.soon), await outsideNow()], [[], ['09:00']]);
  const rejected = await clinic.as(ann)('/appoinments', { method: 'POST', json: booking(clinic, { time: '10:00' }) });
  assert.deepEqual(
    [rejected.status, ((await rejected.json()) as Problem).errors],
    [400, [{ field: 'date', message: 'The clinic is closed on this day' }]],
  );
  assert.equal(await verdict(add('admin', { ...holiday, name: 'Again' })), '409 duplicate');
  assert.equal(await verdict(add('admin', { ...holiday, from: addDays(clinic.soon, 2) })), '400 validation_failed');
  assert.equal(
    await verdict(clinic.as(drGrey)(`/doctors/holidays/${added._id}`, { method: 'DELETE' })),
    '403 forbidden',
  );
  const remove = () => clinic.as('admin')(`/doctors/holidays/${added._id}`, { method: 'DELETE' });
  assert.equal((await remove()).status, 204);
  assert.equal(await verdict(remove()), '404 not_found');
  assert.deepEqual([await freeOn(clinic.soon), await outsideNow()], [['09:30', '10:00'], []]);
  const events = await clinic.db.collection('events').find({ 'record.type': 'holiday' }).sort({ _id: 1 }).toArray();
  assert.deepEqual(
    events.map(({ action }) => action),
    ['holiday added', 'holiday removed'],
  );
});

test('admins who add the same holiday at once add it once', async () => {
  const json = { name: 'Eid', from: clinic.soon, until: clinic.soon };
  const verdicts = await Promise.all(
    Array.from({ length: 5 }, () => verdict(clinic.as('admin')('/doctors/holidays', { method: 'POST', json }))),
  );
  assert.deepEqual(verdicts.toSorted(), ['201', ...Array.from({ length: 4 }, () => '409 duplicate')]);
  assert.equal(((await (await clinic.anonymous('/doctors/holidays')).json()) as Holiday[]).length, 1);
});

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
  // An emptied list means any time of day, as before.
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
  const change = scheduleWeekly(1);
  await Promise.all([change.up(clinic.context), change.up(clinic.context)]);
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
  await change.up(clinic.context);
  assert.deepEqual(await clinic.doctors.findOne({ email: drGrey.email }), grey);
});
