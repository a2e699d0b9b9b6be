import { people } from '../support/three-services.ts';

/** A valid request, about records of the patient, the doctor or a bystander. */
export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /**
   * Status for authorised callers if the call can't succeed here, e.g. without a real proof; otherwise the contract's.
   */
  readonly letIn?: number;
  /** The stored record that the call is about, as on the wire. */
  readonly record?: Readonly<Record<string, unknown>>;
  /** The record holds somebody's address in this relation, but doesn't belong to their account. */
  readonly unclaimed?: 'patient';
  /** Only roles that the call always allows may find this in the answer, not the person who is named. */
  readonly hidden?: string;
}

/** Makes requests, by call; if a call can be made in several ways, by call and way: `listOrders of all`. */
export type Requests = Readonly<Record<string, () => Promise<Request>>>;

/** The same with at least one for each of these calls. */
export type RequestsOf<Id extends string> = Requests & { readonly [Each in Id]: () => Promise<Request> };

/** Makes the same request each time. */
export const plain =
  (request: Request = {}) =>
  (): Promise<Request> =>
    Promise.resolve(request);

/** A list's shortest page. */
export const page = { query: { limit: '1' } };

/** The patient whom most requests are about, in a path or a query. */
export const ofPatient = { email: people.patient.email };
