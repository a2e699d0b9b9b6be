import type { Role } from '@clinic/contracts';
import type { Movement } from '../contract/stock-schemas.ts';
import type { MovementReason } from '../contract/stock-reasons.ts';
import { newId } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import type { MedicineRecord } from './medicine-record.ts';

/** A change of a medicine's quantity: the quantity is the sum of its movements. Never changed or deleted. */
export interface MovementRecord {
  readonly _id: ObjectId;
  /** `_id` of the medicine. */
  readonly medicine: ObjectId;
  /** 1 for the medicine's first movement, then one more each: times of concurrent changes don't tell their order. */
  readonly place: number;
  readonly at: Date;
  /** Units, negative if they left the stock. */
  readonly by: number;
  /** Units in stock afterwards. */
  readonly quantity: number;
  readonly reason: MovementReason;
  /** What a pharmacist wrote about it. */
  readonly note?: string;
  /** `_id` of the order that caused it. */
  readonly orderId?: string;
  /** The account that did it, and its role then; absent if the system itself did it. */
  readonly actor?: { readonly id: string; readonly role: Role };
  /** Request id, for finding the request in the logs. */
  readonly requestId: string;
}

/** A movement without what the request adds (who, when, request id). */
export type NewMovement = Pick<
  MovementRecord,
  'medicine' | 'place' | 'by' | 'quantity' | 'reason' | 'note' | 'orderId'
>;

/** The movement with which a medicine's stock begins. */
export const firstMovement = (
  { _id, quantity }: MedicineRecord,
  reason: 'added' | 'imported' | 'carried over',
): NewMovement => ({ medicine: _id, place: 1, by: quantity, quantity, reason });

/** The fields of a medicine with its {@link firstMovement}. */
export const withFirstMovement = (medicine: MedicineRecord): MedicineRecord => ({
  ...medicine,
  booked: medicine.quantity,
  moves: 1,
});

/** The rows of some movements. @param by - who moved, and when */
export function movementRecords(
  movements: readonly NewMovement[],
  by: Pick<MovementRecord, 'at' | 'actor' | 'requestId'>,
): MovementRecord[] {
  return movements.map((movement) => ({ _id: newId(), ...movement, ...by }));
}

/** The movement in its wire shape. @param email - of who did it, if the reader may know it and it is known */
export function toMovement(
  { _id, at, by, quantity, reason, note, orderId, actor }: MovementRecord,
  email: string | undefined,
): Movement {
  return {
    _id: _id.toHexString(),
    at: at.toISOString(),
    by,
    quantity,
    reason,
    ...(note && { note }),
    ...(orderId !== undefined && { order: orderId }),
    ...(actor && { actor: { role: actor.role, ...(email !== undefined && { email }) } }),
  };
}
