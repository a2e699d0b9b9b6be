import type { CallBody, CallId, CallParams, CallQuery, CallResponse } from '@clinic/contracts';
import { ApiProblem, isProblem, isUnauthenticated, localProblem } from './api-problem.ts';
import { earlierRouteOf, routeOf, type CallsWith, type KnownCall } from './call-table.ts';
import { newId } from './new-id.ts';

type Field<Key extends string, Value> = [Value] extends [undefined]
  ? unknown
  : object extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

interface CallOptions {
  /** The same key and body return the first result (calls marked `idempotent`). */
  readonly idempotencyKey?: string;
  /** Changes the record only if it still has this ETag (`If-Match`); see {@link Api.tagged}. */
  readonly ifMatch?: string | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** An ID token of the identity provider, for the two calls that accept one instead of a session. */
  readonly bearer?: string;
  /** The solved challenge of an earlier rejection (`proof-of-work.ts`). */
  readonly proof?: string | undefined;
}

/** Input of a call: `params`, `query` and `body` as in its schemas in contracts. */
export type CallInput<Id extends CallId> = Field<'params', CallParams<Id>> &
  Field<'query', CallQuery<Id>> &
  Field<'body', CallBody<Id>> &
  CallOptions;
/** {@link CallInput} as an argument: optional where nothing is required. */
export type CallArguments<Id extends CallId> =
  object extends CallInput<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id>];

/** Ids of the calls that return lists page by page. */
export type PagedCallId = CallsWith<{ readonly paged: true }>;
export type Row<Id extends CallId> = Extract<CallResponse<Id>, readonly unknown[]>[number];

export interface Page<Id extends PagedCallId> {
  readonly rows: readonly Row<Id>[];
  /**
   * Rows of all pages (`X-Total-Count`); `undefined` if the service stopped counting, since no figure is better than a wrong
   * one.
   */
  readonly total: number | undefined;
  /** Cursor of the next page; `undefined` on the last. */
  readonly next: string | undefined;
}

export interface Api {
  /**
   * Makes a REST call of the contracts' table.
   *
   * @throws ApiProblem if it is rejected, or (`unavailable`) if no valid response came within the time limit
   */
  call<Id extends CallId>(id: Id, ...input: CallArguments<Id>): Promise<CallResponse<Id>>;
  /** Like {@link Api.call}, but also returns the record's ETag, for a change that must not overwrite somebody else's. */
  tagged<Id extends CallId>(
    id: Id,
    ...input: CallArguments<Id>
  ): Promise<{ readonly record: CallResponse<Id>; readonly etag: string | undefined }>;
  /** Like {@link Api.call}, for one page of a list; `limit` and `cursor` are part of the query. */
  page<Id extends PagedCallId>(id: Id, ...input: CallArguments<Id>): Promise<Page<Id>>;
}

export interface ApiSettings {
  /** Prefix of every path; empty for the page's own origin. */
  readonly baseUrl?: string;
  /** Milliseconds until a call times out. */
  readonly timeout?: number;
  /**
   * Makes the session valid again after a 401; concurrent calls share one refresh.
   *
   * @returns whether the call is worth repeating
   */
  readonly refresh: () => Promise<boolean>;
  /**
   * Asks the person to prove their identity after a 403 `proof_needed`; concurrent calls share one prompt.
   *
   * @returns whether they proved it
   */
  readonly prove?: () => Promise<boolean>;
}

interface LooseInput extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

// These calls are about the session itself, so a 401 is their result.
const sessionCalls: readonly CallId[] = ['startSession', 'getSession', 'refreshSession', 'endSession'];

/** Milliseconds after which a failed call isn't retried: a hanging service must be reported within 12 seconds. */
const slowAfter = 1_000;

/** Told of each attempt at a call that may change something, once the live line follows them. */
export const ownChanges: { note?: (attempt: Promise<{ readonly response: Response }>) => void } = {};

/** The typed client of the product's REST calls. */
export function createApi({ baseUrl = '', timeout = 10_000, refresh, prove }: ApiSettings): Api {
  const sendOurs = proving(
    refreshing((id, input) => send({ baseUrl, timeout }, id, input), refresh),
    prove,
  );
  return {
    async call<Id extends CallId>(id: Id, ...[input]: CallArguments<Id>) {
      const { body } = await sendOurs(id, (input ?? {}) as LooseInput);
      return body as CallResponse<Id>;
    },
    async tagged<Id extends CallId>(id: Id, ...[input]: CallArguments<Id>) {
      const { response, body } = await sendOurs(id, (input ?? {}) as LooseInput);
      return { record: body as CallResponse<Id>, etag: response.headers.get('etag') ?? undefined };
    },
    async page<Id extends PagedCallId>(id: Id, ...[input]: CallArguments<Id>) {
      const { response, body } = await sendOurs(id, (input ?? {}) as LooseInput);
      const rows = body as Row<Id>[];
      const { headers } = response;
      const total =
        headers.get('x-total-count-relation') === 'gte'
          ? undefined
          : Number(headers.get('x-total-count') ?? rows.length);
      return { rows, total, next: nextCursor(headers.get('link')) };
    },
  };
}

interface Sent {
  readonly response: Response;
  readonly body: unknown;
}

type Send = (id: CallId, input: LooseInput) => Promise<Sent>;

interface Origin {
  readonly baseUrl: string;
  readonly timeout: number;
}

