import type { z } from 'zod';
import type { Route } from './route.ts';

/** What goes into a REST call, and what comes out. */
export interface CallSchemas {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
}

/** Complete REST calls by name: what a service is built from. */
export type CallTable = Readonly<Record<string, Route & CallSchemas & { readonly id: string }>>;

/** A call as a table states it. */
type Stated = Omit<Route, 'service' | 'status' | 'errors'> & Partial<Pick<Route, 'status' | 'errors'>> & CallSchemas;

type Completed<Service extends string, Table> = {
  readonly [Id in keyof Table & string]: Table[Id] &
    Omit<Pick<Route, 'status' | 'errors'>, keyof Table[Id]> & { readonly service: Service; readonly id: Id };
};

/**
 * A table of a service's calls, by name: where each is, who may make it, what goes in and what comes out. A call answers with
 * status 200 and has no errors of its own, unless it states others. Builds of front-ends keep only what browsers need of it.
 */
export function defineCalls<const Service extends string, const Table extends Readonly<Record<string, Stated>>>(
  service: Service,
  table: Table,
): Completed<Service, Table> {
  const complete = Object.entries(table).map(([id, call]) => [id, { status: 200, errors: [], ...call, service, id }]);
  return Object.fromEntries(complete) as Completed<Service, Table>;
}
