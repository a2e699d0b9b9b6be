import { appendEvent, type ServiceContext, type SessionCaller } from '@clinic/service-kit';
import type { CallId } from '@clinic/contracts';
import type { ClinicAction } from '@clinic/contracts/event-actions';
import type { ClientSession, ObjectId } from 'mongodb';

/** What happened to which record. */
export interface RecordedChange {
  readonly record: { readonly type: 'appointment' | 'doctor' | 'pharmacist'; readonly id: ObjectId };
  /** E-mails of the people it is about; the history is searched by them. */
  readonly concerns?: readonly string[];
  /** Accounts whose lists show the record; admins see all lists. */
  readonly accounts: readonly (string | undefined)[];
  readonly action: ClinicAction;
  /** The changed fields as they were; `null`: the record is new. */
  readonly before: object | null;
  readonly after: object;
}

/** Appends a change to the history in the transaction that makes it. */
export type RecordChange = (session: ClientSession, change: RecordedChange) => Promise<void>;

/** What of a request the history keeps. */
export interface Origin {
  readonly call: { readonly id: CallId } | 'staff';
  readonly caller: Pick<SessionCaller, 'id' | 'email' | 'role'> | undefined;
  readonly requestId: string;
}

/** A {@link RecordChange} that knows who asked for it. */
export function historyOf(context: Pick<ServiceContext, 'db'>, { call, caller, requestId }: Origin): RecordChange {
  return async (session, { record, concerns, accounts, action, before, after }) => {
    await appendEvent(context, session, { call, caller, requestId, concerns, accounts, action, before, after, record: { type: record.type, id: record.id.toHexString() } });
  };
}
