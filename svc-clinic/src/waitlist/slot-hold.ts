import type { Collection, Filter, ObjectId } from 'mongodb';
import type { PromiseFields } from '../appointments/promise.ts';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import type { ClinicCollections } from '../collections.ts';
import { slotHoldingStatuses } from '../contract/transitions.ts';
import type { OfferRecord } from './waitlist-record.ts';

/** Status of a hold among the appointments. */
export const heldStatus = 'Held';

/**
 * Everything that keeps others from booking a slot: appointments, and holds for people on the waitlist. A unique index
 * over these lets one of them have it.
 */
export const occupyingStatuses = [...slotHoldingStatuses, heldStatus] as const;

/**
 * A slot that is offered to somebody. It is kept among the appointments because the index that decides who gets a slot
 * is there: neither this release nor the one before can book a held slot. It has no people, accounts or words, so lists
 * and searches of appointments don't find it.
 */
export interface SlotHold {
  /** That of the offer. */
  readonly _id: ObjectId;
  readonly status: typeof heldStatus;
  readonly doctorEmail: string;
  readonly date: string;
  readonly time: string;
  readonly duration: string;
  readonly place: string;
  readonly cells: readonly number[];
  readonly people: readonly never[];
  readonly accounts: readonly never[];
  readonly words: readonly never[];
  /** Not an account: it only makes the linking of appointments to accounts skip holds. */
  readonly doctorAccountId: '';
  readonly patientId: '';
  readonly patientEmail: '';
  readonly patientName: '';
  /** When the offer ends. The database deletes holds that are still there a while later, e.g. after a downgrade. */
  readonly heldUntil: Date;
}

/** The holds. */
export function holdsOf({ appointments }: Pick<ClinicCollections, 'appointments'>): Collection<SlotHold> {
  return appointments as unknown as Collection<SlotHold>;
}

/** A hold for an offer. @param promised - what accepting it promises */
export function slotHold(offer: OfferRecord, promised: PromiseFields): SlotHold {
  return {
    _id: offer._id,
    status: heldStatus,
    doctorEmail: offer.doctorEmail,
    date: offer.date,
    time: offer.time,
    ...promised,
    people: [],
    accounts: [],
    words: [],
    doctorAccountId: '',
    patientId: '',
    patientEmail: '',
    patientName: '',
    heldUntil: offer.until,
  };
}

/** Filter fields with which a list has no holds. */
const narrowing = ['people', 'accounts', 'status'] as const;

/**
 * Leaves holds out of a list without a filter on people, status or words: the list of all appointments. While there are
 * no holds, which is nearly always, the filter stays unchanged, so that the list's length needn't be counted.
 */
export async function withoutHolds(
  collections: Pick<ClinicCollections, 'appointments'>,
  filter: Filter<AppointmentRecord>,
): Promise<Filter<AppointmentRecord>> {
  if (narrowing.some((field) => Object.hasOwn(filter, field))) return filter;
  const hold = await holdsOf(collections).findOne({ status: heldStatus }, { projection: { _id: 1 } });
  const others: Filter<SlotHold> = { status: { $ne: heldStatus } } as unknown as Filter<SlotHold>;
  // Matches any day; the bound makes counting use the index by date.
  return hold ? { date: { $gt: '' }, ...filter, ...(others as Filter<AppointmentRecord>) } : filter;
}
