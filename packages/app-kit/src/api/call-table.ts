import type { CallId, Calls, Route } from '@clinic/contracts';
import { sessionCalls } from '@clinic/contracts/session/calls';

/** A call as browsers load it: without what only services need, and without a method if that is GET. */
export type KnownCall = Pick<Route, 'service' | 'path'> & Partial<Route>;

/** The calls this page knows: those about the session, and those that remotes have added. */
const known = new Map<string, KnownCall>(Object.entries(sessionCalls));

/**
 * Makes a remote's calls known to the client and its hooks.
 *
 * @throws Error if another service has a call of that name
 */
export function addCalls(table: Readonly<Record<string, KnownCall>>): void {
  for (const [id, route] of Object.entries(table)) {
    const service = known.get(id)?.service ?? route.service;
    if (service !== route.service) throw new Error(`There is a call ${id} of ${service} already`);
    // The shell's own calls stay as in this release: a remote of an older release brings their old form.
    if (!Object.hasOwn(sessionCalls, id)) known.set(id, route);
  }
}

/** @returns `undefined` if the call hasn't been added */
export function routeOf(id: CallId): KnownCall | undefined {
  return known.get(id);
}

/**
 * A call that nobody has added: remotes of earlier releases leave that to the shell.
 *
 * @throws Error if they knew no such call either
 */
export async function earlierRouteOf(id: CallId): Promise<KnownCall> {
  const { earlierCalls } = await import('./earlier-calls.ts');
  const route = earlierCalls[id] as KnownCall | undefined;
  if (!route) throw new Error(`There is no call ${id}`);
  known.set(id, route);
  return route;
}

/** Whether everybody may make the call. */
export function isPublic(id: unknown): boolean {
  // The tables in browsers have the access of public calls only.
  return known.get(String(id))?.access?.kind === 'everyone';
}

/** Ids of the calls that match a predicate. */
export type CallsWith<Property> = { [Id in CallId]: Calls[Id] extends Property ? Id : never }[CallId];
