import type { ClinicMoment, Doctor } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import type { ObjectId } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';

/** A doctor as the database keeps it. */
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
  /** Address of a picture; empty: none. */
  readonly image: string;
  readonly isAvailable: boolean;
  /** 'HH:mm' in the clinic's time zone; empty: any time of day. */
  readonly availableTimes: readonly string[];
  /** 'yyyy-mm-dd' in the clinic's time zone, ascending; absent: none. */
  readonly daysOff?: readonly string[];
  /** 0 (none yet) to 5. */
  readonly rating: number;
  /** The name's search key, for the alphabetical order. */
  readonly nameKey: string;
  /** The specialty's search key, for the filter. */
  readonly specialtyKey: string;
  /** Search keys of name and specialty: what the directory's search looks into. */
  readonly searchText: string;
  readonly createdAt: Date;
  /** The account that is this doctor; absent: none is yet, and admins run the profile. Set once, never changed. */
  readonly accountId?: string;
  /** The account is no active doctor's at present, so nobody can book; absent: it is, or there is none. */
  readonly suspended?: boolean;
  /** Raised by each booking while there is no account, so that a booking and the account's arrival collide. */
  readonly bookedWithoutAccount?: number;
}

export type NewDoctor = Omit<DoctorRecord, 'nameKey' | 'specialtyKey' | 'searchText'>;

/** Whether a doctor takes appointments at all: they say so, and nobody took their role or account away. */
export function isBookable({ isAvailable, suspended }: Pick<DoctorRecord, 'isAvailable' | 'suspended'>): boolean {
  return isAvailable && suspended !== true;
}

/** Adds the fields that exist for finding and sorting the record. */
export function doctorRecord(doctor: NewDoctor): DoctorRecord {
  return { ...doctor, ...doctorKeys(doctor) };
}

/** What a doctor is found and sorted by. */
export function doctorKeys({ name, specialization }: Pick<DoctorRecord, 'name' | 'specialization'>): Pick<DoctorRecord, 'nameKey' | 'specialtyKey' | 'searchText'> {
  const nameKey = searchKey(name);
  const specialtyKey = searchKey(specialization);
  return { nameKey, specialtyKey, searchText: `${nameKey}\n${specialtyKey}` };
}

/**
 * What the record says of the doctor, under the names of the API.
 *
 * @param today - days off before it are left out, 'yyyy-mm-dd'; empty: none are
 */
export function doctorFields(record: DoctorRecord, today: string): Omit<Doctor, 'nextFree' | 'bookableUntil'> {
  const id = record._id.toHexString();
  return {
    _id: id,
    id,
    name: record.name,
    email: record.email,
    qualification: record.qualification,
    education: record.education,
    specialization: record.specialization,
    // The directory reads this name, the dashboards the other.
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
 * The record as the API shows it.
 *
 * @param nextFree - the earliest free slot; `undefined`: none
 */
export function toDoctor(record: DoctorRecord, { today, bookableUntil }: ClinicClock, nextFree: ClinicMoment | undefined): Doctor {
  return { ...doctorFields(record, today), nextFree: nextFree ?? null, bookableUntil };
}
