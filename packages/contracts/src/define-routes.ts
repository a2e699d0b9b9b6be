import type { Route } from './route.ts';

/** A call as a table states it. */
type Stated = Omit<Route, 'service' | 'status' | 'errors'> & Partial<Pick<Route, 'status' | 'errors'>>;

type Completed<Service extends string, Table> = {
  readonly [Id in keyof Table]: Table[Id] &
    Omit<Pick<Route, 'status' | 'errors'>, keyof Table[Id]> & { readonly service: Service };
};

/**
 * A table of a service's calls, by name. A call answers with status 200 and has no errors of its own, unless it states
 * others.
 */
export function defineRoutes<const Service extends string, const Table extends Readonly<Record<string, Stated>>>(
  service: Service,
  table: Table,
): Completed<Service, Table> {
  const complete = Object.entries(table).map(([id, route]) => [id, { service, status: 200, errors: [], ...route }]);
  return Object.fromEntries(complete) as Completed<Service, Table>;
}
