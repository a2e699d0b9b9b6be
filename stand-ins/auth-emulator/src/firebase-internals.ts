/**
 * The parts of firebase-tools' Auth emulator that this package uses, with the types they lack. They are internal
 * to firebase-tools: its version is pinned exactly, and {@link createEmulatorApp} throws if they have changed.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Ruling, VisitorCall } from './visitor-call.ts';
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
  /** Tokens issued before this are invalid; seconds since 1970. */
  validSince?: string;
  providerUserInfo?: ProviderInfo[];
  [field: string]: unknown;
}

export type UserFields = Omit<StoredUser, 'localId'>;

/** An emailed code (password reset, address verification) that hasn't been used yet. */
export interface OutOfBandCode {
  oobCode: string;
  /** The account's address. */
  email: string;
  newEmail?: string;
  /** E.g. `PASSWORD_RESET`. */
  requestType: string;
  oobLink: string;
  /** ISO instant, added by us; missing in codes from earlier releases. */
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
  createOob(
    email: string,
    newEmail: string | undefined,
    requestType: string,
    link: (code: string) => string,
  ): OutOfBandCode;
  validateOobCode(code: string): OutOfBandCode | undefined;
  deleteOobCode(code: string): boolean;
  getUserByEmail(email: string): StoredUser | undefined;
  createRefreshTokenFor(user: StoredUser, provider: string, options?: object): string;
  validateRefreshToken(token: string): { readonly user: StoredUser };
}

interface AuthServerModule {
  createApp(projectId: string, singleProjectMode: number, states: Map<string, ProjectState>): Promise<RequestListener>;
}

/** A call of the emulator's API in flight. */
interface CallContext {
  readonly req: IncomingMessage;
  readonly origRes: ServerResponse;
  readonly api: { readonly operationObject?: { readonly operationId?: string } };
}

interface ExegesisPlugin {
  info: { name: string };
  makeExegesisPlugin(): {
    /** Runs before the operation; if it throws, the operation doesn't run. */
    postSecurity(call: CallContext & { getRequestBody(): Promise<unknown> }): Promise<void>;
    /** Runs after an operation has succeeded. */
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

/** What exegesis uses of the validator's library. */
interface Ajv {
  addFormat(name: string, format: unknown): unknown;
  compile(schema: object): unknown;
  validateSchema?(schema: object): unknown;
}

const fromHere = createRequire(import.meta.url);
const fromFirebaseTools = createRequire(fromHere.resolve('firebase-tools/package.json'));
const authServer = fromFirebaseTools('./lib/emulator/auth/server.js') as AuthServerModule;
const exegesis = fromFirebaseTools('exegesis-express') as ExegesisModule;
const fromExegesis = createRequire(fromFirebaseTools.resolve('exegesis'));
const ajv = fromExegesis('ajv') as { default: new (options: object) => Ajv };
const { default: references } = fromExegesis('@apidevtools/json-schema-ref-parser') as {
  default: { readonly prototype: { bundle(document: object): Promise<object> } };
};
const { logger } = fromFirebaseTools('./lib/logger.js') as { logger: { silent: boolean } };

// Its messages (links with reset codes, advice to command-line users) are meant for a terminal, and without the command
// line's set-up each one would end up on stderr with a warning about missing transports.
logger.silent = true;

/** Ajv itself. */
export const OriginalAjv = ajv.default;
/** By options and schema: each emulator of a process needs the same ones. */
const validators = new Map<string, unknown>();

// Every parameter and body gets an Ajv of its own, nearly a thousand, of which few are ever used.
ajv.default = class implements Ajv {
  readonly #options: object;
  readonly #formats: (readonly [string, unknown])[] = [];
  constructor(options: object) {
    this.#options = options;
  }
  addFormat(name: string, format: unknown): void {
    this.#formats.push([name, format]);
  }
  compile(schema: object): unknown {
    const key = JSON.stringify([this.#options, schema]);
    if (!validators.has(key)) {
      // Without the schema of schemas, which would only check firebase-tools' own: ten times the work of compiling those.
      const original = new OriginalAjv({ ...this.#options, meta: false, validateSchema: false });
      for (const [name, format] of this.#formats) original.addFormat(name, format);
      validators.set(key, original.compile(schema));
    }
    return validators.get(key);
  }
};

// Looks for references to other documents, of which firebase-tools' description of the API has none.
references.prototype.bundle = async (document) => document;

export const { AgentProjectState } = fromFirebaseTools('./lib/emulator/auth/state.js') as {
  AgentProjectState: new (projectId: string) => ProjectState;
};

export const { ApiError } = fromFirebaseTools('./lib/emulator/auth/errors.js') as {
  ApiError: new (code: number, status: string, message: string, reason: string) => Error;
};

/** The emulator mode in which a request may name any project; the warm-up uses a separate one. */
const ANY_PROJECT = 0;

/**
 * Creates the emulator's request handler.
 *
 * @param projectId default project for requests that name none
 * @param states the emulator's projects; it adds missing ones
 * @param beforeAnswer awaited after each successful operation, before its response is sent; if it rejects, the response
 *   is a 500
 * @param limits limits on visitors' attempts; requests that don't come through the gateway aren't limited
 * @param devices devices that have signed in before
 * @param ruleOn rejects calls beyond the emulator's own rules
 * @throws Error if this version of firebase-tools has a different structure
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
  // The emulator offers no way to pass these options, so we intercept its call. It calls before its first await, so the
  // original is back in place before anything else can call it.
  exegesis.middleware = (document, options) => {
    intercepted = true;
    return original(document, {
      ...options,
      // Compiling all 961 schemas takes most of the start-up time; the warm-up compiles the few that are needed.
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
                // Firebase's own message, which its SDK turns into `auth/too-many-requests`.
                throw new ApiError(429, 'RESOURCE_EXHAUSTED', 'TOO_MANY_ATTEMPTS_TRY_LATER', 'rateLimitExceeded');
              }
              if (!isVisitors(call)) return;
              const ruling = await ruleOn({ operation: operationOf(call), body });
              if ('rejected' in ruling) throw new ApiError(400, 'INVALID_ARGUMENT', ruling.rejected, 'invalid');
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

/** Operations that prove, or set, the account's password if they succeed. */
const provesPassword = new Set(['signUp', 'signInWithPassword']);

const operationOf = ({ api }: Pick<CallContext, 'api'>): string =>
  api.operationObject?.operationId?.split('.').at(-1) ?? '';

/** Whether this is a browser's call rather than the administrator's, who sends the token `owner`. */
function isVisitors({ req, api }: CallContext): boolean {
  return (
    api.operationObject?.operationId?.startsWith('identitytoolkit.accounts.') === true &&
    req.headers.authorization === undefined
  );
}

/**
 * @returns `undefined` if it isn't a visitor's call; only the gateway sets an address, services and tests connect
 * directly
 */
function tryOf({ req, api }: CallContext, body: unknown, devices: KnownDevices): Try | undefined {
  const address = req.headers['x-forwarded-for'];
  if (typeof address !== 'string') return undefined;
  const email = (body as { readonly email?: unknown } | undefined)?.email;
  const operation = operationOf({ api });
  if (typeof email !== 'string') return { operation, address, email: undefined };
  return { operation, address, email, device: devices.find(email, req.headers.cookie) };
}
