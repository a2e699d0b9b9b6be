import { appendOutbox, confirmedAccounts, newId, takeUserLockFor } from '@clinic/service-kit';
import type { ClientSession, Db, Filter, ObjectId } from 'mongodb';
import { isTaken } from '../appointments/free-times.ts';
import { durationOf, promiseOf } from '../appointments/promise.ts';
import { slotRejections } from '../appointments/requested-slot.ts';
import { takenTime } from '../appointments/taken-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { waitlistPartOf } from '../contract/limits.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { historyRecorder, type RecordChange } from '../record-change.ts';
import { withHolidays } from '../schedule/holidays.ts';
import { visitAt } from '../schedule/visit.ts';
import { workingSlotAt, type WorkingSlot } from '../schedule/working-times.ts';
import type { ClinicContext } from '../settings.ts';
import { holdsOf, slotHold } from './slot-hold.ts';
import {
  canTake,
  offerUntil,
  readAppointmentsAndOffers,
  type OfferedSlot,
  type OfferTimes,
  type SuitableRules,
  type TimedSlot,
} from './suitable.ts';
import {
  doctorTarget,
  offerForHistory,
  specialtyTarget,
  type OfferRecord,
  type WaitlistRecord,
} from './waitlist-record.ts';

/** People considered per query. */
const batchSize = 100;

export type OfferRules = SuitableRules & OfferTimes & Pick<ClinicContext['settings'], 'WAITLIST_OFFERS'>;

/** What is needed to offer times. */
export interface Offering {
  readonly db: Db;
  readonly collections: ClinicCollections;
  readonly clock: ClinicClock;
  readonly rules: OfferRules;
  readonly recordChange: RecordChange;
}

/**
 * Offers a slot to the first person on the waitlist who can take it, and holds it for them: the index that keeps a slot from
 * being booked twice keeps it from being held twice, or held and booked.
 *
 * @param former - the hold of the offer that has just ended; it passes on to the new offer, or ends if nobody can take the slot,
 *   so that the slot isn't free in between
 * @param session - the transaction of offer, hold and event
 * @returns the offer, or `undefined` if nobody on the waitlist can take the slot, or it can't be booked
 * @throws MongoServerError 11000 if somebody else has the slot
 */
export async function offerSlot(
  offering: Omit<Offering, 'recordChange'>,
  slot: OfferedSlot,
  session: ClientSession,
  former?: ObjectId,
): Promise<OfferRecord | undefined> {
  if (former) await holdsOf(offering.collections).deleteOne({ _id: former }, { session });
  const doctor = await offering.collections.doctors.findOne({ email: slot.doctorEmail }, { session });
  // Usually the waitlist is empty.
  if (!doctor || !(await offering.collections.waitlist.findOne(waitingFor(doctor), { session }))) return undefined;
  const clock = await withHolidays(offering.clock, offering.collections, session);
  const until = offerUntil(slot, clock, offering.rules);
  if (!until) return undefined;
  const working = await freeSlot(offering.collections, doctor, slot, clock, session);
  if (!working) return undefined;
  const visit = visitAt(doctor, working);
  const taking = { ...slot, duration: durationOf(visit.minutes) };
  const entry = await firstInLine({ ...offering, clock }, doctor, taking, until, session);
  if (!entry) return undefined;

  const moving = entry.moving && (await offering.collections.appointments.findOne({ _id: entry.moving }, { session }));
  const offer: OfferRecord = {
    _id: newId(),
    entryId: entry._id,
    patientId: entry.patientId,
    doctorEmail: doctor.email,
    doctorName: doctor.name,
    date: slot.date,
    time: slot.time,
    ...(working.place && { place: working.place }),
    ...(moving && { moves: { date: moving.date, time: moving.time } }),
    ...((await lostOffers(offering.collections, entry, session)) + 1 >= offering.rules.WAITLIST_OFFERS && {
      last: true as const,
    }),
    status: 'open',
    madeAt: clock.now,
    until,
  };
  await storeOffer(offering.collections, offer, slotHold(offer, promiseOf(offer, visit, clock.timeZone)), session);
  // Without an actor: it is nobody's business who made the slot free.
  const recordChange = historyRecorder(offering, { call: 'waitlist', caller: undefined, requestId: 'waitlist' });
  await recordChange(session, {
    record: { type: 'waitlist', id: entry._id },
    concerns: [entry.patientEmail],
    accounts: [entry.patientId, doctor.accountId],
    action: 'time offered',
    before: {},
    after: offerForHistory(offer),
  });
  await announceOffer(offering, entry, offer, visit.place, session);
  return offer;
}

