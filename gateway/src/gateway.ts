import type { Server } from 'node:http';
import { gracefully } from '@clinic/graceful-server';
import type { Tracing } from '@clinic/service-kit/tracing';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { healthOf, targetsOf, type Health, type ScrapeTargets } from './operators/operators-server.ts';
import { Deployments } from './deployments/deployments.ts';
import { LiveLines } from './live/live-lines.ts';
import { LoggedAddresses } from './server/logged-addresses.ts';
import { createMetrics, type Metrics } from './operators/metrics.ts';
import { ownFiles } from './pages/own-files.ts';
import { Site } from './pages/site.ts';
import { firebase } from './proxy/firebase.ts';
import { filesOf, filesOfRemotes } from './files/front-end-files.ts';
import { sendText } from './server/answers.ts';
import { Remembered } from './remembered.ts';
import { onlyReading } from './server/request-rules.ts';
import { openServer, type ServerOptions } from './server/server.ts';
import { Upstreams } from './proxy/upstreams.ts';
import { Readiness } from './server/readiness.ts';
import { livePath } from '@clinic/contracts/live';
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

export interface Gateway {
  readonly server: Server;
  readonly metrics: Metrics;
  health(): Health;
  /** Where the services' replicas have their metrics. */
  readonly targets: () => readonly ScrapeTargets[];
  /** Polls services, shell and remotes now; otherwise they are polled every two seconds. */
  poll(): Promise<void>;
  /** Reports not ready, finishes requests in flight, and releases everything. */
  close(): Promise<void>;
}

/** Most live lines that a gateway holds; each has a stream from every service. */
const maxLines = 1000;

/**
 * The clinic's single entry point: forwards calls to services and file requests to shell and remotes, and serves pages
 * from memory.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const parts = openParts(options);
  const { settings } = options;
  const { metrics, upstreams, deployments, site, readiness, lines } = parts;
  const app = routes(options, parts);
  const server = openServer({
    ...options,
    ...requestLog({ ...options, ...parts }),
    isStopping: () => readiness.stopping,
    // Calls go on without Express, which would cost them 5 % of their processor time.
    answer: (req, res, next) =>
      upstreams.services.answer(req, res, () => app(req as express.Request, res as express.Response, next)),
  });
  const closeServer = gracefully(server);
  return {
    server,
    metrics,
    health: () => healthOf(readiness, site, deployments, upstreams),
    targets: () => targetsOf(upstreams, settings.METRICS_PORT),
    async poll() {
      // Remotes first: a segment claimed by a page and a service goes to the page.
      await deployments.poll();
      await upstreams.poll();
    },
    async close() {
      await readiness.stop();
      await deployments.stop();
      lines.stop();
      upstreams.prepareToStop();
      await closeServer();
      upstreams.destroy();
    },
  };
}

/** The routes by path, of all that isn't a service's. */
function routes(options: GatewayOptions, { metrics, upstreams, deployments, site, readiness, lines }: Parts): Express {
  const { settings, log } = options;
  const { services, remotes, shell, emulator, files } = upstreams;
  const pageAt = (path: string): string | undefined => site.pageAt(path);
  const app = express().enable('case sensitive routing').enable('strict routing').disable('x-powered-by');
  app.use('/mf', filesOfRemotes(files, remotes));
  app.use('/shell', filesOf(files, shell));
  app.use('/favicon.ico', filesOf(files, shell, '/favicon.ico'));
  app.use(['/identitytoolkit.googleapis.com', '/securetoken.googleapis.com'], firebase(emulator));
  app.use('/page-errors', takeReports(pageErrors({ log, site, deployments, counter: metrics.pageErrors }), log));
  app.use('/page-visits', takeReports(pageVisits({ deployments, metrics: metrics.pageVisits }), log));
  app.use('/policy-reports', takeReports(policyReports({ log, counter: metrics.policyReports, pageAt }), log));
  app.use(services.answerUnpublished);
  app.use(onlyReading);
  app.get(livePath, lines.answer);
  app.get('/health/live', (req, res) => sendText(req, res, 200, 'ok'));
  app.get('/health/ready', readiness.answer);
  app.use(ownFiles(site, services, settings.PUBLIC_URL));
  app.use(site.answer);
  return app;
}

type Parts = ReturnType<typeof openParts>;

/** Creates and connects the parts that the routes need. */
function openParts({ pollEveryMs: everyMs = 2000, ...options }: GatewayOptions) {
  const { settings, log } = options;
  const metrics = createMetrics();
  const claims = gatewayClaims();
  const remembered = new Remembered(settings.PUBLICATIONS_DIR, log);
  const upstreams = new Upstreams({ ...options, claims, remembered, metrics: metrics.upstreams, everyMs: everyMs / 2 });
  const { services, remotes } = upstreams;
  const addresses = new LoggedAddresses(() => [...remotes.keys(), ...site.paths, ...services.paths]);
  const onChange = (): void => {
    addresses.forget();
    upstreams.files.clear();
  };
  const deployments = new Deployments({ settings, remembered, everyMs, onChange: () => site.claim(), log });
  const site = new Site({
    settings,
    claims,
    upstreams,
    htmlWithinMs: options.htmlWithinMs,
    deployments,
    log,
    mayBeService: (segment) => services.mayOwn(segment),
    onChange,
  });
  services.onChange(() => site.share());
  const lines = new LiveLines({ sources: services.streams, most: maxLines });
  metrics.watchLines(lines);
  metrics.watchReleases(() => ['shell', ...remotes.keys()].map((name) => [name, deployments.noteOf(name)] as const));
  return {
    metrics,
    upstreams,
    addresses,
    deployments,
    site,
    lines,
    readiness: new Readiness(() => site.ready && upstreams.signInStarted),
  };
}
