import { addDays, clinicInstant, type ClinicMoment } from '@clinic/contracts';
import { awakeSpans } from '@clinic/contracts/quiet-hours';
import type { ClientSession } from 'mongodb';
import { stateOf } from '../attendance/attendance-record.ts';
import { changeUntil, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { overlap, timeTaken } from '../appointments/promise.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { waitlistPartOf } from '../contract/limits.ts';
import { slotHoldingStatuses } from '../contract/transitions.ts';
import { hasBegun } from '../contract/attendance.ts';
import type { ClinicContext } from '../settings.ts';
import type { WaitlistRecord } from './waitlist-record.ts';

/** Minutes before its start after which a slot is no longer offered. */
const leastNoticeMinutes = 10;

export interface OfferedSlot extends ClinicMoment {
  readonly doctorEmail: string;
}

/** A slot with the length that it has under the doctor's hours. */
export type TimedSlot = OfferedSlot & Required<Pick<AppointmentRecord, 'duration'>>;

export type OfferTimes = Pick<ClinicContext['settings'], 'WAITLIST_OFFER_MINUTES' | 'QUIET_HOURS'>;

/**
 * Until when a slot is offered: for the setting's minutes, but at most half of the time before it starts, so that the next
 * person has a chance, too. At night people don't see it, so only time outside quiet hours counts; except for a slot that
 * starts before there is enough of that.
 *
 * @returns `undefined` if it starts too soon
 */
export function offerUntil(slot: ClinicMoment, { now, timeZone }: ClinicClock, rules: OfferTimes): Date | undefined {
  const start = clinicInstant(slot, timeZone);
  const left = start.getTime() - now.getTime();
  if (left < leastNoticeMinutes * 60_000) return undefined;
  const most = rules.WAITLIST_OFFER_MINUTES * 60_000;
  const spans: { readonly from: Date; readonly ms: number }[] = [];
  let awake = 0;
  for (const span of awakeSpans(now, start, rules.QUIET_HOURS, timeZone)) {
    spans.push(span);
    awake += span.ms;
    if (awake >= 2 * most) break;
  }
  if (awake < leastNoticeMinutes * 60_000) return new Date(now.getTime() + Math.min(most, left / 2));
  let rest = Math.min(most, awake / 2);
  for (const { from, ms } of spans) {
    if (rest <= ms) return new Date(from.getTime() + rest);
    rest -= ms;
  }
  return start;
}

type KnownAppointment = Pick<
  AppointmentRecord,
  '_id' | 'patientId' | 'doctorEmail' | 'date' | 'time' | 'duration' | 'attendance'
>;

/** What of people on the waitlist decides who can take a slot. */
export interface AppointmentsAndOffers {
  /** The patients' upcoming appointments, by patient. */
  readonly appointments: ReadonlyMap<string, readonly KnownAppointment[]>;
  /** Slots that the patients have been offered, as `slotOfPatient`. */
  readonly offered: ReadonlySet<string>;
}

const slotOfPatient = (patientId: string, { doctorEmail, date, time }: OfferedSlot): string =>
  `${patientId} ${doctorEmail} ${date} ${time}`;

/**
 * Reads what decides which of some people can take a doctor's slots on some days.
 *
 * @param session - the transaction that makes the offer; without it the answer is only a hint
 */
export async function readAppointmentsAndOffers(
  { appointments, waitlistOffers }: Pick<ClinicCollections, 'appointments' | 'waitlistOffers'>,
  entries: readonly WaitlistRecord[],
  { doctorEmail, from, until }: { readonly doctorEmail: string; readonly from: string; readonly until: string },
  clock: ClinicClock,
  session?: ClientSession,
): Promise<AppointmentsAndOffers> {
  const patients = [...new Set(entries.map(({ patientId }) => patientId))];
  const options = session && { session };
  const upcoming = await appointments
    .find(
      {
        accounts: { $in: patients },
        status: { $in: [...slotHoldingStatuses] },
        date: { $gte: addDays(clock.today, -1) },
      },
      { ...options, projection: { patientId: 1, doctorEmail: 1, date: 1, time: 1, duration: 1, attendance: 1 } },
    )
    .toArray();
  const offers = await waitlistOffers
    .find(
      // Who declined or missed a time isn't asked again; a withdrawn offer wasn't their decision.
      { patientId: { $in: patients }, doctorEmail, date: { $gte: from, $lte: until }, status: { $ne: 'withdrawn' } },
      { ...options, projection: { patientId: 1, doctorEmail: 1, date: 1, time: 1 } },
    )
    .toArray();
  const own = upcoming.filter(({ patientId }) => patientId !== undefined);
  return {
    appointments: Map.groupBy(own, ({ patientId = '' }) => patientId),
    offered: new Set(offers.map((offer) => slotOfPatient(offer.patientId, offer))),
  };
}

export type SuitableRules = Pick<
  ClinicContext['settings'],
  | 'CLINIC_COUNTRY'
  | 'CLINIC_TZ'
  | 'CLINIC_CHANGE_CUTOFF_HOURS'
  | 'CLINIC_MAX_OPEN_APPOINTMENTS'
  | 'CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED'
>;

/** Whether a slot matches what somebody waits for. */
export function suits({ from, until, parts }: WaitlistRecord, { date, time }: ClinicMoment): boolean {
  return from <= date && date <= until && parts.includes(waitlistPartOf(time));
}

/**
 * Whether somebody who waits can take a slot: it is what they wait for, they haven't been offered it before, it doesn't
 * overlap another of their appointments, and they may have one more, or the appointment that would move is later and
 * may still be moved.
 *
 * @param until - end of the offer
 */
export function canTake(
  entry: WaitlistRecord,
  slot: TimedSlot,
  { appointments, offered }: AppointmentsAndOffers,
  { clock, rules, until }: { readonly clock: ClinicClock; readonly rules: SuitableRules; readonly until: Date },
): boolean {
  if (!suits(entry, slot) || offered.has(slotOfPatient(entry.patientId, slot))) return false;
  const start = (moment: ClinicMoment): number => clinicInstant(moment, clock.timeZone).getTime();
  const own = appointments.get(entry.patientId) ?? [];
  const others = own.filter(({ _id }) => !entry.moving?.equals(_id));
  const time = timeTaken(slot, clock.timeZone);
  if (others.some((other) => overlap(timeTaken(other, clock.timeZone), time))) return false;
  if (!entry.moving) {
    const most = entry.confirmed ? rules.CLINIC_MAX_OPEN_APPOINTMENTS : rules.CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED;
    return others.filter((other) => start(other) >= clock.now.getTime() - 60_000).length < most;
  }
  const moving = own.find(({ _id }) => entry.moving?.equals(_id));
  return (
    moving !== undefined &&
    moving.doctorEmail === slot.doctorEmail &&
    !hasBegun(stateOf(moving)) &&
    start(slot) < start(moving) &&
    until <= changeUntil(moving, rules)
  );
}
