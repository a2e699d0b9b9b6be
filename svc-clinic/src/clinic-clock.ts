import {
  addDays,
  clinicInstant,
  clinicMinute,
  clinicMoment,
  minuteOf,
  minutesOfDay,
  minutesOfSpan,
  timeOf,
  type ClinicMoment,
} from '@clinic/contracts';
import { closedDays, type Weekday } from '@clinic/contracts/opening-days';
import type { ClinicContext } from './settings.ts';

/** The current time in the clinic's time zone. */
export interface ClinicClock {
  readonly now: Date;
  /** The clinic's IANA time zone. */
  readonly timeZone: string;
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly today: string;
  /** The last day that can be booked, 'yyyy-mm-dd' in the clinic's time zone. */
  readonly bookableUntil: string;
  /** Opening hours within which the public can book, in minutes of the day; absent for staff. */
  readonly open?: { readonly from: number; readonly until: number };
  /** Weekdays on which nobody can be booked. */
  readonly closed: readonly Weekday[];
  /** Days on which the clinic is closed, 'yyyy-mm-dd', with their names; see `withHolidays`. */
  readonly holidays: ReadonlyMap<string, string>;
}

/** Settings of the clinic's clock. */
export type ClockRules = Pick<ClinicContext['settings'], 'CLINIC_TZ' | 'CLINIC_BOOKING_HORIZON_DAYS'> &
  Partial<Pick<ClinicContext['settings'], 'CLINIC_OPENING_HOURS'>>;

/** The clock of staff, who may also book outside the opening hours. */
export function forStaff({ open: _open, ...clock }: ClinicClock): ClinicClock {
  return clock;
}

/** The clinic's clock at an instant, for the public. */
export function clinicClock(
  { CLINIC_TZ, CLINIC_BOOKING_HORIZON_DAYS, CLINIC_OPENING_HOURS: open }: ClockRules,
  now = new Date(),
  closed = closedDays,
): ClinicClock {
  const today = clinicMoment(now, CLINIC_TZ).date;
  return {
    now,
    timeZone: CLINIC_TZ,
    today,
    bookableUntil: addDays(today, CLINIC_BOOKING_HORIZON_DAYS),
    ...(open &&
      minutesOfSpan(open) < minutesOfDay && { open: { from: minuteOf(open.from), until: minuteOf(open.until) } }),
    closed,
    holidays: new Map(),
  };
}

/**
 * The first moment that isn't past, to compare stored ones with: the second pass of an hour that the clocks repeat is after all
 * of the first, in which its appointments are.
 */
export function firstToCome(now: Date, timeZone: string): ClinicMoment {
  let { date, time } = clinicMoment(now, timeZone);
  while (clinicMinute({ date, time }, timeZone) < Math.floor(now.getTime() / 60_000)) {
    time = timeOf((minuteOf(time) + 1) % minutesOfDay);
    if (time === '00:00') date = addDays(date, 1);
  }
  return { date, time };
}

/** Whether a moment on the clinic's clock is past; the current minute isn't. */
export function isPast(moment: ClinicMoment, { now, timeZone, today }: ClinicClock): boolean {
  if (moment.date !== today) return moment.date < today;
  return clinicInstant(moment, timeZone).getTime() < Math.floor(now.getTime() / 60_000) * 60_000;
}