async function send(origin: Origin, id: CallId, input: LooseInput): Promise<Sent> {
  const began = Date.now();
  try {
    const route = routeOf(id) ?? (await earlierRouteOf(id));
    const attempt = sendOnce(origin, route, input);
    if ((route.method ?? 'GET') !== 'GET') ownChanges.note?.(attempt);
    return await attempt;
  } catch (error) {
    if (error instanceof ApiProblem) error.slow = Date.now() - began > slowAfter;
    throw error;
  }
}

async function sendOnce({ baseUrl, timeout }: Origin, route: KnownCall, input: LooseInput): Promise<Sent> {
  const requestId = newId();
  // By hand, because Safari 16 has no AbortSignal.any.
  const ending = new AbortController();
  const giveUp = () => ending.abort(input.signal?.reason);
  const timer = setTimeout(giveUp, timeout);
  if (input.signal?.aborted) giveUp();
  input.signal?.addEventListener('abort', giveUp);
  try {
    const url = baseUrl + address(route.path, input);
    const method = route.method ?? 'GET';
    const made = method === 'GET' && takeAnswer(url);
    const response =
      (made && (await made)) ||
      (await fetch(url, {
        method,
        headers: headersOf(input, route.media ?? 'application/json', requestId),
        body: input.body === undefined ? null : JSON.stringify(input.body),
        credentials: 'same-origin',
        signal: ending.signal,
      }));
    return bodyOf(response, await response.text(), route.media, requestId);
  } catch (error) {
    if (error instanceof ApiProblem || input.signal?.aborted) throw error;
    throw localProblem('unavailable', 'We couldn’t connect. Check your connection and try again.', requestId, error);
  } finally {
    clearTimeout(timer);
    input.signal?.removeEventListener('abort', giveUp);
  }
}

declare global {
  /** Responses to calls that the page's starter has made ahead (shell/src/start), each for one use. */
  // A property of the global object, which only `var` declares.
  // oxlint-disable-next-line no-var
  var clinicAnswers: Map<string, Promise<Response | undefined>> | undefined;
}

function takeAnswer(url: string): Promise<Response | undefined> | undefined {
  const answer = globalThis.clinicAnswers?.get(url);
  globalThis.clinicAnswers?.delete(url);
  return answer;
}

function headersOf(input: LooseInput, accept: string, requestId: string): Record<string, string> {
  return {
    accept,
    'x-request-id': requestId,
    ...(input.body !== undefined && { 'content-type': 'application/json' }),
    ...(input.idempotencyKey && { 'idempotency-key': input.idempotencyKey }),
    ...(input.ifMatch && { 'if-match': input.ifMatch }),
    ...(input.bearer && { authorization: `Bearer ${input.bearer}` }),
    ...(input.proof && { 'proof-of-work': input.proof }),
  };
}

/** @throws ApiProblem if the call was rejected or the response isn't ours */
function bodyOf(response: Response, text: string, media: string | undefined, requestId: string): Sent {
  if (response.status === 204) return { response, body: undefined };
  const body = response.ok && media ? text : parse(text);
  if (response.ok && body !== undefined) return { response, body };
  if (isProblem(body)) throw new ApiProblem(body);
  // A proxy's HTML page, or one of ours instead of JSON: the server behind it is unavailable.
  throw localProblem(
    'unavailable',
    'This part of the clinic isn’t available right now. Try again in a moment.',
    requestId,
    `${response.status} ${text.slice(0, 200)}`,
    response.ok && text.trim() === '',
  );
}

/** @returns makes a call, and again with a refreshed session after a 401 */
function refreshing(send: Send, refresh: ApiSettings['refresh']): Send {
  let refreshes = 0;
  return async (id, input) => {
    const refreshesBefore = refreshes;
    try {
      return await send(id, input);
    } catch (error) {
      if (!isUnauthenticated(error) || input.bearer || sessionCalls.includes(id)) throw error;
      // Another call may have refreshed the session while this one was in flight.
      if (refreshes === refreshesBefore) {
        if (!(await refresh())) throw error;
        refreshes += 1;
      }
      return await send(id, input);
    }
  };
}

/** @returns makes a call, and again once the person has proved their identity after a 403 `proof_needed` */
function proving(send: Send, prove: ApiSettings['prove']): Send {
  let proofs = 0;
  return async (id, input) => {
    const proofsBefore = proofs;
    try {
      return await send(id, input);
    } catch (error) {
      if (!prove || !(error instanceof ApiProblem) || error.code !== 'proof_needed') throw error;
      // Another call may have asked the person while this one was in flight.
      if (proofs === proofsBefore) {
        if (!(await prove()))
          throw localProblem(
            'proof_needed',
            'Nothing has changed because you didn’t confirm it’s you.',
            error.problem.requestId ?? newId(),
            error,
          );
        proofs += 1;
      }
      return await send(id, input);
    }
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the caller treats it as no response.
    return undefined;
  }
}

function address(path: string, { params = {}, query = {} }: LooseInput): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value as string | number));
  }
  const text = search.toString();
  return text ? `${filled}?${text}` : filled;
}

/** The cursor in a `Link: <…?cursor=…>; rel="next"` header (RFC 8288). */
function nextCursor(link: string | null): string | undefined {
  const target = link?.match(/<([^>]*)>\s*;[^,]*\brel="?next"?/)?.[1];
  return target === undefined ? undefined : (new URL(target, 'http://any').searchParams.get('cursor') ?? undefined);
}
