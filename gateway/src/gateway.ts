import type { Server } from 'node:http';
import { livePath } from '@clinic/contracts/live';
import { galleryPage, shellPages } from '@clinic/contracts/pages';
import { gracefully } from '@clinic/graceful-server';
import type { Tracing } from '@clinic/service-kit/tracing';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { healthOf, targetsOf, type OperatorsView } from './operators/operators-server.ts';
import { Deployments } from './deployments/deployments.ts';
import { LiveLines } from './live/live-lines.ts';
import { LoggedAddresses } from './server/logged-addresses.ts';
import { createMetrics } from './operators/metrics.ts';
import { ownFiles } from './pages/own-files.ts';
import { Site } from './pages/site.ts';
import { firebase, openEmulator, signInStart } from './proxy/firebase.ts';
import { filesOf, filesOfRemotes } from './files/front-end-files.ts';
import { HashedFiles } from './files/hashed-files.ts';
import { sendText } from './server/answers.ts';
import { Remembered } from './remembered.ts';
import { onlyReading } from './server/request-rules.ts';
import { openServer, type ServerOptions } from './server/server.ts';
import { LiveRegistry } from './registry/registry.ts';
import { Services } from './registry/services.ts';
import { Readiness } from './server/readiness.ts';
import { gatewayClaims } from './registry/gateway-segments.ts';
import { pageErrors } from './reports/page-errors.ts';
import { pageVisits } from './reports/page-visits.ts';
import { policyReports } from './reports/policy-reports.ts';
import { takeReports } from './reports/visitor-reports.ts';
import type { Resolve } from './replicas/resolve.ts';
import { requestLog } from './server/request-log.ts';
import type { GatewaySettings } from './settings.ts';

export interface GatewayOptions extends Pick<ServerOptions, 'headWithinMs' | 'requestWithinMs' | 'readWithinMs'> {
  readonly settings: GatewaySettings;
  readonly log: Logger;
  /** Milliseconds between polls of shell and remotes; services are polled twice as often. */
  readonly pollEveryMs?: number;
  /** Default time, in milliseconds, within which a service must start its response. */
  readonly answerWithinMs?: number;
  /** Milliseconds that visitors wait for a page as HTML, before they get it without. */
  readonly htmlWithinMs?: number;
  readonly resolve?: Resolve;
  /** Sends a trace of each request to a collector; none if tracing is off. */
  readonly tracing?: Tracing | undefined;
}

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
  const parts = openParts(options);
  const { settings } = options;
  const { metrics, services, deployments, emulator, readiness, lines } = parts;
  const called = [...services.all.map(({ upstream }) => upstream), emulator ?? []].flat();
  const upstreams = [...called, ...[...deployments.all.values()].map(({ upstream }) => upstream)];
  metrics.measure({ upstreams, lines, deployments });
  const app = routes(options, parts);
  const server = openServer({
    ...options,
    ...requestLog({ ...options, ...parts }),
    isStopping: () => readiness.stopping,
    // Calls go on without Express, which would cost them 5 % of their processor time.
    answer: (req, res, next) =>
      services.answer(req, res, () => app(req as express.Request, res as express.Response, next)),
  });
  const closeServer = gracefully(server);
  return {
    server,
    metrics,
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
      await deployments.stop();
      lines.stop();
      for (const upstream of upstreams) upstream.prepareToStop();
      await closeServer();
      for (const upstream of upstreams) upstream.destroy();
    },
  };
}

/** The routes by path, of all that isn't a service's. */
function routes({ settings, log }: GatewayOptions, parts: Parts): Express {
  const { metrics, services, deployments, emulator, files, registry, site, readiness, lines } = parts;
  const { remotes, shell } = deployments;
  const app = express().enable('case sensitive routing').enable('strict routing').disable('x-powered-by');
  app.use('/mf', filesOfRemotes(files, remotes));
  app.use('/shell', filesOf(files, shell.upstream));
  app.use('/favicon.ico', filesOf(files, shell.upstream, '/favicon.ico'));
  app.use(['/identitytoolkit.googleapis.com', '/securetoken.googleapis.com'], firebase(emulator));
  const reported = { log, metrics, registry, deployments };
  app.use('/page-errors', takeReports(pageErrors, reported));
  app.use('/page-visits', takeReports(pageVisits, reported));
  app.use('/policy-reports', takeReports(policyReports, reported));
  app.use(services.answerUnpublished);
  app.use(onlyReading);
  app.get(livePath, lines.answer);
  app.get('/health/live', (req, res) => sendText(req, res, 200, 'ok'));
  app.get('/health/ready', readiness.answer);
  app.use(ownFiles(site, registry, services, settings.PUBLIC_URL));
  app.use(site.answer);
  return app;
}

type Parts = ReturnType<typeof openParts>;

/** Creates and connects the parts that the routes need. */
function openParts({
  settings,
  log,
  pollEveryMs: everyMs = 2000,
  answerWithinMs,
  resolve,
  htmlWithinMs,
}: GatewayOptions) {
  const metrics = createMetrics();
  const claims = gatewayClaims();
  const remembered = new Remembered(settings.PUBLICATIONS_DIR, log);
  const upstream = { log, metrics, everyMs: everyMs / 2, answerWithinMs, resolve };
  const files = new HashedFiles();
  const services = new Services({ services: settings.SERVICES, claims, log, upstream, remembered });
  const deployments = new Deployments({
    settings,
    identity: services.all.find(({ name }) => name === 'identity')?.upstream.replicas,
    upstream: { ...upstream, sendFile: files.sendFile },
    remembered,
    everyMs,
    onChange: () => {
      files.clear();
      registry.claim();
    },
    log,
  });
  const registry = new LiveRegistry({
    remotes: deployments.remotes,
    // The design system's gallery is for development only.
    shellPages: settings.NODE_ENV === 'production' ? shellPages : [...shellPages, galleryPage],
    claims,
    demo: settings.DEMO_MODE,
    log,
    onChange: () => addresses.forget(),
  });
  services.onChange(() => registry.share());
  const addresses = new LoggedAddresses(() => [...deployments.remotes.keys(), ...registry.paths, ...services.paths]);
  const { AUTH_EMULATOR_URL } = settings;
  const emulator = AUTH_EMULATOR_URL === undefined ? undefined : openEmulator(AUTH_EMULATOR_URL, upstream);
  const signInStarted = signInStart(emulator);
  const lines = new LiveLines(services.streams);
  return {
    metrics,
    files,
    services,
    deployments,
    registry,
    addresses,
    emulator,
    lines,
    site: new Site({ settings, registry, services, deployments, htmlWithinMs, log }),
    readiness: new Readiness(() => deployments.shell.page !== undefined && signInStarted()),
  };
}
