import type { z } from 'zod';
import type { DomainCalls } from './domain.ts';
import type { Route } from './route.ts';
import type { CallId } from './routes.ts';
import type { sessionSchemas } from './session/schemas.ts';

/** The validating half of a REST call: its schemas. */
export interface CallSchemas {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
}

export type Schemas = typeof sessionSchemas & DomainCalls;

/** A complete REST call: where it is, who may make it, its input, output and errors. */
export type Call<Id extends CallId = CallId> = Route & Schemas[Id] & { readonly id: Id };

/** Complete REST calls by name: what a service is built from. */
export type CallTable = Readonly<Record<string, Route & CallSchemas & { readonly id: string }>>;

/**
 * Joins both halves of a domain's calls.
 *
 * @param light - what browsers may load, by call name
 * @param validating - the schemas, by call name
 */
export function joinCalls<
  const Routes extends Readonly<Record<string, Route>>,
  const Validating extends { readonly [Id in keyof Routes]: CallSchemas },
>(
  light: Routes,
  validating: Validating,
): { readonly [Id in keyof Routes & string]: Routes[Id] & Validating[Id] & { readonly id: Id } } {
  const joined = Object.entries(light).map(([id, route]) => [id, { id, ...route, ...validating[id] }]);
  return Object.fromEntries(joined) as ReturnType<typeof joinCalls<Routes, Validating>>;
}

type Part<Id extends CallId, Key extends string> =
  Schemas[Id] extends Record<Key, infer Schema extends z.ZodType> ? Schema : undefined;
type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a client sends: params, query and body. */
export type CallBody<Id extends CallId> = Input<Part<Id, 'body'>>;
export type CallQuery<Id extends CallId> = Input<Part<Id, 'query'>>;
export type CallParams<Id extends CallId> = Input<Part<Id, 'params'>>;
/** What a client receives. */
export type CallResponse<Id extends CallId> = z.output<Schemas[Id]['response']>;

/** What a handler sees after validation. */
export type ParsedBody<Id extends CallId> = Output<Part<Id, 'body'>>;
export type ParsedQuery<Id extends CallId> = Output<Part<Id, 'query'>>;
export type ParsedParams<Id extends CallId> = Output<Part<Id, 'params'>>;
