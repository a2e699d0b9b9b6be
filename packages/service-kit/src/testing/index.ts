import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import type { Db, MongoClient } from 'mongodb';
import type { Role } from '@clinic/contracts';
import type { CallTable } from '@clinic/contracts/calls';
import { undeclaredAnswers, undeclaredFields } from '@clinic/contracts/testing/contract-fields';
import type { ServiceContext } from '../context.ts';
import type { ServiceDefinition } from '../definition.ts';
import type { ErasureReport } from '../privacy/deletions.ts';
import type { AccountHolder } from '../privacy/person.ts';
import { cookieNames } from '../auth/session-claims.ts';
import type { SettingsOf, SettingsSpec } from '../settings/settings.ts';
import { startService } from '../start-service.ts';
import { startTestIssuer, type TestIssuer, type TokenChanges, type TokenPerson } from './issuer.ts';
import { roomyDailyLimits } from './roomy-limits.ts';
import { newDatabaseName, startTestDatabase } from './test-database.ts';
import { waitUntil } from './wait-until.ts';

export { assertCopied, assertErased, type Filled } from './personal-fields.ts';
export { personWith, startTestIssuer, type TestIssuer, type TokenChanges, type TokenPerson } from './issuer.ts';
export { roomyDailyLimits } from './roomy-limits.ts';
export { usesIndex, winningIndexes, winningStages } from './query-plan.ts';
export { startTestDatabase, withUriOption, type TestDatabase } from './test-database.ts';

/** `fetch` that takes a path instead of a URL, and `json` for a body. */
export type TestFetch = (path: string, init?: RequestInit & { readonly json?: unknown }) => Promise<Response>;

/** A service running for a test: real sockets, real database, real session tokens. Closed by `await using`. */
export interface TestService<Spec extends SettingsSpec, Parts = unknown> extends AsyncDisposable {
  readonly url: string;
  /** URL of the operators' server, if the test set METRICS_PORT. */
  readonly metricsUrl: string | undefined;
  readonly db: Db;
  readonly client: MongoClient;
  readonly context: ServiceContext<SettingsOf<Spec>>;
  /** What the service opened at start. */
  readonly parts: Parts;
  readonly issuer: TestIssuer;
  /** The service's log lines so far. */
  readonly log: readonly string[];
  /** Requests without a session, from a page of the same site. */
  readonly anonymous: TestFetch;
  /** Requests of a person; a role stands for `{role}@clinic.example`. */
  as(who: Role | TokenPerson, changes?: TokenChanges): TestFetch;
  /** Has svc-identity delete a person. @returns the service's report, once it is done */
  erase(person: AccountHolder): Promise<ErasureReport>;
  close(): Promise<void>;
}

export interface TestOptions {
  /** Additional settings by environment variable. */
  readonly env?: Readonly<Record<string, string>>;
  /** An already running database server, to share one between services of a test; each gets its own database. */
  readonly mongoUri?: string;
  /** Called with each line of the log. */
  readonly onLog?: (line: string) => void;
}

/** Same-origin requests as a browser marks them, with a JSON body. */
export function testFetch(url: string, headers: Readonly<Record<string, string>> = {}): TestFetch {
  return (path, init = {}) => {
    const { json, ...rest } = init;
    const all = new Headers({ 'Sec-Fetch-Site': 'same-origin', ...headers });
    if (json !== undefined) all.set('Content-Type', 'application/json');
    new Headers(rest.headers).forEach((value, name) => all.set(name, value));
    return fetch(`${url}${path}`, { ...rest, headers: all, ...(json !== undefined && { body: JSON.stringify(json) }) });
  };
}

/**
 * Starts a service for a test. Close it in `after`, or declare it with `await using`.
 *
 * @throws AssertionError if its own table of calls doesn't say what requests' fields are checked against, or whose data
 *   answers show
 */
export async function startTestService<Name extends string, Spec extends SettingsSpec, Parts>(
  definition: ServiceDefinition<Name, Spec, Parts>,
  options: TestOptions = {},
): Promise<TestService<Spec, Parts>> {
  if (definition.calls && !declared.has(definition.calls)) assertDeclared(definition.calls);
  const database = options.mongoUri === undefined ? await startTestDatabase() : undefined;
  const issuer = await startTestIssuer(options.env?.['INTERNAL_SECRET'], [definition.name]);
  const log: string[] = [];
  let released: Promise<void> | undefined;
  const release = async (): Promise<void> => {
    await issuer.close();
    await database?.close();
  };
  try {
    const service = await startService(definition, {
      env: {
        PORT: '0',
        NODE_ENV: 'test',
        LOG_LEVEL: 'info',
        DAILY_LIMITS: roomyDailyLimits,
        IDENTITY_URL: issuer.url,
        MONGODB_URI: options.mongoUri ?? database?.uri,
        MONGODB_DATABASE: database?.newName() ?? newDatabaseName(),
        ...options.env,
      },
      logTo: new Writable({
        write(chunk: Buffer, _encoding, done) {
          log.push(chunk.toString());
          options.onLog?.(chunk.toString());
          done();
        },
      }),
    });
    const { url, metricsUrl, context, parts } = service;
    await feedIsLive(url);
    const close = async (): Promise<void> => {
      await service.close();
      await (released ??= release());
    };
    return {
      url,
      metricsUrl,
      db: context.db,
      client: context.client,
      context,
      parts,
      issuer,
      log,
      anonymous: testFetch(url),
      as(who, changes) {
        const person: TokenPerson = typeof who === 'string' ? { role: who, email: `${who}@clinic.example` } : who;
        return async (path, init) =>
          testFetch(url, { Cookie: `${cookieNames.access}=${await issuer.token(person, changes)}` })(path, init);
      },
      async erase(person) {
        issuer.startDeletion(person);
        return waitUntil(() => {
          const report = issuer.reportOf(person.id);
          return report?.done === true && report;
        });
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Tables that have been checked: each test file of a process starts the same service. */
const declared = new WeakSet<CallTable>();

function assertDeclared(calls: CallTable): void {
  assert.deepEqual([...undeclaredFields(calls), ...undeclaredAnswers(calls)], []);
  declared.add(calls);
}

/** Waits until protected calls are available. */
async function feedIsLive(url: string): Promise<void> {
  await waitUntil(async () => {
    const report = (await (await fetch(`${url}/health/ready`)).json()) as { checks: { sessions: string } };
    return report.checks.sessions === 'ok';
  });
}
