import type { StockRequest } from '../contract/schemas.ts';
import type { ObjectId } from 'mongodb';

/** A request for a message when a medicine can be ordered again; deleted once the message is sent. */
export interface StockRequestRecord {
  readonly _id: ObjectId;
  readonly medicine: ObjectId;
  /** The account that asked; unique per medicine by an index. */
  readonly accountId: string;
  /** Address at that time, lower case. */
  readonly email: string;
  readonly askedAt: Date;
}

export function toStockRequest({ _id, medicine, askedAt }: StockRequestRecord): StockRequest {
  return { _id: _id.toHexString(), medicine: medicine.toHexString(), askedAt: askedAt.toISOString() };
}
