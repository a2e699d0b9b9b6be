import { existsInClinic } from '@clinic/contracts';
import { isClosedOn } from '@clinic/contracts/opening-days';
import { isPast, type ClinicClock } from '../clinic-clock.ts';
import { isBookable } from '../doctors/doctor-record.ts';

/** The fields that decide when a doctor can be booked. */
export interface BookableDoctor {
  readonly isAvailable: boolean;
  /** The account isn't an active doctor's at present. */
  readonly suspended?: boolean;
  /** 'HH:mm' in the clinic's time zone, the same every day; empty: any time of day. */
  readonly availableTimes: readonly string[];
  /** Days without appointments, 'yyyy-mm-dd' in the clinic's time zone. */
  readonly daysOff?: readonly string[];
}

export interface FreeTimesOfDay {
  /** 'HH:mm', ascending. */
  readonly times: string[];
  /** The doctor lists no times: any time of day that isn't taken can be requested. */
  readonly anyTime: boolean;
}

/**
 * Free times on a doctor's day: the listed times minus held and past ones; none on a day off or when the clinic is closed, after the booking horizon, or
 * if the doctor isn't available.
 *
 * @param doctor - whose day it is
 * @param date - the day, 'yyyy-mm-dd' in the clinic's time zone
 * @param taken - times of that day held by appointments, 'HH:mm'
 */
export function freeTimesOfDay(
  doctor: BookableDoctor,
  date: string,
  taken: readonly string[],
  clock: ClinicClock,
): FreeTimesOfDay {
  const closed = isClosedOn(date, clock.closed) || doctor.daysOff?.includes(date);
  if (!isBookable(doctor) || date < clock.today || date > clock.bookableUntil || closed)
    return { times: [], anyTime: false };
  const held = new Set(taken);
  const times = [...new Set(doctor.availableTimes)]
    .filter(
      (time) => !held.has(time) && !isPast({ date, time }, clock) && existsInClinic({ date, time }, clock.timeZone),
    )
    .sort();
  return { times, anyTime: doctor.availableTimes.length === 0 };
}
