import type { ClientSession, ObjectId } from 'mongodb';

/** What happened to which record; who did it when in which request is added by the call. */
export interface Change {
  readonly record: { readonly type: 'appointment' | 'doctor' | 'pharmacist'; readonly id: ObjectId };
  readonly action: string;
  /** `null`: the record is new. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Appends a change to the history in the transaction that makes it (design section 6). */
export type RecordChange = (session: ClientSession, change: Change) => Promise<void>;
