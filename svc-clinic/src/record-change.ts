import { isDeepStrictEqual } from 'node:util';
import { appendEvent, type HistoryEvent, type ServiceContext, type SessionCaller } from '@clinic/service-kit';
import type { CallId } from '@clinic/contracts';
import { ObjectId, type ClientSession, type Db } from 'mongodb';
import type { AppointmentRecord } from './appointments/appointment-record.ts';
import { collectionsOf, type ClinicCollections } from './collections.ts';
import type { ClinicAction } from './contract/actions.ts';
import type { DoctorRecord } from './doctors/doctor-record.ts';

/** A change and the record it was made to. */
export interface RecordedChange {
  readonly record: {
    readonly type:
      | 'appointment'
      | 'doctor'
      | 'pharmacist'
      | 'holiday'
      | 'waitlist'
      | 'calendar subscription'
      | 'waiting-room screen'
      | 'question form';
    readonly id: ObjectId;
  };
  /** Emails of the people it is about; the history can be searched by them. */
  readonly concerns?: readonly string[];
  /** Accounts whose lists show the record; admins see all lists. */
  readonly accounts: readonly (string | undefined)[];
  readonly action: ClinicAction;
  /** The old values of the changed fields; `null` if the record is new. */
  readonly before: object | null;
  readonly after: object;
}

/** Record, people and accounts of a change of an appointment. */
export const aboutAppointment = ({
  _id: id,
  people: concerns,
  accounts,
}: Pick<AppointmentRecord, '_id' | 'people' | 'accounts'>) => ({
  record: { type: 'appointment' as const, id },
  concerns,
  accounts,
});

/** The last entry in an appointment's history. */
export const lastChangeOf = (
  db: Db,
  { _id }: Pick<AppointmentRecord, '_id'>,
  session: ClientSession,
): Promise<HistoryEvent | null> =>
  db
    .collection<HistoryEvent>('events')
    .findOne({ 'record.type': 'appointment', 'record.id': _id.toHexString() }, { session, sort: { at: -1, _id: -1 } });

/** Record, person and account of a change of a profile. */
export const aboutProfile = <Type extends 'doctor' | 'pharmacist'>(
  type: Type,
  { _id: id, email, accountId }: Pick<DoctorRecord, '_id' | 'email' | 'accountId'>,
) => ({ record: { type, id }, concerns: [email], accounts: [accountId] });

/** Appends a change to the history, in the transaction that makes it. */
export type RecordChange = (session: ClientSession, change: RecordedChange) => Promise<void>;

/** The parts of a request that the history keeps. */
export interface Origin {
  readonly call: { readonly id: CallId } | 'staff' | 'waitlist' | 'erasure' | 'message link' | 'expiry';
  readonly caller: Pick<SessionCaller, 'id' | 'email' | 'role'> | undefined;
  readonly requestId: string;
}

/** A {@link RecordChange} for a request. */
export function historyRecorder(
  context: Pick<ServiceContext, 'db'>,
  { call, caller, requestId }: Origin,
): RecordChange {
  return async (session, { record, concerns, accounts, action, before, after }) => {
    await appendEvent(context, session, {
      call,
      caller,
      requestId,
      concerns,
      accounts,
      action,
      before,
      after,
      record: { type: record.type, id: record.id.toHexString() },
    });
  };
}

/** A request to change one record. */
export interface RequestedChange<Requested> {
  readonly collections: ClinicCollections;
  readonly id: ObjectId;
  readonly requested: Requested;
  readonly recordChange: RecordChange;
}

/** The {@link RequestedChange} of a call about the record in its path. */
export function requestedChange<Requested>(
  context: Pick<ServiceContext, 'db'>,
  request: Origin & { readonly params: { readonly id: string }; readonly body: Requested },
): RequestedChange<Requested> {
  return {
    collections: collectionsOf(context.db),
    id: new ObjectId(request.params.id),
    requested: request.body,
    recordChange: historyRecorder(context, request),
  };
}

/** The fields that differ, with their old and new values; `undefined` if none does and the history needs no entry. */
export function differenceOf<Fields extends object>(
  before: Fields,
  requested: { readonly [Field in keyof Fields]?: Fields[Field] | undefined },
) {
  const fields = (Object.keys(requested) as (keyof Fields)[]).filter(
    (field) => requested[field] !== undefined && !isDeepStrictEqual(requested[field], before[field]),
  );
  if (fields.length === 0) return undefined;
  const pick = (from: typeof requested) =>
    Object.fromEntries(fields.map((field) => [field, from[field]])) as Partial<Fields>;
  return { before: pick(before), after: pick(requested) };
}
