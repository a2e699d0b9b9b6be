import type { Doctor } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import type { ObjectId } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import type { FreeDay } from './free-day.ts';

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
  /** 'HH:mm' in the clinic's time zone; empty: any time of day. */
  readonly availableTimes: readonly string[];
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
  readonly createdAt: Date;
  /** The doctor's account; absent if there is none yet, and admins run the profile. Set once, never changed. */
  readonly accountId?: string;
  /** The account isn't an active doctor's at present, so the doctor can't be booked; absent if it is, or if there is no account. */
  readonly suspended?: boolean;
  /** Incremented by each booking while there is no account, so that it conflicts with an account being linked. */
  readonly bookedWithoutAccount?: number;
}

export type NewDoctor = Omit<DoctorRecord, 'nameKey' | 'specialtyKey' | 'searchText'>;

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
}: Pick<DoctorRecord, 'name' | 'specialization'>): Pick<DoctorRecord, 'nameKey' | 'specialtyKey' | 'searchText'> {
  const nameKey = searchKey(name);
  const specialtyKey = searchKey(specialization);
  return { nameKey, specialtyKey, searchText: `${nameKey}\n${specialtyKey}` };
}

/**
 * The record's fields under their wire names.
 *
 * @param today - leave out days off before this day, 'yyyy-mm-dd'; empty: keep all
 */
export function doctorFields(
  record: DoctorRecord,
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
export function toDoctor(
  record: DoctorRecord,
  { today, bookableUntil }: ClinicClock,
  free: FreeDay | undefined,
): Doctor {
  return {
    ...doctorFields(record, today),
    nextFree: free ? { date: free.date, time: free.times[0] } : null,
    nextFreeTimes: free ? [...free.times] : [],
    bookableUntil,
  };
}
