/**
 * The parts of firebase-tools' Auth emulator that this package builds on, with the types they lack. They are internal
 * to firebase-tools: its version is pinned exactly, and {@link createEmulatorApp} fails loudly when they have changed.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Ruling, VisitorCall } from './account-rules.ts';
import type { KnownDevices } from './known-devices.ts';
import type { Try, TryLimits } from './try-limits.ts';

/** A sign-in provider linked to an account. */
export interface ProviderInfo {
  providerId: string;
  [field: string]: unknown;
}

/** An account as the emulator holds it. */
export interface StoredUser {
  localId: string;
  email?: string;
  /** Tokens from before are no longer valid; seconds since 1970. */
  validSince?: string;
  providerUserInfo?: ProviderInfo[];
  [field: string]: unknown;
}

export type UserFields = Omit<StoredUser, 'localId'>;

/** An e-mailed code (password reset, address verification) that hasn't been used yet. */
export interface OutOfBandCode {
  oobCode: string;
  /** Of the account. */
  email: string;
  newEmail?: string;
  /** E.g. `PASSWORD_RESET`. */
  requestType: string;
  oobLink: string;
  /** ISO instant, kept by us; absent in codes of earlier releases. */
  createdAt?: string;
  [field: string]: unknown;
}

/** All accounts and open codes of one Firebase project. */
export interface ProjectState {
  readonly users: Map<string, StoredUser>;
  readonly oobs: Map<string, OutOfBandCode>;
  enableImprovedEmailPrivacy: boolean;
  overwriteUserWithLocalId(localId: string, fields: UserFields): StoredUser;
  updateUserByLocalId(localId: string, fields: Partial<UserFields>, options?: object): StoredUser;
  deleteUser(user: StoredUser): void;
  deleteAllAccounts(): void;
  createOob(email: string, newEmail: string | undefined, requestType: string, link: (code: string) => string): OutOfBandCode;
  validateOobCode(code: string): OutOfBandCode | undefined;
  deleteOobCode(code: string): boolean;
  getUserByEmail(email: string): StoredUser | undefined;
  createRefreshTokenFor(user: StoredUser, provider: string, options?: object): string;
  validateRefreshToken(token: string): { readonly user: StoredUser };
}

interface AuthServerModule {
  createApp(projectId: string, singleProjectMode: number, states: Map<string, ProjectState>): Promise<RequestListener>;
}

/** A call of the emulator's API under way. */
interface CallContext {
  readonly req: IncomingMessage;
  readonly origRes: ServerResponse;
  readonly api: { readonly operationObject?: { readonly operationId?: string } };
}

interface ExegesisPlugin {
  info: { name: string };
  makeExegesisPlugin(): {
    /** Before the operation, which isn't run when this throws. */
    postSecurity(call: CallContext & { getRequestBody(): Promise<unknown> }): Promise<void>;
    /** After an operation that succeeded. */
    postController(call: CallContext & { readonly requestBody: unknown }): Promise<void>;
  };
}

interface ExegesisOptions {
  lazyCompileValidationSchemas?: boolean;
  plugins?: ExegesisPlugin[];
}

interface ExegesisModule {
  middleware: (document: unknown, options: ExegesisOptions) => Promise<unknown>;
}

const fromHere = createRequire(import.meta.url);
const fromFirebaseTools = createRequire(fromHere.resolve('firebase-tools/package.json'));
const authServer = fromFirebaseTools('./lib/emulator/auth/server.js') as AuthServerModule;
const exegesis = fromFirebaseTools('exegesis-express') as ExegesisModule;
const { logger } = fromFirebaseTools('./lib/logger.js') as { logger: { silent: boolean } };

// Its messages (links with reset codes, advice for users of the command line) are meant for a terminal, and without
// the command line's set-up each one would end up on stderr with a complaint about missing transports.
logger.silent = true;

export const { AgentProjectState } = fromFirebaseTools('./lib/emulator/auth/state.js') as {
  AgentProjectState: new (projectId: string) => ProjectState;
};

export const { ApiError } = fromFirebaseTools('./lib/emulator/auth/errors.js') as {
  ApiError: new (code: number, status: string, message: string, reason: string) => Error;
};

