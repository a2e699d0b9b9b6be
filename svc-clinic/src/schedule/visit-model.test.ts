import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, minuteOf, timeOf, type ClinicMoment } from '@clinic/contracts';
import { weekdays } from '@clinic/contracts/opening-days';
import { newId } from '@clinic/service-kit';
import ICAL from 'ical.js';
import type { ClientSession } from 'mongodb';
import { Temporal } from 'temporal-polyfill';
import { appointmentRecord } from '../appointments/appointment-record.ts';
import { calendarFile } from '../appointments/calendar-file.ts';
import { freeSlotsOfDay } from '../appointments/free-times.ts';
import { cellsOf, durationOf, overlap, promiseOf, startAndEnd, timeTaken } from '../appointments/promise.ts';
import { slotRejections } from '../appointments/requested-slot.ts';
import { TakenTime } from '../appointments/taken-times.ts';
import { clinicClock, type ClinicClock } from '../clinic-clock.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { planDates, type DateQuestion } from '../series/date-conflicts.ts';
import { storedAppointment } from '../testing/test-clinic.ts';
import { canTake } from '../waitlist/suitable.ts';
import type { WaitlistRecord } from '../waitlist/waitlist-record.ts';
import type { HoursRecord } from './hours-record.ts';
import { scheduleFaults } from './schedule-faults.ts';
import { allTimes } from './working-times.ts';
import { bookable, instantsOf, share, type ModelVisit, type ModelWorld } from '../testing/visit-model.ts';
import { randomOf, worldOf, type Random } from '../testing/random-worlds.ts';

/** How many questions the model is asked; 100,000 take some minutes. */
const questions = Number(process.env['MODEL_QUESTIONS'] ?? 3_000);
const seed = Number(process.env['MODEL_SEED'] ?? 20_261);

/** The service's form of the model's world; `undefined` if its editor wouldn't save these hours. */
function doctorOf({ periods, exceptions, daysOff }: ModelWorld): DoctorRecord | undefined {
  const hours = {
    periods: periods.map(({ from, until, length, gap, spans }) => ({
      ...(from !== undefined && { from }),
      ...(until !== undefined && { until }),
      slotMinutes: length,
      bufferMinutes: gap,
      hours: spans.map((span) => ({
        day: weekdays[span.day] ?? 'Sunday',
        from: timeOf(span.from),
        until: timeOf(span.until === 0 ? 1_440 : span.until),
        place: span.place,
      })),
    })),
    exceptions: exceptions.map(({ date, extra, from, until, place }) => ({
      date,
      kind: extra ? ('extra' as const) : ('off' as const),
      from: timeOf(from),
      until: timeOf(until === 0 ? 1_440 : until),
      place,
    })),
  };
  const draft = { ...hours, periods: hours.periods, daysOff: [...daysOff] };
  const faults = scheduleFaults(draft, '2000-01-01', draft);
  // Hours that the service refuses need no answer; those of a day too many neither.
  if (faults.some(({ field }) => !field.startsWith('exceptions'))) return undefined;
  const listedTimes = allTimes(hours);
  const record: HoursRecord = { ...hours, listedTimes };
  return {
    email: 'grey@clinic.example',
    isAvailable: true,
    specialization: 'Cardiologist',
    location: 'Level 3',
    availableTimes: listedTimes,
    daysOff,
    hours: record,
  } as unknown as DoctorRecord;
}

function clockOf({ zone, now, horizon, holidays, open }: ModelWorld): ClinicClock {
  const rules = {
    CLINIC_TZ: zone,
    CLINIC_BOOKING_HORIZON_DAYS: horizon,
    ...(open && { CLINIC_OPENING_HOURS: { from: timeOf(open.from), until: timeOf(open.until) } }),
  };
  const clock = clinicClock(rules, new Date(now.epochMilliseconds));
  return { ...clock, holidays: new Map(holidays.map((date) => [date, 'Holiday'])) };
}

const momentOf = ({ date, minute }: ModelVisit): ClinicMoment => ({ date, time: timeOf(minute) });
const takenBy = (visits: readonly ModelVisit[], zone: string): TakenTime =>
  new TakenTime(visits.map((visit) => timeTaken({ ...momentOf(visit), duration: durationOf(visit.length) }, zone)));

/** Answers that agree, of one world. */
async function compare(random: Random): Promise<number> {
  const { world, date } = worldOf(random);
  const doctor = doctorOf(world);
  if (!doctor) return 0;
  const clock = clockOf(world);
  const taken = takenBy(world.taken, world.zone);
  let asked = 0;

  for (const shown of [-1, 0, 1].map((days) => addDays(date, days))) {
    const slots = freeSlotsOfDay(doctor, shown, taken, clock);
    const expected = bookable(world, shown);
    const story = () => JSON.stringify({ shown, world: { ...world, now: world.now.toString() } });
    assert.deepEqual(
      slots.map(({ time, minutes, place }) => [minuteOf(time), minutes, place]),
      expected.map(({ minute, length, place }) => [minute, length, place]),
      story(),
    );
    // What is offered can be requested, and another minute can't.
    const minute = random.upTo(1_439);
    if (expected.some((slot) => slot.minute === minute))
      assert.deepEqual(slotRejections(doctor, { date: shown, time: timeOf(minute) }, clock), [], story());
    asked += 2;
  }

  const [one, other] = [world.taken[0], world.taken[1]];
  if (one && other) {
    asked += compareVisits(one, other, world.zone);
  }
  asked += compareOffer(world, doctor, clock, date);
  if (random.chance() < 0.2) asked += await compareSeries(world, doctor, clock, date, random);
  // Files have the zones' rules of today.
  if (random.chance() < 0.1 && one && one.date > '2026') asked += compareFile(one, world.zone);
  return asked;
}

