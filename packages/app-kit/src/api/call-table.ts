import { routes, type CallId, type Route, type Routes } from '@clinic/contracts';

/** The calls this page knows: the product's own, and those that remotes have added. */
const known = new Map<string, Route>(Object.entries(routes));

/**
 * Makes a remote's calls known to the client and its hooks.
 *
 * @throws Error if another service has a call of that name
 */
export function addCalls(table: Readonly<Record<string, Route>>): void {
  for (const [id, route] of Object.entries(table)) {
    const service = known.get(id)?.service ?? route.service;
    if (service !== route.service) throw new Error(`There is a call ${id} of ${service} already`);
    // The product's own calls stay as in this release: a remote of an older release brings their old form.
    if (!Object.hasOwn(routes, id)) known.set(id, route);
  }
}

/** @throws Error if the call hasn't been added */
export function routeOf(id: CallId): Route {
  const route = known.get(id);
  if (!route) throw new Error(`There is no call ${id}`);
  return route;
}

/** Whether everybody may make the call. */
export function isPublic(id: unknown): boolean {
  // The tables in browsers have the access of public calls only.
  const route: Partial<Route> | undefined = known.get(String(id));
  return route?.access?.kind === 'everyone';
}

/** Ids of the calls that match a predicate. */
export type CallsWith<Property> = { [Id in CallId]: Routes[Id] extends Property ? Id : never }[CallId];