/** The emulator's mode in which a request may name any project; the warm-up uses a project of its own. */
const ANY_PROJECT = 0;

/**
 * Creates the emulator's request handler.
 *
 * @param projectId the project that requests without a project belong to
 * @param states the emulator's projects; it adds those it doesn't find here
 * @param beforeAnswer awaited after each successful operation, before its answer leaves; when it rejects, the answer is a 500
 * @param limits of what visitors try; who comes without the gateway is none
 * @param devices from which visitors have signed in before
 * @param ruleOn what is refused beyond the emulator's own rules
 * @throws Error when this version of firebase-tools is built differently
 */
export async function createEmulatorApp(
  projectId: string,
  states: Map<string, ProjectState>,
  beforeAnswer: () => Promise<void>,
  limits: TryLimits,
  devices: KnownDevices,
  ruleOn: (call: VisitorCall) => Promise<Ruling>,
): Promise<RequestListener> {
  const original = exegesis.middleware;
  let intercepted = false;
  const toDo = new WeakMap<IncomingMessage, () => void>();
  // The emulator offers no way to pass these options, so its call is intercepted. It makes it before its first await:
  // the original is back in place before anybody else can call it.
  exegesis.middleware = (document, options) => {
    intercepted = true;
    return original(document, {
      ...options,
      // Compiling all 961 schemas takes most of the start; the warm-up does the few that are needed.
      lazyCompileValidationSchemas: true,
      plugins: [
        ...(options.plugins ?? []),
        {
          info: { name: 'limits-and-disk' },
          makeExegesisPlugin: () => ({
            async postSecurity(call) {
              const body = await call.getRequestBody();
              const one = tryOf(call, body, devices);
              const seconds = one && limits.begin(one);
              if (seconds !== undefined) {
                call.origRes.setHeader('Retry-After', seconds);
                // Firebase's own words, which its SDK makes `auth/too-many-requests` of.
                throw new ApiError(429, 'RESOURCE_EXHAUSTED', 'TOO_MANY_ATTEMPTS_TRY_LATER', 'rateLimitExceeded');
              }
              if (!isVisitors(call)) return;
              const ruling = await ruleOn({ operation: operationOf(call), body });
              if ('refused' in ruling) throw new ApiError(400, 'INVALID_ARGUMENT', ruling.refused, 'invalid');
              if (ruling.succeeded) toDo.set(call.req, ruling.succeeded);
            },
            async postController(call) {
              const one = tryOf(call, call.requestBody, devices);
              if (one) limits.succeeded(one);
              if (one?.email !== undefined && provesPassword.has(one.operation)) {
                const { cookie, 'x-forwarded-proto': protocol } = call.req.headers;
                call.origRes.setHeader('Set-Cookie', devices.remember(one.email, cookie, protocol === 'https'));
              }
              toDo.get(call.req)?.();
              await beforeAnswer();
            },
          }),
        },
      ],
    });
  };
  const app = authServer.createApp(projectId, ANY_PROJECT, states);
  exegesis.middleware = original;
  if (!intercepted) throw new Error('firebase-tools creates its Auth emulator differently: use the pinned version');
  return app;
}

/** Whoever succeeds with these has shown, or chosen, the account's password. */
const provesPassword = new Set(['signUp', 'signInWithPassword']);

const operationOf = ({ api }: Pick<CallContext, 'api'>): string => api.operationObject?.operationId?.split('.').at(-1) ?? '';

/** Whether it is a call that browsers make, and not by the administrator, who comes with the word `owner`. */
function isVisitors({ req, api }: CallContext): boolean {
  return api.operationObject?.operationId?.startsWith('identitytoolkit.accounts.') === true && req.headers.authorization === undefined;
}

/** @returns `undefined` where it is no visitor's: the gateway says whose each request is, services and tests come straight */
function tryOf({ req, api }: CallContext, body: unknown, devices: KnownDevices): Try | undefined {
  const address = req.headers['x-forwarded-for'];
  if (typeof address !== 'string') return undefined;
  const email = (body as { readonly email?: unknown } | undefined)?.email;
  const operation = operationOf({ api });
  if (typeof email !== 'string') return { operation, address, email: undefined };
  return { operation, address, email, device: devices.find(email, req.headers.cookie) };
}