function compareVisits(one: ModelVisit, other: ModelVisit, zone: string): number {
  const expected = share(one, other, zone);
  const [mine, theirs] = [one, other].map((visit) =>
    timeTaken({ ...momentOf(visit), duration: durationOf(visit.length) }, zone),
  );
  assert.ok(mine && theirs);
  assert.equal(overlap(mine, theirs), expected);
  const minutes = new Set(cellsOf(mine));
  // What the database's index compares.
  assert.equal(
    cellsOf(theirs).some((minute) => minutes.has(minute)),
    expected,
  );
  const { start, end } = startAndEnd({ ...momentOf(one), duration: durationOf(one.length) }, zone);
  assert.deepEqual([Date.parse(start), Date.parse(end)], instantsOf(one, zone));
  return 3;
}

/** Whether somebody who waits can take the first free time, with another visit of theirs beside it. */
function compareOffer(world: ModelWorld, doctor: DoctorRecord, clock: ClinicClock, date: string): number {
  const slot = bookable(world, date)[0];
  if (!slot) return 0;
  const entry = {
    patientId: 'p',
    from: date,
    until: date,
    parts: ['morning', 'afternoon', 'evening'],
    confirmed: true,
  } as unknown as WaitlistRecord;
  const own = world.taken.slice(0, 2);
  const facts = {
    appointments: new Map([
      [
        'p',
        own.map((visit) => ({
          _id: newId(),
          doctorEmail: 'x',
          ...momentOf(visit),
          duration: durationOf(visit.length),
        })),
      ],
    ]),
    offered: new Set<string>(),
  };
  const rules = {
    CLINIC_COUNTRY: 'BD' as const,
    CLINIC_TZ: world.zone,
    CLINIC_CHANGE_CUTOFF_HOURS: 2,
    CLINIC_MAX_OPEN_APPOINTMENTS: 100,
    CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED: 1,
  };
  const offered = { doctorEmail: doctor.email, date, time: timeOf(slot.minute), duration: durationOf(slot.length) };
  assert.equal(
    canTake(entry, offered, facts, { clock, rules, until: clock.now }),
    own.every((visit) => !share({ date, ...slot }, visit, world.zone)),
  );
  return 1;
}

/** A series on five days: conflicts where nothing is free, and alternatives that are. */
async function compareSeries(
  world: ModelWorld,
  doctor: DoctorRecord,
  clock: ClinicClock,
  date: string,
  { among, upTo }: Random,
): Promise<number> {
  const slot = bookable(world, date)[0];
  const time = slot ? timeOf(slot.minute) : timeOf(upTo(1_439));
  const every = among([1, 2, 7]);
  const dates = Array.from({ length: 5 }, (_, index) => ({ date: addDays(date, every * index), time }));
  const rows = world.taken.map((visit) => ({ ...momentOf(visit), duration: durationOf(visit.length) }));
  const question = {
    collections: {
      appointments: {
        find: (filter: { readonly doctorEmail: unknown }) => ({
          toArray: () => Promise.resolve(filter.doctorEmail === doctor.email ? rows : []),
        }),
      },
    },
    doctor,
    patient: { patientEmail: 'ann@mail.example' },
    clock,
    requester: 'admin',
  } as unknown as DateQuestion;
  const planned = await planDates(question, dates, {} as ClientSession);
  const chosen: ModelVisit[] = [];
  const free = (one: ClinicMoment) => bookable(world, one.date).find(({ minute }) => timeOf(minute) === one.time);
  for (const [index, one] of planned.entries()) {
    const found = free(one);
    const earlier = chosen.some((visit) => found && share({ date: one.date, ...found }, visit, world.zone));
    assert.equal(one.conflict === undefined, found !== undefined && !earlier, JSON.stringify([index, one, planned]));
    if (found) chosen.push({ date: one.date, ...found });
  }
  for (const { alternative } of planned) {
    if (!alternative) continue;
    const found = free(alternative) ?? assert.fail(`${alternative.date} ${alternative.time} can’t be booked`);
    const visit = { date: alternative.date, ...found };
    assert.ok(!chosen.some((other) => share(visit, other, world.zone)));
    chosen.push(visit);
  }
  return planned.length;
}

/** The file says what was promised, read by another program. */
function compareFile(visit: ModelVisit, zone: string): number {
  const stored = { ...storedAppointment(momentOf(visit)), ...momentOf(visit) };
  const record = appointmentRecord(stored, promiseOf(stored, { minutes: visit.length, place: 'Branch' }, zone));
  const calendar = new ICAL.Component(ICAL.parse(calendarFile(record, zone)));
  const event = calendar.getFirstSubcomponent('vevent') ?? assert.fail();
  const rules = new ICAL.Timezone(calendar.getFirstSubcomponent('vtimezone') ?? assert.fail());
  const start = event.getFirstPropertyValue('dtstart') as ICAL.Time;
  start.zone = rules;
  const duration = event.getFirstPropertyValue('duration') as ICAL.Duration;
  assert.equal(duration.toSeconds(), visit.length * 60);
  assert.equal(event.getFirstPropertyValue('location'), 'Branch');
  // A time that the clock skips or shows twice is read in either way; nobody can book a skipped one.
  const wallTime = Temporal.PlainDateTime.from(`${visit.date}T${timeOf(visit.minute)}`);
  const readings = (['earlier', 'later'] as const).map(
    (disambiguation) => wallTime.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
  );
  assert.ok(readings.includes(start.toUnixTime() * 1_000), `${start.toString()} in ${zone}`);
  return 1;
}

test('an independent model agrees on free times, overlaps, offers, series and files', async () => {
  const random = randomOf(seed);
  let asked = 0;
  while (asked < questions) asked += await compare(random);
  assert.ok(asked >= questions);
});
