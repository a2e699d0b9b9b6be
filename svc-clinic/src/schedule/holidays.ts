import type { ParsedBody } from '@clinic/contracts';
import { scheduleLimits } from '../contract/limits.ts';
import type { Holiday, OutsideAppointment } from '../contract/schedule-schemas.ts';
import { addDays } from '@clinic/contracts';
import { newId, ProblemError, rejected } from '@clinic/service-kit';
import type { ClientSession, ObjectId } from 'mongodb';
import { isPast, type ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { slotHoldingStatuses } from '../contract/transitions.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { isKept, misfitOf } from '../doctors/appointments-outside-times.ts';
import type { RecordChange } from '../record-change.ts';
import { holidaysId, type HolidayRecord } from './hours-record.ts';
import { toOutside } from './outside-appointment.ts';
import { noteFreedTimes } from '../waitlist/freed-times.ts';

type Holidays = Pick<ClinicCollections, 'holidays'>;

/** The clinic's holidays from a day on, in order. @param today - 'yyyy-mm-dd' */
export async function readHolidays(
  { holidays }: Holidays,
  today: string,
  session?: ClientSession,
): Promise<readonly HolidayRecord[]> {
  const found = await holidays.findOne({ _id: holidaysId }, session && { session });
  return (found?.list ?? []).filter(({ until }) => until >= today);
}

/**
 * The clock with the clinic's holidays from today on.
 *
 * @param session - of the transaction that depends on them, if there is one
 */
export async function withHolidays(
  clock: ClinicClock,
  collections: Holidays,
  session?: ClientSession,
): Promise<ClinicClock> {
  const coming = await readHolidays(collections, clock.today, session);
  if (coming.length === 0) return clock;
  const days = new Map<string, string>();
  for (const { name, from, until } of coming)
    for (let date = from; date <= until; date = addDays(date, 1)) days.set(date, name);
  return { ...clock, holidays: days };
}

/**
 * Closes the clinic on some days. Appointments on them stay booked until staff move or cancel them.
 *
 * @param session - the transaction of holiday and event
 * @throws ProblemError `duplicate` if the clinic is already closed on one of the days; `validation_failed` for days in the
 *   past, or too many holidays
 */
export async function addHoliday(
  { holidays }: Holidays,
  requested: ParsedBody<'addHoliday'>,
  today: string,
  recordChange: RecordChange,
  session: ClientSession,
): Promise<HolidayRecord> {
  const coming = await readHolidays({ holidays }, today, session);
  const { name, from, until } = requested;
  if (until < today) throw rejected('until', 'These days are in the past');
  const other = coming.find((one) => one.from <= until && from <= one.until);
  if (other) {
    const message = `The clinic is already closed then: ${other.name}. Choose other days, or remove that holiday first`;
    throw new ProblemError('duplicate', { detail: `${message}.`, errors: [{ field: 'from', message }] });
  }
  if (coming.length >= scheduleLimits.holidays)
    throw rejected('name', `There can be at most ${scheduleLimits.holidays} holidays. Remove one first`);
  const added: HolidayRecord = { id: newId(), name, from, until };
  const list = [...coming, added].toSorted((one, two) => (one.from < two.from ? -1 : 1));
  // Past holidays are dropped with the next change. The list may be missing in a database that a test has emptied.
  await holidays.updateOne({ _id: holidaysId }, { $set: { list } }, { session, upsert: true });
  await recordChange(session, {
    record: { type: 'holiday', id: added.id },
    accounts: [],
    action: 'holiday added',
    before: null,
    after: { name, from, until },
  });
  return added;
}

/** @throws ProblemError `not_found` */
export async function removeHoliday(
  collections: Holidays & Pick<ClinicCollections, 'freedTimes'>,
  id: ObjectId,
  today: string,
  recordChange: RecordChange,
  session: ClientSession,
): Promise<void> {
  const { holidays } = collections;
  const coming = await readHolidays(collections, today, session);
  const removed = coming.find((one) => one.id.equals(id));
  if (!removed)
    throw new ProblemError('not_found', { detail: 'We can’t find this holiday. Somebody may have removed it.' });
  await holidays.updateOne(
    { _id: holidaysId },
    { $set: { list: coming.filter((one) => one !== removed) } },
    { session },
  );
  await noteFreedTimes(collections, { everybody: true }, session);
  const { name, from, until } = removed;
  await recordChange(session, {
    record: { type: 'holiday', id },
    accounts: [],
    action: 'holiday removed',
    before: { name, from, until },
    after: {},
  });
}

/**
 * All doctors' upcoming appointments that don't fit some holidays, earliest first: those on their days, and those of a night
 * that begins or ends on one. All holidays to come by default: whoever closes the clinic may not be who settles its visits.
 *
 * @param clock - without the holidays
 */
export async function appointmentsOn(
  collections: Pick<ClinicCollections, 'appointments' | 'doctors' | 'holidays'>,
  clock: ClinicClock,
  only?: HolidayRecord,
): Promise<OutsideAppointment[]> {
  const closing = await withHolidays(clock, collections);
  const isAsked = (day: string): boolean => only === undefined || (only.from <= day && day <= only.until);
  const [asked, others] = [true, false].map((is) => [...closing.holidays].filter(([day]) => isAsked(day) === is));
  const days = new Map(asked);
  const without = { ...closing, holidays: new Map(others) };
  const near = new Set([...days.keys()].flatMap((day) => [-1, 0, 1].map((step) => addDays(day, step))));
  const booked = collections.appointments
    .find({
      status: { $in: [...slotHoldingStatuses] },
      date: { $in: [...near].filter((day) => day >= clock.today) },
    })
    .sort({ date: 1, time: 1, _id: 1 });
  const doctors = new Map<string, DoctorRecord | null>();
  const outside: OutsideAppointment[] = [];
  for await (const record of booked) {
    if (isPast(record, clock) || isKept(record)) continue;
    const { doctorEmail: email } = record;
    if (!doctors.has(email)) doctors.set(email, await collections.doctors.findOne({ email }));
    const doctor = doctors.get(email);
    const isOn = days.has(record.date);
    const misfit = doctor ? misfitOf(record, doctor, closing) : { why: ['time' as const] };
    if (misfit && (isOn || (doctor && !misfitOf(record, doctor, without)))) outside.push(toOutside(record, misfit));
    if (outside.length === scheduleLimits.outside) break;
  }
  return outside;
}

export function toHoliday({ id, name, from, until }: HolidayRecord): Holiday {
  return { _id: id.toHexString(), name, from, until };
}
