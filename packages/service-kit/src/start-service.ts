import { setTimeout as delay } from 'node:timers/promises';
import express from 'express';
import { MongoError, type MongoClient } from 'mongodb';
import type { DestinationStream } from 'pino';
import type { ServiceContext } from './context.ts';
import { createApp } from './http/create-app.ts';
import {
  createClient,
  kitIndexes,
  runTransaction,
  waitForDatabase,
  withoutPinnedOptions,
} from './database/database.ts';
import { configureDailyLimits } from './database/daily-limits.ts';
import { databaseCredentials } from './database/database-credentials.ts';
import { watchDatabase } from './database/database-watch.ts';
import type { ServiceDefinition } from './definition.ts';
import { rejectHalfDemo } from './settings/demo-settings.ts';
import { Watchers } from '@clinic/graceful-server';
import { isDatabaseUnavailable } from './http/error-mapping.ts';
import { healthRoutes } from './http/health.ts';
import { ProblemError } from './http/problem-error.ts';
import { watchHeartbeats } from './database/heartbeat-watch.ts';
import { listen, type Listening } from './http/http-server.ts';
import { internalSecret } from './auth/internal-calls.ts';
import { createLogger, type Logger } from './observability/log.ts';
import { looksWritten } from './history/note-looks.ts';
import { outboxIndexes } from './outbox/outbox.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { deletionFollower } from './privacy/follow-deletions.ts';
import { keepRetention, kitRetention } from './privacy/retention.ts';
import { remoteKeys, type SessionSource } from './auth/session-verifier.ts';
import {
  baseSettings,
  readSettings,
  type BaseSettings,
  type SettingsOf,
  type SettingsSpec,
} from './settings/settings.ts';
import { ensureIndexes } from './database/indexes.ts';
import { applySchemaChanges, dropStaleIndexes } from './database/schema-changes.ts';
import { AccountFollower } from './auth/follow-accounts.ts';
import { staffFollower } from './auth/staff-list.ts';
import { tagCollections } from './database/tagged-collections.ts';
import { openTracing } from './observability/tracing.ts';
import { followSessionFeed } from './auth/session-feed.ts';
import { VersionTracker } from './auth/version-tracker.ts';

export interface StartOptions {
  /** Usually `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Destination of the log; defaults to standard output. */
  readonly logTo?: DestinationStream;
  /** Cancels a start that is still waiting for the database. */
  readonly signal?: AbortSignal;
  /** Also collects metrics of the process; only one service per process may. */
  readonly processMetrics?: boolean;
}

/** A running service. */
export interface RunningService<Spec extends SettingsSpec, Parts = unknown> {
  readonly url: string;
  /** URL of `/metrics`, unless METRICS_PORT is 0. */
  readonly metricsUrl: string | undefined;
  readonly context: ServiceContext<SettingsOf<Spec>>;
  /** What it opened at start. */
  readonly parts: Parts;
  /** Waits until the gateways have seen that it is stopping, finishes requests in flight, then releases everything. */
  close(): Promise<void>;
}

/**
 * Starts a service: reads settings, waits for the database, creates indexes, runs start-up work, follows the session
 * feed, listens.
 *
 * @throws SettingsError for a missing or invalid setting; any other error that prevents the start
 */
export async function startService<Name extends string, Spec extends SettingsSpec, Parts>(
  definition: ServiceDefinition<Name, Spec, Parts>,
  options: StartOptions,
): Promise<RunningService<Spec, Parts>> {
  const stop = new AbortController();
  const { context: opened, metrics, tracing } = await openContext(definition, options, stop.signal);
  const { client, db, settings, log } = opened;
  try {
    const { context, source, parts } = await prepare(definition, opened, options.signal);
    metrics.showFeed(source.versions);
    keepRetention(context, [...kitRetention(context), ...(definition.retention?.(context) ?? [])]);
    const watchers = new Watchers();
    const server = await listen(
      createApp(definition, context, { source, parts, metrics, tracing, watchers }),
      settings.HOST,
      settings.PORT,
    );
    const metricsServer = await listenForMetrics(context, source, metrics).catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
    log.info({ url: server.url, metricsUrl: metricsServer?.url }, 'listening');
    let closed: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      stop.abort();
      await watchers.allNotified();
      await Promise.all([server.close(), metricsServer?.close()]);
      await definition.onStop?.(context, parts);
      await looksWritten(db);
      await disconnect(client, log);
      await tracing?.close();
      log.info('stopped');
    };
    return { url: server.url, metricsUrl: metricsServer?.url, context, parts, close: () => (closed ??= close()) };
  } catch (error) {
    stop.abort();
    await client.close();
    throw error;
  }
}

