import fc from 'fast-check';
import { roles, type Role, type Route } from '@clinic/contracts';
import type { CallSchemas } from '@clinic/contracts/calls';
import { inputOf } from './arbitraries.ts';
import { brokenBodies, contentHeaders, hostileHeaders, hostileParts, hostileQueries, zipBomb } from './hostile-http.ts';
import { hostileText, mutated, smuggling } from './hostile.ts';
import { concernsBystanders, type Persona, type World } from './world.ts';
import { ownCalls, type OwnCallId } from '../support/every-call.ts';

/** One request as sent over the wire. */
export interface FuzzRequest {
  readonly call: OwnCallId;
  readonly persona: Persona;
  readonly method: string;
  /** Path and query, not normalised. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Whether the path itself was tampered with: it may then be another call, or a page. */
  readonly strayed: boolean;
}

const json = contentHeaders[0] ?? {};

/** Methods that no call has. */
const otherMethods = ['PUT', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'POST', 'GET', 'DELETE', 'PATCH'] as const;

/** Calls that would sign a persona out if they succeeded: only made without a session. */
const sessionless: readonly OwnCallId[] = ['endSession'];

/**
 * Whether this method at this path would sign the persona out or delete their account: the other calls there are about
 * themselves.
 */
function costsAccount(method: string, path: string): boolean {
  const [id] = (Object.keys(ownCalls) as OwnCallId[]).filter((call) => {
    const route: Route = ownCalls[call];
    return route.method === method && route.path === path;
  });
  return id !== undefined && (sessionless.includes(id) || concernsBystanders(ownCalls[id]));
}

/** Requests of every call of the contracts: valid, slightly wrong, and hostile. */
export function anyRequest(world: World): fc.Arbitrary<FuzzRequest> {
  const ids = Object.keys(ownCalls) as OwnCallId[];
  return fc.oneof(
    ...ids.flatMap((call) =>
      personasOf(call).map(([persona, weight]) => ({ weight, arbitrary: requestOf(call, persona, world) })),
    ),
  );
}

/**
 * How often each persona makes a call. Authorised callers make it more often, since a rejection tests nothing behind
 * the access check.
 */
function personasOf(call: OwnCallId): (readonly [Persona, number])[] {
  if (sessionless.includes(call)) return [['nobody', 10]];
  const { access }: Route = ownCalls[call];
  const may = (role: Role): boolean =>
    access.kind !== 'restricted' || access.roles.includes(role) || (access.self?.in === 'body' && role === 'patient');
  return [...roles.map((role) => [role, may(role) ? 8 : 2] as const), ['nobody', 1]];
}

function requestOf(call: OwnCallId, persona: Persona, world: World): fc.Arbitrary<FuzzRequest> {
  const route: Route = ownCalls[call];
  const schemas: CallSchemas = ownCalls[call];
  const known = world.knownFields(call, persona);
  const partOf = (part: 'params' | 'query' | 'body'): fc.Arbitrary<unknown> =>
    schemas[part] ? inputOf(schemas[part], known) : fc.constant({});
  const goodParams = partOf('params');
  const goodQuery = partOf('query').map(queryOf);
  const path = goodParams.map((params) => pathOf(route.path, params as Record<string, string>));
  const changes = route.method !== 'GET';

  const base = fc.tuple(path, goodQuery, partOf('body').map(bytesOf)).map(([at, query, body]): FuzzRequest => ({
    call,
    persona,
    method: route.method,
    target: at + query,
    headers: changes ? json : {},
    body: changes && schemas.body ? body : undefined,
    strayed: false,
  }));
  const withHeaders = fc
    .tuple(base, fc.constantFrom(...hostileHeaders))
    .map(([request, headers]) => ({ ...request, headers: { ...request.headers, ...headers } }));
  const vileQuery = fc
    .tuple(base, path, fc.constantFrom(...hostileQueries))
    .map(([request, at, query]) => ({ ...request, target: `${at}?${query}` }));
  const mutatedQuery = fc
    .tuple(base, path, mutated(partOf('query')))
    .map(([request, at, query]) => ({ ...request, target: at + queryOf(query) }));
  const vilePath = fc
    .tuple(base, fc.constantFrom(...hostileParts), fc.nat())
    .map(([request, part, place]) => ({ ...request, target: tampered(request.target, part, place), strayed: true }));
  const vileParam = fc.tuple(base, goodParams, fc.constantFrom(...hostileText)).map(([request, params, text]) => ({
    ...request,
    target: pathOf(route.path, Object.fromEntries(Object.keys(params as object).map((name) => [name, text]))),
    strayed: true,
  }));
  const otherMethod = fc
    .tuple(base, fc.constantFrom(...otherMethods.filter((method) => !costsAccount(method, route.path))))
    .map(([request, method]) => ({ ...request, method, strayed: true }));
  const ofRequest: fc.Arbitrary<FuzzRequest>[] = [
    base,
    base,
    withHeaders,
    vileQuery,
    mutatedQuery,
    vilePath,
    otherMethod,
    ...(schemas.params ? [vileParam] : []),
  ];
  if (!changes) return fc.oneof(...ofRequest);
  return fc.oneof(...ofRequest.map((arbitrary) => ({ weight: 1, arbitrary })), ...bodiesOf(base, partOf('body')));
}

/** A request with good and hostile bodies. */
function bodiesOf(base: fc.Arbitrary<FuzzRequest>, good: fc.Arbitrary<unknown>): fc.WeightedArbitrary<FuzzRequest>[] {
  const mutatedBody = fc.tuple(base, mutated(good).map(bytesOf)).map(([request, body]) => ({ ...request, body }));
  const smuggledBody = fc.tuple(base, smuggling(good)).map(([request, body]) => ({ ...request, body }));
  const brokenBody = fc
    .tuple(base, fc.constantFrom(...brokenBodies), fc.constantFrom(...contentHeaders))
    .map(([request, body, headers]) => ({ ...request, body, headers }));
  const bomb = base.map((request) => ({ ...request, body: zipBomb, headers: { ...json, 'content-encoding': 'gzip' } }));
  return [
    { weight: 6, arbitrary: base },
    { weight: 8, arbitrary: mutatedBody },
    { weight: 3, arbitrary: smuggledBody },
    { weight: 3, arbitrary: brokenBody },
    { weight: 1, arbitrary: bomb },
  ];
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? 'null');
}

function pathOf(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => encoded(params[name] ?? ''));
}

function queryOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return `?${encoded(String(query))}`;
  const pairs = Object.entries(query).map(
    ([name, value]) =>
      `${encoded(name)}=${encoded(typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value))}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Encodes lone surrogates, which `encodeURIComponent` rejects, as three bytes. */
function encoded(text: string): string {
  return text
    .replaceAll(/[\ud800-\udfff]+/g, (found) => (found.isWellFormed() ? found : '\u0000surrogate'))
    .split('\u0000surrogate')
    .map(encodeURIComponent)
    .join('%ed%a0%80')
    .slice(0, 6_000);
}

/** Puts a part into one of the path's segments, before the query. */
function tampered(target: string, part: string, place: number): string {
  const [path = '', query] = target.split('?', 2);
  const segments = path.split('/');
  const at = 1 + (place % segments.length);
  const changed = [...segments.slice(0, at), part, ...segments.slice(at + (place % 2))].join('/');
  // An HTTP client sends no other characters.
  const sendable = changed.replaceAll(/[^\u0021-\u00ff]/g, '');
  return `${sendable.startsWith('/') ? '' : '/'}${sendable}${query === undefined ? '' : `?${query}`}`;
}
