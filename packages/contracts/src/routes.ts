import { clinicRoutes } from './clinic/routes.ts';
import type { DomainCalls } from './domain.ts';
import { identityRoutes } from './identity/routes.ts';
import { pharmacyRoutes } from './pharmacy/routes.ts';
import type { Route, ServiceName } from './route.ts';

/** Every REST call by name, without schemas. */
export const routes = { ...identityRoutes, ...clinicRoutes, ...pharmacyRoutes } as const satisfies Record<
  string,
  Route
>;

/** Every call without schemas: the product's own, and those that domains add. */
export type Routes = typeof routes & DomainCalls;

/** Name of a REST call. */
export type CallId = keyof Routes;

/** The calls of one service. */
export function routesOf(service: ServiceName): [keyof typeof routes, Route][] {
  return (Object.entries(routes) as [keyof typeof routes, Route][]).filter(([, route]) => route.service === service);
}

/**
 * The first segments of the paths a service owns, e.g. `['medicine', 'orderMedi']`: all a gateway needs for routing.
 * Whole segments are compared, so `/medicine` never matches `/medicinestore`.
 */
export function segmentsOf(service: ServiceName): string[] {
  return [...new Set(routesOf(service).map(([, route]) => route.path.split('/')[1] ?? ''))];
}
