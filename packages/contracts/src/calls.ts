import type { z } from 'zod';
import type { DomainCalls } from './domain.ts';
import type { Route } from './route.ts';
import type { sessionCalls } from './session/calls.ts';

export type { CallSchemas, CallTable } from './define-calls.ts';

/** The calls that a program knows: about the session, and of the domains whose contract it imports. */
export type Calls = typeof sessionCalls & DomainCalls;

/** Name of a REST call. */
export type CallId = keyof Calls;

/** A complete REST call: where it is, who may make it, its input, output and errors. */
export type Call<Id extends CallId = CallId> = Route & Calls[Id];

type Part<Id extends CallId, Key extends string> =
  Calls[Id] extends Record<Key, infer Schema extends z.ZodType> ? Schema : undefined;
type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a client sends: params, query and body. */
export type CallBody<Id extends CallId> = Input<Part<Id, 'body'>>;
export type CallQuery<Id extends CallId> = Input<Part<Id, 'query'>>;
export type CallParams<Id extends CallId> = Input<Part<Id, 'params'>>;
/** What a client receives. */
export type CallResponse<Id extends CallId> = z.output<Calls[Id]['response']>;

/** What a handler sees after validation. */
export type ParsedBody<Id extends CallId> = Output<Part<Id, 'body'>>;
export type ParsedQuery<Id extends CallId> = Output<Part<Id, 'query'>>;
export type ParsedParams<Id extends CallId> = Output<Part<Id, 'params'>>;