/** @throws SettingsError if a service mustn't start with these settings */
export function readServiceSettings<Name extends string, Spec extends SettingsSpec, Parts>(
  definition: ServiceDefinition<Name, Spec, Parts>,
  env: StartOptions['env'],
): BaseSettings & SettingsOf<Spec> {
  const settings = readSettings({ ...baseSettings, ...definition.settings }, env) as unknown as BaseSettings &
    SettingsOf<Spec>;
  rejectHalfDemo({ DEMO_MODE: settings.DEMO_MODE, PUBLIC_URL: settings.PUBLIC_URL });
  definition.checkSettings?.(settings);
  internalSecret(settings);
  return settings;
}

/** Reads the settings and opens the log, the traces and the database client, which connects later. */
async function openContext<Name extends string, Spec extends SettingsSpec, Parts>(
  definition: ServiceDefinition<Name, Spec, Parts>,
  options: StartOptions,
  stopping: AbortSignal,
) {
  const settings = readServiceSettings(definition, options.env);
  const log = createLogger(definition.name, settings.LOG_LEVEL, options.logTo, settings.COMMIT);
  const tracing = await openTracing({
    name: `svc-${definition.name}`,
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    log,
  });
  const { ignored } = withoutPinnedOptions(settings.MONGODB_URI);
  if (ignored.length > 0)
    log.warn(
      { ignored },
      'MONGODB_URI has options that services ignore: they read from the primary and write to a majority',
    );
  const client = createClient(settings.MONGODB_URI, `svc-${definition.name}`, {
    auth: databaseCredentials(settings),
    monitorCommands: tracing !== undefined,
  });
  const db = client.db(settings.MONGODB_DATABASE);
  tagCollections(db);
  configureDailyLimits(db, settings);
  const metrics = createMetrics(definition.name, options.processMetrics ?? false, stopping);
  watchDatabase(client, metrics, log, settings.SLOW_COMMAND_MS);
  watchHeartbeats(client, log, stopping);
  tracing?.watchCommands(client);
  const context: ServiceContext<SettingsOf<Spec>> = {
    db,
    client,
    settings,
    log,
    stopping,
    inTransaction: (work) => runTransaction(client, work),
  };
  return { context, metrics, tracing };
}

/** Milliseconds for the driver to end its sessions and change streams: without a server it has waited for ever. */
const disconnectWithin = 2_000;

async function disconnect(client: MongoClient, log: Logger): Promise<void> {
  const done = new AbortController();
  const closed = client.close().finally(() => done.abort());
  closed.catch(() => undefined);
  const late = delay(disconnectWithin, 'late', { signal: done.signal }).catch(() => undefined);
  if ((await Promise.race([closed, late])) === 'late') log.warn('the database client did not close in time');
}

/** Milliseconds between attempts to start on a database that is too busy. */
const retryEvery = 500;

interface Prepared<Spec extends SettingsSpec, Parts> {
  readonly context: ServiceContext<SettingsOf<Spec>>;
  readonly parts: Parts;
  readonly source: SessionSource;
}

/**
 * Brings the database up to date and runs the start-up work. If the database becomes unavailable meanwhile, or is too
 * busy for a few seconds, it starts over: all of it can be repeated.
 *
 * @param signal - cancels the start
 * @returns the context to continue with, what the service has opened, and the source of session keys and versions
 */
