import { gracefully } from '@clinic/graceful-server';
import express, { type Express } from 'express';
import { traceFilter } from './browser-traces.ts';
import type { Gateway, GatewayOptions } from './gateway-options.ts';
import { healthOf, targetsOf } from './health.ts';
import { LiveLines } from './live/live-lines.ts';
import { LoggedAddresses } from './logged-addresses.ts';
import { createMetrics } from './metrics.ts';
import { ownFiles } from './pages/own-files.ts';
import { pageErrors } from './pages/page-errors.ts';
import { pageTraces } from './pages/page-traces.ts';
import { pageVisits } from './pages/page-visits.ts';
import { policyReports } from './pages/policy-reports.ts';
import { Site } from './pages/site.ts';
import { SourcePlaces } from './pages/sources/source-places.ts';
import { firebase } from './proxy/firebase.ts';
import { filesOf, filesOfRemotes } from './proxy/front-end-files.ts';
import { sendText } from './proxy/answers.ts';
import { onlyReading } from './proxy/request-rules.ts';
import { openServer } from './proxy/server.ts';
import { Upstreams } from './proxy/upstreams.ts';
import { Readiness } from './readiness.ts';
import { livePath } from '@clinic/contracts/live';
import { callAt } from './registry/call-at.ts';
import { gatewayClaims } from './registry/gateway-segments.ts';
import { requestLog } from './request-log.ts';
import { SignInStart } from './sign-in-start.ts';

/** Most live lines that a gateway holds; each has a stream from every service. */
const maxLines = 1000;

/**
 * The clinic's single entry point: forwards calls to services and file requests to shell and remotes, and serves pages
 * from memory.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const parts = openParts(options);
  const { settings } = options;
  const { metrics, upstreams, site, readiness, lines, sources, signIn } = parts;
  const { answerFromMemory } = upstreams.services;
  const isStopping = (): boolean => readiness.stopping;
  const server = openServer({
    ...options,
    ...requestLog({
      ...options,
      ...parts,
      filterTrace: traceFilter(settings.BROWSER_TRACES_SAMPLER_ARG, workersOf(options)),
    }),
    isStopping,
    answerFromMemory,
    app: routes(options, parts),
  });
  const closeServer = gracefully(server);
  return {
    server,
    metrics,
    health: () => healthOf(readiness, site, upstreams),
    targets: () => targetsOf(upstreams, settings.METRICS_PORT),
    async poll() {
      // Remotes first: a segment claimed by a page and a service goes to the page.
      await site.poll();
      await Promise.all([upstreams.poll(), signIn.poll()]);
    },
    async close() {
      await readiness.stop();
      await site.stop();
      signIn.stop();
      await sources.stop();
      lines.stop();
      upstreams.prepareToStop();
      await closeServer();
      await upstreams.destroy();
    },
  };
}

/** The routes by path. Services come first because they get most requests. */
function routes(options: GatewayOptions, { metrics, upstreams, site, readiness, lines, sources }: Parts): Express {
  const { settings, log, tracing } = options;
  const { services, remotes, shell, emulator, files } = upstreams;
  const shared = { log, workers: workersOf(options) };
  const pageAt = (path: string): string | undefined => site.pageAt(path);
  const app = express().enable('case sensitive routing').enable('strict routing').disable('x-powered-by');
  app.use(services.answer);
  app.use('/mf', filesOfRemotes(files, remotes));
  app.use('/shell', filesOf(files, shell));
  app.use('/favicon.ico', filesOf(files, shell, '/favicon.ico'));
  app.use(['/demo', '/identitytoolkit.googleapis.com', '/securetoken.googleapis.com'], firebase(emulator));
  app.use('/page-errors', pageErrors({ ...shared, site, sources, counter: metrics.pageErrors }));
  app.use('/page-visits', pageVisits({ ...shared, site, metrics: metrics.pageVisits }));
  app.use('/policy-reports', policyReports({ ...shared, ...metrics.policyReports, pageAt }));
  if (tracing && settings.BROWSER_TRACES_SAMPLER_ARG > 0)
    app.use(
      '/page-traces',
      pageTraces({ ...shared, tracing, pageAt, callAt: (method, path) => callAt(services, method, path) }),
    );
  app.use(services.answerUnpublished);
  app.use(onlyReading);
  app.get(livePath, lines.answer);
  app.get('/health/live', (req, res) => sendText(req, res, 200, 'ok'));
  app.get('/health/ready', readiness.answer);
  app.use(ownFiles(site, services, settings.PUBLIC_URL));
  app.use(site.answer);
  return app;
}

/** Processes that share the port and its limits. */
function workersOf({ settings, peers }: Pick<GatewayOptions, 'settings' | 'peers'>): number {
  return peers ? settings.WORKERS : 1;
}

type Parts = ReturnType<typeof openParts>;

/** Creates and connects the parts that the routes need. */
function openParts({ pollEveryMs: everyMs = 2000, ...options }: GatewayOptions) {
  const { settings, log, peers } = options;
  const metrics = createMetrics();
  const claims = gatewayClaims();
  const upstreams = new Upstreams({ ...options, claims, metrics: metrics.upstreams, everyMs: everyMs / 2 });
  const { services, remotes } = upstreams;
  const addresses = new LoggedAddresses(() => [...remotes.keys(), ...site.paths, ...services.paths]);
  const onChange = (): void => {
    services.share();
    addresses.forget();
    upstreams.files.clear();
  };
  const site = new Site({
    settings,
    claims,
    log,
    everyMs,
    mayBeService: (segment) => services.mayOwn(segment),
    onChange,
  });
  services.onChange(() => site.share());
  peers?.agreeOn(claims, () => site.share());
  const signIn = new SignInStart(settings, everyMs, log);
  const lines = new LiveLines({
    sources: services.streams,
    most: Math.ceil(maxLines / workersOf(options)),
  });
  metrics.watchLines(lines);
  metrics.watchReleases(() => ['shell', ...remotes.keys()].map((name) => [name, site.noteOf(name)] as const));
  const sources = new SourcePlaces({ ...Object.fromEntries(settings.REMOTES), shell: settings.SHELL_URL }, log);
  return {
    metrics,
    upstreams,
    addresses,
    site,
    lines,
    sources,
    readiness: new Readiness(() => site.ready && signIn.ready),
    signIn,
  };
}
