import type { ObjectId } from 'mongodb';

/** The address of the waiting-room screen: whoever has it reads numbers and rooms. */
export interface WaitingScreenRecord {
  readonly _id: ObjectId;
  /** As that of calendar feeds; the secret itself isn't stored. */
  readonly secretHash: string;
  readonly createdAt: Date;
}
