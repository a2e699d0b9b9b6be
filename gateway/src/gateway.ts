import type { Server } from 'node:http';
import { livePath } from '@clinic/contracts/live';
import { defaultTimeoutSeconds } from '@clinic/contracts/publication';
import { gracefully } from '@clinic/graceful-server';
import express, { type Express } from 'express';
import type { Context, GatewayOptions } from './context.ts';
import { Deployments } from './deployments/deployments.ts';
import { FrontEndFiles } from './files/front-end-files.ts';
import { LiveLines } from './live/live-lines.ts';
import { createMetrics } from './operators/metrics.ts';
import { healthOf, targetsOf, type OperatorsView } from './operators/operators-server.ts';
import { generatedFiles } from './pages/generated-files.ts';
import { Site } from './pages/site.ts';
import { firebase, openEmulator, signInStart } from './proxy/firebase.ts';
import { RemoteRegistry } from './registry/registry.ts';
import { gatewayClaims } from './registry/segment-claims.ts';
import { Services } from './services/services.ts';
import { Remembered } from './remembered.ts';
import { pageErrors } from './reports/page-errors.ts';
import { pageVisits } from './reports/page-visits.ts';
import { policyReports } from './reports/policy-reports.ts';
import { takeReports } from './reports/visitor-reports.ts';
import { sendText } from './server/answers.ts';
import { setCommonHeaders } from './server/common-headers.ts';
import { addressLog } from './server/logged-addresses.ts';
import { Readiness } from './server/readiness.ts';
import { requestLog } from './server/request-log.ts';
import { onlyReading } from './server/request-rules.ts';
import { openServer } from './server/server.ts';

export interface Gateway extends OperatorsView {
  readonly server: Server;
  /** Polls services, shell and remotes now; otherwise every two seconds, services every second. */
  poll(): Promise<void>;
  /** Reports not ready, finishes requests in flight, and releases everything. */
  close(): Promise<void>;
}

/**
 * The clinic's single entry point: forwards calls to services and file requests to shell and remotes, and serves pages
 * from memory.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { settings, log } = options;
  const end = new AbortController();
  const context: Context = {
    pollEveryMs: 2000,
    answerWithinMs: defaultTimeoutSeconds * 1000,
    htmlWithinMs: 300,
    ...options,
    metrics: createMetrics(),
    remembered: new Remembered(settings.PUBLICATIONS_DIR, log),
    claims: gatewayClaims(),
    ended: end.signal,
  };
  const parts = openParts(context);
  const { services, deployments, registry, emulator, readiness, lines } = parts;
  const called = [...services.all.map(({ upstream }) => upstream), emulator ?? []].flat();
  const upstreams = [...called, ...[...deployments.all.values()].map(({ upstream }) => upstream)];
  context.metrics.measure({ upstreams, lines, deployments });
  const app = routes(context, parts);
  const server = openServer({
    ...options,
    begin: requestLog(context, deployments.all, addressLog(registry, deployments.remotes, services)),
    isStopping: () => readiness.stopping,
    // Calls go on without Express, which would cost them 5 % of their processor time.
    answer: (req, res, next) =>
      services.handle(req, res, () => app(req as express.Request, res as express.Response, next)),
  });
  const closeServer = gracefully(server);
  return {
    server,
    metrics: context.metrics,
    health: () => healthOf(readiness, deployments, services),
    targets: () => targetsOf(services, settings.METRICS_PORT),
    async poll() {
      // Remotes first: a segment claimed by a page and a service goes to the page.
      await deployments.poll();
      await Promise.all(called.map(({ replicas }) => replicas.poll()));
      await deployments.report();
    },
    async close() {
      await readiness.stop();
      await deployments.report(true);
      end.abort();
      await closeServer();
      for (const { replicas } of upstreams) replicas.destroy();
    },
  };
}

/** The routes by path, of all that isn't a service's. */
function routes({ settings, log, metrics }: Context, parts: Parts): Express {
  const { services, deployments, emulator, files, registry, site, readiness, lines } = parts;
  const { remotes, shell } = deployments;
  const app = express().enable('case sensitive routing').enable('strict routing').disable('x-powered-by');
  app.use('/mf', files.ofRemotes(remotes));
  app.use('/shell', files.of(shell.upstream));
  app.use('/favicon.ico', files.of(shell.upstream, '/favicon.ico'));
  app.use(['/identitytoolkit.googleapis.com', '/securetoken.googleapis.com'], firebase(emulator));
  // Forwarded responses get only those that their upstreams haven't set.
  app.use((req, res, next) => {
    setCommonHeaders(res, req);
    next();
  });
  const reported = { log, metrics, registry, frontEnds: deployments.all };
  app.use('/page-errors', takeReports(pageErrors, reported));
  app.use('/page-visits', takeReports(pageVisits, reported));
  app.use('/policy-reports', takeReports(policyReports, reported));
  app.use(services.answerUnpublished);
  app.use(onlyReading);
  app.get(livePath, lines.answer);
  app.get('/health/live', (req, res) => sendText(req, res, 200, 'ok'));
  app.get('/health/ready', readiness.answer);
  app.use(generatedFiles(site, registry, services, settings.PUBLIC_URL));
  app.use(site.answer);
  return app;
}

type Parts = ReturnType<typeof openParts>;

/** Creates and connects the parts that the routes need. */
function openParts(context: Context) {
  const { AUTH_EMULATOR_URL } = context.settings;
  const files = new FrontEndFiles();
  const services = new Services(context, () => registry.dropVariants());
  const identity = services.all.find(({ name }) => name === 'identity')?.upstream.replicas;
  const deployments = new Deployments(context, identity, () => {
    files.clear();
    registry.claim();
  });
  const registry = new RemoteRegistry(context, deployments.remotes);
  const emulator = AUTH_EMULATOR_URL === undefined ? undefined : openEmulator(context, AUTH_EMULATOR_URL);
  const signInStarted = signInStart(emulator);
  return {
    files,
    services,
    deployments,
    registry,
    emulator,
    lines: new LiveLines(services.streams, context.ended),
    site: new Site(context, { registry, services, deployments }),
    readiness: new Readiness(() => deployments.shell.page !== undefined && signInStarted()),
  };
}