async function prepare<Name extends string, Spec extends SettingsSpec, Parts>(
  definition: ServiceDefinition<Name, Spec, Parts>,
  opened: ServiceContext<SettingsOf<Spec>>,
  signal: AbortSignal | undefined,
): Promise<Prepared<Spec, Parts>> {
  const { client, log, stopping } = opened;
  const starting = signal ? AbortSignal.any([stopping, signal]) : stopping;
  for (let tries = 1; ; tries += 1) {
    const failed = new AbortController();
    // Ends whatever a failed attempt has left running.
    const context = { ...opened, stopping: AbortSignal.any([stopping, failed.signal]) };
    try {
      await waitForDatabase(client, log, starting);
      await applySchemaChanges(context, definition.schemaChanges ?? []);
      await alignIndexes(definition, context);
      // Without start-up work there are no parts.
      const parts = (await definition.onStart?.(context)) as Parts;
      const source = definition.sessionSource?.(context, parts) ?? followIdentity(definition, context, parts);
      return { context, parts, source };
    } catch (error) {
      failed.abort();
      starting.throwIfAborted();
      if (!mayPass(error as Error)) throw error;
      log.warn(
        { tries, reason: (error as Error).message },
        'the database became unavailable, or stayed busy, during the start, will start again',
      );
      await delay(retryEvery, undefined, { signal: starting });
    }
  }
}

/** Whether an error, or its cause, means that the database is unavailable, or too busy for a transaction. */
function mayPass(error: Error): boolean {
  if (error instanceof ProblemError && error.code === 'unavailable') return true;
  return isDatabaseUnavailable(error) || (error.cause instanceof MongoError && isDatabaseUnavailable(error.cause));
}

/** Creates missing indexes and drops those that schema changes name. */
async function alignIndexes<Name extends string, Spec extends SettingsSpec, Parts>(
  definition: ServiceDefinition<Name, Spec, Parts>,
  context: ServiceContext<SettingsOf<Spec>>,
): Promise<void> {
  const { settings, log } = context;
  const plans = [kitIndexes, definition.outbox ? outboxIndexes : {}, definition.indexes];
  // An index of many records takes longer than a request's commands may.
  const client = createClient(settings.MONGODB_URI, `svc-${definition.name}-indexes`, {
    auth: databaseCredentials(settings),
    commandLimitMs: 0,
  });
  try {
    await ensureIndexes(client.db(settings.MONGODB_DATABASE), plans, log);
  } finally {
    await client.close();
  }
  await dropStaleIndexes(context, definition.schemaChanges ?? [], plans);
}

function followIdentity<Name extends string, Spec extends SettingsSpec, Parts>(
  definition: ServiceDefinition<Name, Spec, Parts>,
  context: ServiceContext<SettingsOf<Spec>>,
  parts: Parts,
): SessionSource {
  const versions = new VersionTracker();
  const loops = [
    deletionFollower(context, definition.name, {
      erase: definition.erase?.(context),
      joinRecords: definition.joinRecords?.(context),
    }),
    ...(definition.onStaff ? [staffFollower(context, definition.onStaff(context, parts))] : []),
  ];
  const accounts = new AccountFollower(context, {
    joinRecords: definition.joinRecords?.(context),
    onAccount: definition.onAccount?.(context),
  });
  const changed = (): void => {
    accounts.changed();
    for (const loop of loops) loop.wake();
  };
  followSessionFeed(context, versions, changed).catch((error: unknown) =>
    context.log.error({ err: error }, 'session feed failed'),
  );
  void accounts.follow();
  for (const loop of loops) void loop.run();
  return { keys: remoteKeys(context.settings.IDENTITY_URL), versions, accounts };
}

async function listenForMetrics(
  context: ServiceContext,
  source: SessionSource,
  metrics: Metrics,
): Promise<Listening | undefined> {
  if (context.settings.METRICS_PORT === 0) return undefined;
  const app = express()
    .disable('x-powered-by')
    .use(healthRoutes(context.db, source.versions, context.stopping));
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return listen(app, context.settings.HOST, context.settings.METRICS_PORT);
}
