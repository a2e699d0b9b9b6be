import type { Doctor } from '../contract/schemas.ts';
import { searchKey } from '@clinic/contracts/search-key';
import { ownedBy, searchParts } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import type { HoursRecord } from '../schedule/hours-record.ts';
import { hasNoHours, hoursOf, timesOfNextDay } from '../schedule/working-times.ts';

/** A doctor's earliest day with free times. */
export interface FreeDay {
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly date: string;
  /** 'HH:mm', ascending, at least one. */
  readonly times: readonly [string, ...string[]];
}

/** A doctor in the database. */
export interface DoctorRecord {
  readonly _id: ObjectId;
  readonly name: string;
  /** Lower case, unique. */
  readonly email: string;
  readonly qualification: string;
  readonly education: string;
  readonly specialization: string;
  /** Years. */
  readonly experience: number;
  readonly location: string;
  /** URL of a picture; empty if there is none. */
  readonly image: string;
  readonly isAvailable: boolean;
  /**
   * 'HH:mm' in the clinic's time zone, the same every day; empty: no hours. With `hours`, every time that occurs
   * in them, for replicas of the previous release.
   */
  readonly availableTimes: readonly string[];
  /** Weekly hours and exceptions; absent: the listed times apply every day. See `hoursOf`. */
  readonly hours?: HoursRecord;
  /** 'yyyy-mm-dd' in the clinic's time zone, ascending; absent if there are none. */
  readonly daysOff?: readonly string[];
  /** 0 (no ratings yet) to 5. */
  readonly rating: number;
  /** Search key of the name, for alphabetical order. */
  readonly nameKey: string;
  /** Search key of the specialty, for the filter. */
  readonly specialtyKey: string;
  /** Search keys of name and specialty, for the directory's search. */
  readonly searchText: string;
  /**
   * Where a search finds name and specialty; absent in profiles that a replica of the previous release has just
   * created.
   */
  readonly searchParts?: readonly string[];
  readonly createdAt: Date;
  /** The doctor's account; while it is absent, admins look after the profile. Set once, never changed. */
  readonly accountId?: string;
  /**
   * The account currently isn't an active doctor's, so the doctor can't be booked; absent if it is, or if there is no
   * account.
   */
  readonly suspended?: boolean;
  /** Incremented by each booking while there is no account, so that it conflicts with an account being linked. */
  readonly bookedWithoutAccount?: number;
}

/** Fields that only serve to find a doctor. */
export const searchFieldNames = ['specialtyKey', 'searchText', 'searchParts'] as const satisfies (keyof DoctorRecord)[];

/** What is read to show a doctor. */
export type ShownDoctor = Omit<DoctorRecord, (typeof searchFieldNames)[number]>;

type SearchFields = 'nameKey' | 'specialtyKey' | 'searchText' | 'searchParts';

export type NewDoctor = Omit<DoctorRecord, SearchFields>;

/** Whether a doctor can be booked: they take appointments, and still have their role and account. */
export function isBookable({ isAvailable, suspended }: Pick<DoctorRecord, 'isAvailable' | 'suspended'>): boolean {
  return isAvailable && suspended !== true;
}

/** Adds the derived fields for search and sorting. */
export function doctorRecord(doctor: NewDoctor): DoctorRecord {
  return { ...doctor, ...doctorKeys(doctor) };
}

/** The search keys of a doctor. */
export function doctorKeys({
  name,
  specialization,
}: Pick<DoctorRecord, 'name' | 'specialization'>): Pick<DoctorRecord, SearchFields> {
  const nameKey = searchKey(name);
  const specialtyKey = searchKey(specialization);
  return {
    nameKey,
    specialtyKey,
    searchText: `${nameKey}\n${specialtyKey}`,
    searchParts: searchParts(nameKey, specialtyKey),
  };
}

/**
 * The record's fields under their wire names.
 *
 * @param today - leave out days off before this day, 'yyyy-mm-dd'; empty: keep all
 */
export function doctorFields(
  record: ShownDoctor,
  today: string,
): Omit<Doctor, 'nextFree' | 'nextFreeTimes' | 'bookableUntil'> {
  const id = record._id.toHexString();
  return {
    _id: id,
    id,
    name: record.name,
    email: record.email,
    qualification: record.qualification,
    education: record.education,
    specialization: record.specialization,
    // The directory reads `specialty`, the dashboards `specialization`.
    specialty: record.specialization,
    experience: record.experience,
    location: record.location,
    image: record.image,
    isAvailable: isBookable(record),
    availableTimes: [...record.availableTimes],
    daysOff: (record.daysOff ?? []).filter((date) => date >= today),
    rating: record.rating,
  };
}

/**
 * The record in its wire shape.
 *
 * @param free - the earliest day with free times; `undefined` if there is none
 */
export function toDoctor(record: ShownDoctor, clock: ClinicClock, free: FreeDay | undefined): Doctor {
  const { today, bookableUntil } = clock;
  return ownedBy(
    { email: record.email, id: record.accountId },
    {
      ...doctorFields(record, today),
      ...((hoursOf(record) ?? hasNoHours(record)) && derived(record, clock)),
      nextFree: free ? { date: free.date, time: free.times[0] } : null,
      nextFreeTimes: free ? [...free.times] : [],
      bookableUntil,
    },
  );
}

/**
 * `availableTimes` and `isAvailable` of a doctor with weekly hours, or without any; without upcoming hours a doctor can't be
 * booked.
 */
function derived(record: ShownDoctor, clock: ClinicClock): Pick<Doctor, 'availableTimes' | 'isAvailable'> {
  const times = timesOfNextDay(record, clock);
  return { availableTimes: times ?? [], isAvailable: isBookable(record) && times !== undefined };
}
