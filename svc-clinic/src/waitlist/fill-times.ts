import { addDays } from '@clinic/contracts';
import { confirmedAccounts, isDuplicateKey } from '@clinic/service-kit';
import { freeSlotsOfDay } from '../appointments/free-times.ts';
import { durationOf } from '../appointments/promise.ts';
import { takenTime } from '../appointments/taken-times.ts';
import { isBookable, type DoctorRecord } from '../doctors/doctor-record.ts';
import { withHolidays } from '../schedule/holidays.ts';
import type { ClinicContext } from '../settings.ts';
import { inBatches, offerSlot, patientsOf, patientsWithOffer, waitingFor, type Offering } from './offer-slot.ts';
import { canTake, offerUntil, readAppointmentsAndOffers } from './suitable.ts';
import { doctorTarget, type FreedRecord, type WaitlistRecord } from './waitlist-record.ts';

/** Offers made for one note before others get their turn, and people considered at a time. */
const mostOffers = 50;
const waitingAtOnce = 1_000;

export interface Filling extends Offering {
  readonly inTransaction: ClinicContext['inTransaction'];
}

/**
 * Offers a note's free times to people who can take them.
 *
 * @returns whether the note is done: all times are offered, or stay free
 */
export async function fillFreed(filling: Filling, freed: FreedRecord): Promise<boolean> {
  const { doctors } = filling.collections;
  const targets = await targetsOfNote(filling, freed);
  let left = mostOffers;
  const seen = new Set<string>();
  for (const target of targets) {
    const [kind, name] = splitTarget(target);
    const found = doctors.find(kind === 'doctor' ? { email: name } : { specialtyKey: name });
    for await (const doctor of found) {
      if (seen.has(doctor.email)) continue;
      seen.add(doctor.email);
      left -= await fillDoctor(filling, doctor, left);
      if (left <= 0) return false;
    }
  }
  return true;
}

function splitTarget(target: string): [string, string] {
  const at = target.indexOf(' ');
  return [target.slice(0, at), target.slice(at + 1)];
}

/** The targets that a note may be about. */
async function targetsOfNote(
  { collections: { waitlist } }: Filling,
  { doctorEmail, patientId, everybody }: FreedRecord,
): Promise<string[]> {
  if (everybody) return waitlist.distinct('target', { status: 'waiting' });
  const own = patientId === undefined ? [] : await waitlist.distinct('target', { patientId, status: 'waiting' });
  return doctorEmail === undefined ? own : [doctorTarget(doctorEmail), ...own];
}

/** @returns number of offers made */
async function fillDoctor(filling: Filling, doctor: DoctorRecord, most: number): Promise<number> {
  if (!isBookable(doctor)) return 0;
  let made = 0;
  const line = filling.collections.waitlist.find(waitingFor(doctor)).sort({ joinedAt: 1, _id: 1 });
  for await (const waiting of inBatches(line, waitingAtOnce)) {
    made += await fillFor(filling, doctor, waiting, most - made);
    if (made >= most) break;
  }
  return made;
}

/**
 * @param waiting - some who wait for the doctor
 * @returns number of offers made
 */
async function fillFor(
  filling: Filling,
  doctor: DoctorRecord,
  waiting: readonly WaitlistRecord[],
  most: number,
): Promise<number> {
  const { collections, rules } = filling;
  // Hints that save transactions, one a free time and person: the offer's transaction checks again.
  const [confirmed, busy] = await Promise.all([
    confirmedAccounts(filling, patientsOf(waiting)),
    patientsWithOffer(collections, waiting),
  ]);
  let entries = waiting.filter(({ patientId }) => confirmed.has(patientId) && !busy.has(patientId));
  if (entries.length === 0) return 0;
  const clock = await withHolidays(filling.clock, collections);
  const { from, until } = spanOf(entries, clock.today, clock.bookableUntil);
  const [taken, theirs] = await Promise.all([
    takenTime(collections.appointments, doctor.email, { from, until }, clock.timeZone),
    readAppointmentsAndOffers(collections, entries, { doctorEmail: doctor.email, from, until }, clock),
  ]);
  let made = 0;
  for (let date = from; date <= until && entries.length > 0; date = addDays(date, 1)) {
    for (const { time, minutes } of freeSlotsOfDay(doctor, date, taken, clock)) {
      const slot = { doctorEmail: doctor.email, date, time, duration: durationOf(minutes) };
      const end = offerUntil(slot, clock, rules);
      if (!end || !entries.some((entry) => canTake(entry, slot, theirs, { clock, rules, until: end }))) continue;
      const offered = await tryOffer(filling, slot);
      if (offered === undefined) continue;
      made += 1;
      entries = entries.filter(({ patientId }) => patientId !== offered);
      if (made >= most) return made;
    }
  }
  return made;
}

/** @returns the patient who has the offer */
async function tryOffer(filling: Filling, slot: Parameters<typeof offerSlot>[1]): Promise<string | undefined> {
  try {
    const offer = await filling.inTransaction((session) => offerSlot(filling, slot, session));
    return offer?.patientId;
  } catch (error) {
    // Somebody has just booked the slot, or another replica has offered it, or another slot to this person.
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

function spanOf(entries: readonly WaitlistRecord[], today: string, bookableUntil: string) {
  const first = entries.map(({ from }) => from).toSorted()[0] ?? today;
  const last =
    entries
      .map(({ until }) => until)
      .toSorted()
      .at(-1) ?? today;
  return { from: first > today ? first : today, until: last < bookableUntil ? last : bookableUntil };
}