/** Stores an offer with its hold, and marks the place on the waitlist. */
async function storeOffer(
  collections: ClinicCollections,
  offer: OfferRecord,
  hold: ReturnType<typeof slotHold>,
  session: ClientSession,
): Promise<void> {
  const { entryId, patientId, doctorEmail, date, time } = offer;
  await collections.waitlist.updateOne(
    { _id: entryId, status: 'waiting' },
    { $set: { status: 'offered' } },
    { session },
  );
  // One that was withdrawn may be made again; the index keeps any other from being made twice.
  await collections.waitlistOffers.deleteOne({ patientId, doctorEmail, date, time, status: 'withdrawn' }, { session });
  await collections.waitlistOffers.insertOne(offer, { session });
  await holdsOf(collections).insertOne(hold, { session });
}

/** How many offers for a place were declined, or not answered although the patient could see them. */
export async function lostOffers(
  { waitlistOffers }: Pick<ClinicCollections, 'waitlistOffers'>,
  { _id, patientId }: WaitlistRecord,
  session: ClientSession,
): Promise<number> {
  return waitlistOffers.countDocuments(
    { patientId, entryId: _id, $or: [{ status: 'declined' }, { status: 'missed', told: true }] },
    { session },
  );
}

async function announceOffer(
  { db }: Pick<Offering, 'db'>,
  { patientId, patientEmail, patientName }: WaitlistRecord,
  { _id, doctorName, date, time, moves, last, until }: OfferRecord,
  place: string,
  session: ClientSession,
): Promise<void> {
  await appendOutbox({ db }, session, {
    kind: 'waitlist-offer',
    to: { account: patientId, email: patientEmail, name: patientName },
    data: {
      offer: {
        id: _id.toHexString(),
        doctor: doctorName,
        date,
        time,
        ...(place && { place }),
        ...(moves && { moves }),
        ...(last && { last }),
        until: until.toISOString(),
      },
    },
  });
}

/** Filter for people who wait for a doctor, or for any doctor of the specialty. */
export const waitingFor = ({ email, specialtyKey }: DoctorRecord): Filter<WaitlistRecord> => ({
  target: { $in: [doctorTarget(email), specialtyTarget(specialtyKey)] },
  status: 'waiting',
});

/** The doctor's slot at this time, if it can be booked. */
async function freeSlot(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  doctor: DoctorRecord,
  { date, time }: OfferedSlot,
  clock: ClinicClock,
  session: ClientSession,
): Promise<WorkingSlot | undefined> {
  if (slotRejections(doctor, { date, time }, clock).length > 0) return undefined;
  const slot = workingSlotAt(doctor, { date, time }, clock);
  const taken = await takenTime(appointments, doctor.email, { from: date, until: date }, clock.timeZone, { session });
  return slot && !isTaken(slot, date, taken, clock) ? slot : undefined;
}

/** Of those who can take the slot, the person who has waited longest. */
async function firstInLine(
  { db, collections, clock, rules }: Omit<Offering, 'recordChange'>,
  doctor: DoctorRecord,
  slot: TimedSlot,
  until: Date,
  session: ClientSession,
): Promise<WaitlistRecord | undefined> {
  const { date, time } = slot;
  const line = collections.waitlist
    .find(
      {
        ...waitingFor(doctor),
        from: { $lte: date },
        until: { $gte: date },
        parts: waitlistPartOf(time),
      },
      { session, batchSize },
    )
    .sort({ joinedAt: 1, _id: 1 });
  const day = { doctorEmail: doctor.email, from: date, until: date };
  for await (const entries of inBatches(line, batchSize)) {
    const theirs = await readAppointmentsAndOffers(collections, entries, day, clock, session);
    const busy = await patientsWithOffer(collections, entries, session);
    const confirmed = await confirmedAccounts({ db }, patientsOf(entries), session);
    for (const entry of entries) {
      if (
        !confirmed.has(entry.patientId) ||
        busy.has(entry.patientId) ||
        !canTake(entry, slot, theirs, { clock, rules, until })
      )
        continue;
      // From here on their own bookings conflict with this offer. `false`: the account has been deleted.
      if (await takeUserLockFor({ db }, session, entry.patientId)) return entry;
    }
  }
  return undefined;
}

/**
 * Those of some places' patients who have an open offer: they get no other until they have answered it, even with
 * several places.
 *
 * @param session - the transaction that makes the offer; without it the answer is only a hint
 */
export async function patientsWithOffer(
  { waitlistOffers }: Pick<ClinicCollections, 'waitlistOffers'>,
  entries: readonly WaitlistRecord[],
  session?: ClientSession,
): Promise<ReadonlySet<string>> {
  const open = await waitlistOffers
    .find(
      { patientId: { $in: patientsOf(entries) }, status: 'open' },
      { projection: { patientId: 1 }, ...(session && { session }) },
    )
    .toArray();
  return new Set(open.map(({ patientId }) => patientId));
}

/** The accounts of some places. */
export const patientsOf = (entries: readonly WaitlistRecord[]): string[] => entries.map(({ patientId }) => patientId);

/** Rows, so many at a time. */
export async function* inBatches<Row>(rows: AsyncIterable<Row>, size: number): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    if (batch.push(row) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
