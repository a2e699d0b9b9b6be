import { addDays, type Role } from '@clinic/contracts';
import { calendarOf, type CalendarEntry } from '@clinic/service-kit/calendar';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { calendarFields } from '../appointments/calendar-file.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { slotHoldingStatuses, type AppointmentStatus } from '../contract/transitions.ts';

/** Days before and after today that a subscription covers. */
const pastDays = 30;
const comingDays = 365;

/** Most appointments in a calendar: a doctor with twenty a day has about 2,400 in the bookable time. */
const mostEntries = 3_000;

/** Seconds after which programs should read the calendar again. */
const everySeconds = 3_600;

const projection = {
  patientId: 1,
  doctorAccountId: 1,
  patientName: 1,
  doctorName: 1,
  doctorEmail: 1,
  date: 1,
  time: 1,
  duration: 1,
  place: 1,
  status: 1,
  sequence: 1,
  bookedAt: 1,
  changedAt: 1,
} as const satisfies Partial<Record<keyof AppointmentRecord, 1>>;

/**
 * A person's appointments as a calendar: as a patient with the doctor's name, as a doctor with the patient's. It has no
 * telephone number, no reason for the visit and nothing else about anybody's health.
 *
 * @param account - whose they are
 * @param role - the role in effect now; appointments as a doctor are only in a doctor's calendar
 */
export async function feedCalendar(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  { account, role }: { readonly account: string; readonly role: Role },
  { today, timeZone }: ClinicClock,
): Promise<string> {
  const coming = { $gte: today, $lte: addDays(today, comingDays) };
  const found: Listed[] = [];
  // Of more than fit, those are left out that nobody goes to any more.
  for (const { order, ...where } of [
    { date: coming, status: { $in: [...slotHoldingStatuses] }, order: 1 },
    { date: coming, status: 'Cancelled', order: 1 },
    { date: { $gte: addDays(today, -pastDays), $lt: today }, order: -1 },
  ] as const) {
    const room = mostEntries - found.length;
    if (room === 0) break;
    const nearest = appointments.find({ accounts: account, ...where }).sort({ date: order, time: order, _id: order });
    found.push(...(await nearest.limit(room).project<Listed>(projection).toArray()));
  }
  const inOrder = found.toSorted(
    (one, other) => one.date.localeCompare(other.date) || one.time.localeCompare(other.time),
  );
  const entries = inOrder.flatMap((record): CalendarEntry[] => {
    const summary = summaryFor(record, account, role);
    if (summary === undefined) return [];
    return [{ ...calendarFields(record), summary, isPrivate: true }];
  });
  return calendarOf(entries, { timeZone, subscription: { name: 'Clinic appointments', everySeconds } });
}

const prefixes: Readonly<Record<AppointmentStatus, string>> = {
  Pending: '',
  Confirmed: '',
  // Some programs show cancelled entries like any other.
  Cancelled: 'Cancelled: ',
};

type Listed = Pick<AppointmentRecord, keyof typeof projection | '_id'>;

function summaryFor(record: Listed, account: string, role: Role): string | undefined {
  const { patientId, doctorAccountId, patientName, doctorName, status } = record;
  if (patientId === account) return `${prefixes[status]}Appointment with ${doctorName}`;
  if (doctorAccountId === account && role === 'doctor') return `${prefixes[status]}${patientName}`;
  return undefined;
}
