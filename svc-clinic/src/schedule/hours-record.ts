import type { Weekday } from '@clinic/contracts/opening-days';
import type { ObjectId } from 'mongodb';

/** Hours that recur on a weekday, 'HH:mm' in the clinic's time zone; `until` may be '24:00'. */
export interface WeeklySpanRecord {
  readonly day: Weekday;
  readonly from: string;
  readonly until: string;
  /** Empty: the doctor's usual location. */
  readonly place: string;
}

/** Weekly hours and the days on which they apply. A doctor's periods don't overlap. */
export interface PeriodRecord {
  /** First and last day, 'yyyy-mm-dd', inclusive; absent: without limit. */
  readonly from?: string;
  readonly until?: string;
  readonly slotMinutes: number;
  /** Minutes kept free after each appointment. */
  readonly bufferMinutes: number;
  readonly hours: readonly WeeklySpanRecord[];
}

/** Additional hours on one day, or hours of that day that are off. */
export interface ExceptionRecord {
  readonly date: string;
  readonly kind: 'extra' | 'off';
  readonly from: string;
  readonly until: string;
  readonly place: string;
}

/** A doctor's hours if they aren't the same every day. Whole days off are in the doctor's `daysOff`. */
export interface HoursRecord {
  readonly periods: readonly PeriodRecord[];
  readonly exceptions: readonly ExceptionRecord[];
  /**
   * The doctor's `availableTimes` when these hours were saved. The previous release writes only `availableTimes`: if
   * they differ, plain times were saved there later, and those apply.
   */
  readonly listedTimes: readonly string[];
}

/** Days on which the clinic is closed. */
export interface HolidayRecord {
  readonly id: ObjectId;
  readonly name: string;
  /** First and last day, 'yyyy-mm-dd' in the clinic's time zone, inclusive. */
  readonly from: string;
  readonly until: string;
}

/** All holidays: one record, so that concurrent changes of the list conflict and are retried. */
export interface HolidaysRecord {
  readonly _id: typeof holidaysId;
  /** In order. */
  readonly list: readonly HolidayRecord[];
}

export const holidaysId = 'clinic';
