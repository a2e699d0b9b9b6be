import type { z } from 'zod';
import { routes, type CallId, type Route } from './routes.ts';
import { clinicSchemas } from './schemas/clinic.ts';
import { identitySchemas } from './schemas/identity.ts';
import { pharmacySchemas } from './schemas/pharmacy.ts';

/** The validating half of a REST call. */
export interface CallSchemas {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
}

const schemas = { ...identitySchemas, ...clinicSchemas, ...pharmacySchemas } satisfies Record<CallId, CallSchemas>;
export type Schemas = typeof schemas;

/** One REST call whole: where it is, who may make it, what goes in and out, which errors it answers. */
export type Call<Id extends CallId = CallId> = Route & Schemas[Id] & { readonly id: Id };

/** The one table of every REST call; services, gateway, API page and tests are derived from it. */
export const calls = Object.fromEntries(
  Object.entries(routes).map(([id, route]) => [id, { id, ...route, ...schemas[id as CallId] }]),
) as unknown as { readonly [Id in CallId]: Call<Id> };

type Part<Id extends CallId, Key extends string> = Schemas[Id] extends Record<Key, infer Schema extends z.ZodType> ? Schema : undefined;
type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a client sends in each part of a call. */
export type CallBody<Id extends CallId> = Input<Part<Id, 'body'>>;
export type CallQuery<Id extends CallId> = Input<Part<Id, 'query'>>;
export type CallParams<Id extends CallId> = Input<Part<Id, 'params'>>;
/** What a client reads. */
export type CallResponse<Id extends CallId> = z.output<Schemas[Id]['response']>;

/** What a handler sees after validation. */
export type ParsedBody<Id extends CallId> = Output<Part<Id, 'body'>>;
export type ParsedQuery<Id extends CallId> = Output<Part<Id, 'query'>>;
export type ParsedParams<Id extends CallId> = Output<Part<Id, 'params'>>;
