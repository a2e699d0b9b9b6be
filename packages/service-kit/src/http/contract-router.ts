import express, { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { AccessRule, CallId } from '@clinic/contracts';
import type { CallSchemas, CallTable } from '@clinic/contracts/calls';
import { defaultMaxBodyBytes, defaultTimeoutSeconds } from '@clinic/contracts/publication';
import { canEverPass, requireAccess, requireFreshProof } from '../auth/access-control.ts';
import { sendAnswer, Streamed, type Reader } from './answers.ts';
import { unavailable } from './error-mapping.ts';
import type { Joining } from '../auth/joining.ts';
import { isUnsafe, rejectCrossSite } from './cross-site.ts';
import type { Rejection } from '../definition.ts';
import { noteTold, type NoteLooks } from '../history/note-looks.ts';
import { EventStream, sendEventStream } from '../live/event-stream.ts';
import { readIdempotencyKey } from './idempotency.ts';
import type { Metrics } from '../observability/metrics.ts';
import { passThrough } from './pass-through.ts';
import { UserQueues } from './user-concurrency.ts';
import { keepBody } from './signed-body.ts';
import { ProblemError } from './problem-error.ts';
import { notesOf } from './request-scope.ts';
import type { IdToken } from './requests.ts';
import type { SessionCaller } from '../auth/session-claims.ts';
import type { SessionVerifier } from '../auth/session-verifier.ts';
import { parseParts } from './validation.ts';

/** A handler as the router calls it; types are checked where handlers are defined. */
export type AnyHandler = (request: unknown) => Promise<unknown>;

export interface RouterParts {
  readonly service: string;
  readonly calls: CallTable;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly sessions: SessionVerifier;
  readonly joining: Joining | undefined;
  readonly publicOrigins: readonly string[];
  /** Verifies a Firebase ID token; only svc-identity has calls that take one. */
  readonly verifyIdToken: ((token: string) => Promise<IdToken>) | undefined;
  readonly onRejection: ((rejection: Rejection) => Promise<void>) | undefined;
  /** Middleware that runs before anything else of a call, e.g. rate limits. */
  readonly guards: Readonly<Partial<Record<string, readonly RequestHandler[]>>>;
  /** Counts an export towards the account's limit of the day. @throws ProblemError rate_limited */
  readonly countExport: (account: string) => Promise<void>;
  readonly noteLooks: NoteLooks;
  readonly metrics: Metrics;
}

/** Answers a call and passes errors to `next`. */
type CallHandler = (request: Request, response: Response, next: NextFunction) => Promise<void>;

export interface ContractRoutes {
  /**
   * Calls without path parameters, by method and path: a map lookup, instead of trying the router's patterns one by
   * one.
   */
  readonly direct: ReadonlyMap<string, ReadonlyMap<string, CallHandler>>;
  /** Router with all calls. */
  readonly router: Router;
}

interface Identity {
  readonly caller?: SessionCaller;
  readonly idToken?: IdToken;
}

/** Statuses that deny access. */
const rejectionStatuses = new Set([401, 403, 429]);

/**
 * The share of the gateway's time limit that a handler may use, so that the caller gets our response, not the
 * gateway's.
 */
const shareOfLimit = 0.9;

const parserOf = (limit: number, signed = false): RequestHandler =>
  express.json({ limit, strict: true, type: () => true, ...(signed && { verify: keepBody }) });

/** Routes every call of a service as its contract describes. Other methods at a known address get 405. */
export function contractRoutes(parts: RouterParts): ContractRoutes {
  const router = Router({ caseSensitive: true });
  const direct = new Map<string, Map<string, CallHandler>>();
  const addDirect = (method: string, path: string, handler: CallHandler): void => {
    direct.set(method, (direct.get(method) ?? new Map<string, CallHandler>()).set(path, handler));
  };
  const queues = new UserQueues();
  const byPath = Map.groupBy(Object.values(parts.calls), ({ path }) => path);
  for (const [path, entries] of byPath) {
    const at = router.route(path);
    const methods = new Set<string>();
    for (const call of entries) {
      const handler = answerCall(call, parts, queues);
      at[call.method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'](handler);
      for (const method of call.method === 'GET' ? ['GET', 'HEAD'] : [call.method]) {
        methods.add(method);
        if (!path.includes(':')) addDirect(method, path, handler);
      }
    }
    const allow = [...methods].sort().join(', ');
    at.all((request, response) => {
      response.setHeader('Allow', allow);
      throw new ProblemError('method_not_allowed', {
        detail: `This address doesn’t accept ${request.method}. Use ${allow}.`,
      });
    });
  }
  return { direct, router };
}

/** What is fixed about a call before its first request. */
interface PlannedCall {
  readonly id: CallId;
  readonly call: CallTable[string];
  readonly access: AccessRule;
  readonly schemas: CallSchemas;
  readonly handler: AnyHandler;
  readonly guards: readonly RequestHandler[];
  readonly parseJson: RequestHandler;
  readonly limitMs: number;
  readonly lateDetail: string;
  readonly takesKey: boolean;
  /** Whoever has the address may make the call. */
  readonly carriesSecret: boolean;
  readonly cacheControl: string;
}

function planCall(call: CallTable[string], parts: RouterParts): PlannedCall {
  // The table's names are the ids handlers are registered under.
  const id = call.id as CallId;
  const access: AccessRule = call.access;
  const handler = parts.handlers[id];
  const carriesSecret = Object.entries(call.decides ?? {}).some(
    ([field, checked]) => field.startsWith('params.') && checked === 'proof',
  );
  if (!handler) throw new Error(`${parts.service} has no handler for ${id}`);
  return {
    id,
    call,
    access,
    schemas: call,
    handler,
    guards: parts.guards[id] ?? [],
    parseJson: parserOf(call.maxBodyBytes ?? defaultMaxBodyBytes, call.signed),
    limitMs: (call.timeoutSeconds ?? defaultTimeoutSeconds) * 1_000 * shareOfLimit,
    lateDetail: isUnsafe(call.method)
      ? 'This took too long. Check whether it went through before you try again.'
      : 'We can’t reach our records right now. Try again in a moment.',
    takesKey: 'idempotent' in call,
    carriesSecret,
    cacheControl: access.kind === 'everyone' && call.method === 'GET' && !carriesSecret ? 'no-cache' : 'no-store',
  };
}

/** What is known about the caller when a request is rejected. */
interface Known {
  email?: string | undefined;
  caller?: SessionCaller | undefined;
}

/** Handles a call, and notifies the service of rejections that deny access. */
function answerCall(call: CallTable[string], parts: RouterParts, queues: UserQueues): CallHandler {
  const planned = planCall(call, parts);
  const { onRejection } = parts;
  return async (request, response, next) => {
    const known: Known = {};
    try {
      await answerRequest(planned, parts, queues, request, response, known);
    } catch (error) {
      noteTold(parts.noteLooks, call, known.caller, error);
      if (onRejection && error instanceof ProblemError && rejectionStatuses.has(error.status)) {
        await onRejection({
          call: planned.id,
          problem: error,
          requestId: notesOf(response).requestId,
          req: request,
          provenEmail: known.email,
        });
      }
      next(error);
    }
  };
}

/**
 * Order of checks: guards → cross-site → caller (401) → role (403) → body (400, 413, 415) → self (403) → fresh proof
 * (403) → handler.
 */
async function answerRequest(
  planned: PlannedCall,
  parts: RouterParts,
  queues: UserQueues,
  request: Request,
  response: Response,
  known: Known,
): Promise<void> {
  const { id, call, access, schemas, handler } = planned;
  const notes = notesOf(response);
  notes.call = id;
  response.setHeader('Cache-Control', planned.cacheControl);
  if (planned.carriesSecret) response.setHeader('Referrer-Policy', 'no-referrer').setHeader('X-Robots-Tag', 'noindex');
  rejectCodings(request);
  for (const guard of planned.guards) await passThrough(guard, request, response);
  if (!call.oneClick && !call.signed) rejectCrossSite(request, parts.publicOrigins);
  const { caller, idToken }: Identity = await identify(access, request, parts);
  if (caller) notes.caller = caller.id;
  Object.assign(known, { email: idToken?.email ?? caller?.email, caller } satisfies Known);
  if (access.kind === 'restricted' && caller && !canEverPass(access, caller)) throw new ProblemError('forbidden');

  rejectHazards(request.originalUrl);
  if (isUnsafe(request.method) && !call.oneClick) await readBody(request, response, schemas.body && planned.parseJson);
  const raw = parseParts(schemas, { params: request.params, query: request.query, body: request.body as unknown });
  if (access.kind === 'restricted' && caller) requireAccess(access, caller, raw);
  if ((access.kind === 'restricted' || access.kind === 'session') && caller) requireFreshProof(access, caller, raw);
  if (call.personalData === 'copy' && caller) await parts.countExport(caller.id);
  const idempotencyKey = planned.takesKey ? readIdempotencyKey(request.get('idempotency-key')) : undefined;
  const { requestId } = notes;
  const handle = () =>
    handler({ ...raw, call, caller, idToken, requestId, idempotencyKey, req: request, res: response });
  const answer = await inTime(planned.limitMs, planned.lateDetail, async () => {
    if (caller) await parts.joining?.ensureJoined(caller);
    return caller && isUnsafe(request.method) ? queues.run(caller.id, handle) : handle();
  });
  // Access may be lost while a stream is open.
  const reader: Reader = {
    authorise: async () => void (await identify(access, request, parts)),
    onRightsChanged: (changed) => (caller ? parts.sessions.onChange(caller, changed) : () => undefined),
  };
  if (answer instanceof EventStream) {
    response.once('close', parts.metrics.streamOpened(id));
    sendEventStream(request, response, answer, { ...reader, onMessage: () => parts.metrics.streamMessage(id) });
  } else {
    await sendAnswer(request, response, call, parts.noteLooks(call, { caller, query: raw.query }, answer), reader);
  }
}

/**
 * The result of `work`, unless it takes too long: a hanging database mustn't keep clients waiting.
 *
 * @throws ProblemError unavailable after `limitMs`; the work may continue
 */
async function inTime(limitMs: number, detail: string, work: () => Promise<unknown>): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(unavailable(detail)), limitMs);
  const result = work();
  try {
    return await Promise.race([result, late.promise]);
  } catch (error) {
    // Nobody waits for the result any more, and the caller already has an error.
    result.then(
      (answer) => (answer instanceof Streamed ? answer.close() : undefined),
      () => undefined,
    );
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function identify(access: AccessRule, request: Request, parts: RouterParts): Promise<Identity> {
  if (access.kind === 'session' || access.kind === 'restricted')
    return { caller: await parts.sessions.verify(request) };
  if (access.kind !== 'idToken') return {};
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined) {
    if (!parts.verifyIdToken) throw new Error(`${parts.service} has calls with ID tokens but can't verify them`);
    return { idToken: await parts.verifyIdToken(bearer) };
  }
  if (access.orSession) return { caller: await parts.sessions.verify(request) };
  throw new ProblemError('unauthenticated');
}

/** Node reads `gzip, chunked` as chunked, and leaves the other codings to us (RFC 9112, section 6.1). */
function rejectCodings({ headers }: Request): void {
  const { 'transfer-encoding': coding = 'chunked' } = headers;
  if (coding.toLowerCase() !== 'chunked')
    throw new ProblemError('not_implemented', { detail: 'The only transfer coding is chunked.' });
}

/** No name, id or search word contains a NUL, and the database rejects them in patterns. */
function rejectHazards(url: string): void {
  if (url.includes('%00'))
    throw new ProblemError('malformed_request', { detail: 'The address contains a NUL character.' });
}

async function readBody(request: Request, response: Response, parseJson: RequestHandler | undefined): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
  if (!hasBody) return;
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new ProblemError('unsupported_media_type', { detail: 'Send the body as application/json.' });
  if (parseJson) await passThrough(parseJson, request, response);
}
