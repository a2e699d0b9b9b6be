import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, clinicInstant, clinicMoment, type Problem } from '@clinic/contracts';
import type { Appointment, FreeTimes } from './contract/schemas.ts';
import { ann, ben } from './testing/people.ts';
import { read, sharedClinic, verdict, type TestClinic } from './testing/test-clinic.ts';

async function clinicIn(
  timeZone: string,
  availableTimes: readonly string[],
): Promise<{ clinic: TestClinic; path: string }> {
  const clinic = await sharedClinic({ CLINIC_TZ: timeZone, CLINIC_BOOKING_HORIZON_DAYS: '400' });
  const doctor = await clinic.addDoctor({ availableTimes });
  return { clinic, path: `/doctors/${doctor._id.toHexString()}` };
}

/** The next day, from the day after tomorrow on, that is an hour shorter or longer. */
function changeOfClock(timeZone: string, hours: 23 | 25): string {
  const { date: today } = clinicMoment(new Date(), timeZone);
  for (let day = 2; day < 400; day += 1) {
    const date = addDays(today, day);
    const length =
      clinicInstant({ date: addDays(date, 1), time: '00:00' }, timeZone).getTime() -
      clinicInstant({ date, time: '00:00' }, timeZone).getTime();
    if (length === hours * 3_600_000) return date;
  }
  throw new Error(`${timeZone} has no such day`);
}

// Clock changes: the hour skipped in spring, the hour repeated in autumn, and the times around them.
const zones = [
  { timeZone: 'Europe/London', skipped: '01:30', after: '02:00', twice: '01:30' },
  { timeZone: 'America/New_York', skipped: '02:30', after: '03:00', twice: '01:30' },
] as const;

for (const { timeZone, skipped, after: next, twice } of zones) {
  test(`${timeZone}: the hour skipped by the clocks is neither offered nor booked`, async () => {
    const date = changeOfClock(timeZone, 23);
    const { clinic, path } = await clinicIn(timeZone, ['00:30', skipped, next]);
    const free = await read<FreeTimes>(clinic.anonymous, `${path}/free-times?date=${date}`);
    assert.deepEqual([free.times, free.timeZone], [['00:30', next], timeZone]);
    const rejected = await clinic.requestBooking(ann, { date, time: skipped });
    assert.deepEqual(
      [rejected.status, ((await rejected.json()) as Problem).errors?.map(({ message }) => message)],
      [400, ['This time doesn’t exist on that day because the clocks change']],
    );
    // Two elapsed hours before are three on the clock.
    const { changeUntil, time } = await clinic.book({ date, time: next });
    assert.equal(time, next);
    assert.equal(Date.parse(changeUntil), clinicInstant({ date, time: next }, timeZone).getTime() - 7_200_000);
    assert.equal(clinicMoment(new Date(changeUntil), timeZone).time, timeZone === 'Europe/London' ? '23:00' : '00:00');
  });

  test(`${timeZone}: a repeated hour is one slot`, async () => {
    const date = changeOfClock(timeZone, 25);
    const { clinic, path } = await clinicIn(timeZone, ['00:30', twice, '03:00']);
    const appointment = await clinic.book({ date, time: twice });
    assert.deepEqual([appointment.date, appointment.time], [date, twice]);
    assert.equal(
      await verdict(clinic.requestBooking(ben, { patientemail: ben.email, date, time: twice })),
      '409 slot_taken',
    );
    assert.deepEqual((await read<FreeTimes>(clinic.anonymous, `${path}/free-times?date=${date}`)).times, [
      '00:30',
      '03:00',
    ]);
    const file = await (await clinic.as(ann)(`/appoinments/${appointment._id}/calendar`)).text();
    assert.match(file, new RegExp(`DTSTART;TZID=${timeZone}:${date.replaceAll('-', '')}T${twice.replace(':', '')}00`));
    assert.match(file, /BEGIN:DAYLIGHT[\s\S]*BEGIN:STANDARD/);
  });
}

test('Asia/Dhaka: stores and returns the clinic’s day, even if UTC has another day', async () => {
  const { clinic } = await clinicIn('Asia/Dhaka', ['00:15', '23:45']);
  const shown = await clinic.book({ time: '00:15' });
  const { date, time } = (await clinic.appointments.findOne({})) ?? { date: '', time: '' };
  assert.deepEqual([date, time, shown.date, shown.time], [clinic.soon, '00:15', clinic.soon, '00:15']);
  assert.deepEqual(clinicMoment(new Date(shown.changeUntil), 'Asia/Dhaka'), {
    date: addDays(clinic.soon, -1),
    time: '22:15',
  });
  const of = (from: string) => clinic.as(ann)(`/appoinments?email=${ann.email}&from=${from}&until=${from}`);
  assert.equal(((await (await of(clinic.soon)).json()) as Appointment[]).length, 1);
  assert.deepEqual(await (await of(addDays(clinic.soon, -1))).json(), []);
});
