import { publicationPath } from '@clinic/contracts/publication';
import express, { Router, type Express, type RequestHandler } from 'express';
import { Joining } from '../auth/joining.ts';
import { z } from 'zod';
import type { ServiceContext } from '../context.ts';
import { countExport } from '../database/daily-limits.ts';
import { contractRoutes, type AnyHandler } from './contract-router.ts';
import type { ServiceDefinition } from '../definition.ts';
import type { Watchers } from '@clinic/graceful-server';
import { healthRoutes } from './health.ts';
import { noteLooks } from '../history/note-looks.ts';
import { internalPath, internalSecret, requireInternalSecret } from '../auth/internal-calls.ts';
import { loggedAddresses, segmentsOfPaths } from '../observability/logged-address.ts';
import type { Metrics } from '../observability/metrics.ts';
import { addOutboxRoutes } from '../outbox/outbox-routes.ts';
import { problemAnswers, unknownAddress } from './problem-answers.ts';
import { publicationRoute } from './publication.ts';
import { requestLog } from '../observability/request-log.ts';
import { requestScope } from './request-scope.ts';
import { SessionVerifier, type SessionSource } from '../auth/session-verifier.ts';
import { cookiesAreSecure, type SettingsOf, type SettingsSpec } from '../settings/settings.ts';
import type { Tracing } from '../observability/tracing.ts';

/** Trusted proxies, whose X-Forwarded-For is used: the gateway is on this machine or in the same private network. */
const proxies = ['loopback', 'linklocal', 'uniquelocal'];

/** What an app needs besides its definition and context. */
export interface AppParts<Parts> {
  readonly source: SessionSource;
  /** What the service opened at start. */
  readonly parts: Parts;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  readonly watchers?: Watchers | undefined;
}

/** The Express app of a service. */
export function createApp<Name extends string, Spec extends SettingsSpec, Parts>(
  definition: ServiceDefinition<Name, Spec, Parts>,
  context: ServiceContext<SettingsOf<Spec>>,
  { source, parts, metrics, tracing, watchers }: AppParts<Parts>,
): Express {
  const app = express();
  // ETags cost a tenth of the throughput, and are useless for responses that are personal or always fresh.
  app.disable('etag').disable('x-powered-by').set('query parser', 'simple').set('trust proxy', proxies);
  const health = healthRoutes(context.db, source.versions, context.stopping, watchers);
  const { calls } = definition;
  const internal = internalRouter(definition, context, parts);
  const ownPaths = [
    ...Object.values(calls).map(({ path }) => path),
    ...(internal?.stack ?? []).map(({ route }) => route?.path ?? ''),
  ];
  const ownSegments = new Set(segmentsOfPaths(ownPaths));
  const loggedAddress = loggedAddresses(
    (segment) => ownSegments.has(segment),
    Object.values(calls).flatMap(({ query }) => (query instanceof z.ZodObject ? Object.keys(query.shape) : [])),
  );
  const begin = requestLog(context.log, metrics, tracing, loggedAddress);
  const { direct, router } = contractRoutes({
    service: definition.name,
    calls,
    handlers: definition.handlers(context, parts) as unknown as Readonly<Record<string, AnyHandler>>,
    sessions: new SessionVerifier(source, definition.name, cookiesAreSecure(context.settings), () =>
      context.log.warn(
        'accepted a session without an audience: a gateway or svc-identity of the previous release is still running',
      ),
    ),
    joining: definition.joinRecords && new Joining(context, definition.joinRecords(context), source.accounts),
    publicOrigins: context.settings.PUBLIC_ORIGINS,
    verifyIdToken: definition.verifyIdToken?.(context, parts),
    onRejection: definition.onRejection?.(context),
    guards: definition.guards?.(context, parts) ?? {},
    countExport: (account) => countExport(context, account),
    noteLooks: noteLooks(context),
    metrics,
  });
  // Fast path: most calls have a fixed address, and each layer of Express costs time.
  const answer: RequestHandler = (request, response, next) => {
    const call = direct.get(request.method)?.get(pathOf(request.url));
    if (call) void call(request, response, next);
    else next();
  };
  app.use((request, response, next) => {
    // While stopping, close each connection after its response.
    if (context.stopping.aborted) response.setHeader('Connection', 'close');
    // Polled every second by monitors: neither logged nor counted.
    if (request.url.startsWith('/health/') || request.url === publicationPath) next();
    else requestScope.run(begin(request, response), answer, request, response, next);
  });
  app.use(health, publicationRoute(definition.name, calls, context.settings));
  app.use(router);
  if (internal) app.use(internal);
  app.use(unknownAddress);
  app.use(problemAnswers(context.log));
  return app;
}

function internalRouter<Name extends string, Spec extends SettingsSpec, Parts>(
  { internalRoutes, outbox }: ServiceDefinition<Name, Spec, Parts>,
  context: ServiceContext<SettingsOf<Spec>>,
  parts: Parts,
): Router | undefined {
  if (!internalRoutes && !outbox) return undefined;
  const router = Router();
  const { settings, log } = context;
  router.use(internalPath, requireInternalSecret(internalSecret(settings), settings.INTERNAL_SECRET_OPTIONAL, log));
  internalRoutes?.(router, context, parts);
  if (outbox) addOutboxRoutes(router, context);
  return router;
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
