import type { Request, Response } from 'express';
import type { CallId, CallResponse, Calls, ParsedBody, ParsedParams, ParsedQuery } from '@clinic/contracts';
import type { Call } from '@clinic/contracts/calls';
import type { About } from '../history/looked-at.ts';
import type { FileAnswer, ListAnswer } from './answers.ts';
import type { EventStream } from '../live/event-stream.ts';
import type { SessionCaller } from '../auth/session-claims.ts';

/** The calls of a service. */
export type CallIdsOf<Name extends string> = {
  [Id in CallId]: Calls[Id]['service'] extends Name ? Id : never;
}[CallId];

/** The claims of a verified Firebase ID token. */
export interface IdToken {
  readonly uid: string;
  /** Lower case. */
  readonly email?: string;
  readonly emailVerified: boolean;
  readonly name?: string;
  readonly provider?: string;
  /** Other providers linked to the account, e.g. `google.com`; absent if the token has none. */
  readonly linked?: readonly string[];
  /** When the person last proved their identity, seconds since 1970. */
  readonly authTime: number;
  /** When the token was issued, seconds since 1970. */
  readonly issuedAt: number;
}

type AccessKind<Id extends CallId> = Calls[Id]['access']['kind'];
/** Present on every call that needs a session; `idToken` calls have either this or the ID token. */
type CallerOf<Id extends CallId> =
  AccessKind<Id> extends 'session' | 'restricted' ? SessionCaller : SessionCaller | undefined;

/** A request after authentication, authorisation and validation. */
export interface ServiceRequest<Id extends CallId = CallId> {
  readonly call: Call<Id>;
  readonly params: ParsedParams<Id>;
  readonly query: ParsedQuery<Id>;
  readonly body: ParsedBody<Id>;
  readonly caller: CallerOf<Id>;
  /** On calls with access `idToken`, if the request carried one. */
  readonly idToken: IdToken | undefined;
  readonly requestId: string;
  /** The `Idempotency-Key` header, on calls that take one. */
  readonly idempotencyKey: string | undefined;
  readonly req: Request;
  readonly res: Response;
}

type ElementOf<List> = List extends readonly (infer Element)[] ? Element : never;

type MediaOf<Id extends CallId> = Calls[Id] extends { readonly media: infer Media } ? Media : undefined;

/**
 * A plain value in the contract's shape, or for lists a stream or a page; a file or an event stream if the contract
 * says so.
 */
export type Answer<Id extends CallId> =
  MediaOf<Id> extends 'text/event-stream' ? EventStream : MediaOf<Id> extends string ? FileAnswer : JsonAnswer<Id>;

type JsonAnswer<Id extends CallId> =
  | CallResponse<Id>
  | (ElementOf<CallResponse<Id>> extends never ? never : ListAnswer<ElementOf<CallResponse<Id>>>);

/** The answer; with the person it is about, if the contract says that the answer doesn't name them. */
type ToldAnswer<Id extends CallId> = Calls[Id] extends { readonly shows: { readonly whose: 'told' } }
  ? About<Answer<Id>>
  : Answer<Id>;

/** Handles one call. */
export type Handler<Id extends CallId> = (request: ServiceRequest<Id>) => Promise<ToldAnswer<Id>>;

/** One handler for every call of a service. */
export type Handlers<Name extends string> = { readonly [Id in CallIdsOf<Name>]: Handler<Id> };
