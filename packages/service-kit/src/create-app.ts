import { callsOf } from '@clinic/contracts/calls';
import express, { Router, type Express } from 'express';
import type { ServiceContext } from './context.ts';
import { contractRouter, type AnyHandler } from './contract-router.ts';
import type { ServiceDefinition } from './definition.ts';
import { healthRoutes } from './health.ts';
import type { Metrics } from './metrics.ts';
import { problemAnswers, unknownAddress } from './problem-answers.ts';
import { requestLog } from './request-log.ts';
import { SessionVerifier, type SessionSource } from './session-verifier.ts';
import { cookiesAreSecure, type SettingsOf, type SettingsSpec } from './settings.ts';

/** Addresses of proxies whose X-Forwarded-For counts: the gateway is on this machine or in the same private network. */
const proxies = ['loopback', 'linklocal', 'uniquelocal'];

/** The Express app of a service. */
export function createApp<Name extends string, Spec extends SettingsSpec>(
  definition: ServiceDefinition<Name, Spec>,
  context: ServiceContext<SettingsOf<Spec>>,
  source: SessionSource,
  metrics: Metrics,
): Express {
  const app = express();
  // ETags cost a tenth of the throughput and are of no use on answers that are personal or fresh.
  app.disable('etag').disable('x-powered-by').set('query parser', 'simple').set('trust proxy', proxies);
  const health = healthRoutes(context.db, source.versions, context.stopping);
  app.use((_request, response, next) => {
    // While stopping, each answer is the last one of its connection.
    if (context.stopping.aborted) response.setHeader('Connection', 'close');
    next();
  });
  app.use(health);
  app.use(requestLog(context.log, metrics));
  app.use(
    contractRouter({
      service: definition.name,
      calls: definition.calls ?? callsOf(definition.name),
      handlers: definition.handlers(context) as unknown as Readonly<Record<string, AnyHandler>>,
      sessions: new SessionVerifier(source, cookiesAreSecure(context.settings)),
      publicOrigins: context.settings.PUBLIC_ORIGINS,
      verifyIdToken: definition.verifyIdToken?.(context),
      onRefusal: definition.onRefusal?.(context),
      guards: definition.guards?.(context) ?? {},
    }),
  );
  if (definition.internalRoutes) {
    const router = Router();
    definition.internalRoutes(router, context);
    app.use(router);
  }
  app.use(unknownAddress);
  app.use(problemAnswers(context.log));
  return app;
}
