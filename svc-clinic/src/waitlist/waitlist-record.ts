import type { WaitlistPart } from '../contract/limits.ts';
import type { WaitlistEntry, WaitlistOffer } from '../contract/waitlist-calls.ts';
import { findingWords } from '@clinic/contracts/search-key';
import { ownedBy, phoneWords } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import { patientOf } from '../appointments/appointment-record.ts';
import type { PatientFields } from '../appointments/patient-fields.ts';

/** A patient's place on the waitlist. */
export interface WaitlistRecord extends PatientFields {
  readonly _id: ObjectId;
  /** The patient's account: offers reach people in the app only. */
  readonly patientId: string;
  /** Lower case. */
  readonly patientEmail: string;
  /** Whether the address was confirmed when they joined: decides how many appointments they may have. */
  readonly confirmed: boolean;
  /** The doctor or specialty they wait for; see `doctorTarget` and `specialtyTarget`. */
  readonly target: string;
  /** What a patient can wait for only once: the target, or the appointment to move. */
  readonly about: string;
  /** If they wait for one doctor. Lower case. */
  readonly doctorEmail?: string;
  readonly doctorName?: string;
  /** If they wait for any doctor of a specialty. */
  readonly specialty?: string;
  /** The appointment that an accepted offer moves. */
  readonly moving?: ObjectId;
  /** First and last day, 'yyyy-mm-dd' in the clinic's time zone. */
  readonly from: string;
  readonly until: string;
  readonly parts: readonly WaitlistPart[];
  readonly status: WaitlistEntry['status'];
  readonly joinedAt: Date;
  /** Whether it has ended because its offers were declined or not answered. */
  readonly afterOffers?: true;
  /** When it was booked, left or ended; absent before. */
  readonly endedAt?: Date;
  /** See {@link waitingWords}; absent: written by the previous release. */
  readonly words?: readonly string[];
}

/** What {@link waitingWords} reads. */
export const waitingWordFields = ['patientName', 'patientEmail', 'doctorName', 'specialty', 'phone'] as const;

/** What finds a place: words of the patient and of what they wait for, and the patient's phone number. */
export function waitingWords({
  patientName,
  patientEmail,
  doctorName = '',
  specialty = '',
  phone,
  phoneE164,
}: Pick<WaitlistRecord, (typeof waitingWordFields)[number] | 'phoneE164'>): string[] {
  const words = findingWords(patientName, patientEmail, doctorName, specialty);
  return [...new Set([...words, ...phoneWords(phone, phoneE164)])];
}

/** A time that is held for one patient. The hold itself is a `SlotHold` with the same id. */
export interface OfferRecord {
  readonly _id: ObjectId;
  readonly entryId: ObjectId;
  readonly patientId: string;
  /** Lower case. */
  readonly doctorEmail: string;
  readonly doctorName: string;
  readonly date: string;
  readonly time: string;
  readonly place?: string;
  /** Where the appointment was when the offer was made, if accepting moves one. */
  readonly moves?: { readonly date: string; readonly time: string };
  /** The place ends if this offer is declined or missed. */
  readonly last?: true;
  /** svc-messages has sent its message in time for the patient to see it: only then it counts if they miss it. */
  readonly told?: true;
  readonly status: WaitlistOffer['status'];
  readonly madeAt: Date;
  readonly until: Date;
  /** When it was accepted, declined, missed or withdrawn; absent before. */
  readonly settledAt?: Date;
}

/**
 * A note that times may have become free, written in the transaction that freed them, so that no crash loses it.
 * Somebody on the waitlist may now be able to take one of the doctor's times; if the note is about a patient, that
 * patient may be able to take another free one.
 */
export interface FreedRecord {
  readonly _id: ObjectId;
  /** When it is due; a replica that takes it sets this to a moment later, in case it doesn't finish. */
  readonly at: Date;
  /** Lower case; absent with `patientId` or `everybody`. */
  readonly doctorEmail?: string;
  readonly patientId?: string;
  /** Any doctor's times, e.g. after a holiday was removed. */
  readonly everybody?: true;
}

/** Statuses in which somebody is on the waitlist. */
export const activeStatuses = ['waiting', 'offered'] as const satisfies WaitlistEntry['status'][];

/** What somebody waits for who wants an earlier time of an appointment. */
export const aboutAppointmentToMove = (id: ObjectId): string => `appointment ${id.toHexString()}`;

export const doctorTarget = (email: string): string => `doctor ${email}`;

/** @param specialtyKey - search key, so that spellings don't matter */
export const specialtyTarget = (specialtyKey: string): string => `specialty ${specialtyKey}`;

/** A place's fields for the history: nothing that identifies the patient. */
export function entryForHistory({ doctorName, specialty, from, until, parts, moving }: WaitlistRecord) {
  return {
    ...(doctorName !== undefined && { doctorname: doctorName }),
    ...(specialty !== undefined && { specialty }),
    from,
    until,
    parts,
    ...(moving && { appointment: moving.toHexString() }),
  };
}

/** An offer's fields for the history. */
export function offerForHistory({ _id, doctorName, date, time, until }: OfferRecord) {
  return { offer: _id.toHexString(), doctorname: doctorName, date, time, until: until.toISOString() };
}

/** @param appointment - where the appointment to move is now */
export function toEntry(record: WaitlistRecord, appointment?: { date: string; time: string }): WaitlistEntry {
  const { doctorName, doctorEmail, specialty, moving } = record;
  return ownedBy(patientOf(record), {
    _id: record._id.toHexString(),
    patientname: record.patientName,
    patientemail: record.patientEmail,
    ...(doctorName !== undefined && { doctorname: doctorName }),
    ...(doctorEmail !== undefined && { doctoremail: doctorEmail }),
    ...(specialty !== undefined && { specialty }),
    ...(moving && appointment && { appointment: { _id: moving.toHexString(), ...appointment } }),
    from: record.from,
    until: record.until,
    parts: [...record.parts],
    status: record.status,
    ...(record.afterOffers && { afterOffers: true }),
    joinedAt: record.joinedAt.toISOString(),
  });
}

export function toOffer(record: OfferRecord, now = new Date()): WaitlistOffer {
  return ownedBy(
    { email: '', id: record.patientId },
    {
      _id: record._id.toHexString(),
      doctorname: record.doctorName,
      date: record.date,
      time: record.time,
      ...(record.place && { place: record.place }),
      ...(record.moves && { moves: record.moves }),
      ...(record.last && { last: true as const }),
      status: record.status,
      madeAt: record.madeAt.toISOString(),
      until: record.until.toISOString(),
      left: record.status === 'open' ? Math.max(0, record.until.getTime() - now.getTime()) : 0,
    },
  );
}
