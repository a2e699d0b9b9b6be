import { gracefully } from '@clinic/graceful-server';
import express from 'express';
import type { Gateway, GatewayOptions } from './gateway-options.ts';
import { healthOf } from './health.ts';
import { LoggedAddresses } from './logged-addresses.ts';
import { createMetrics } from './metrics.ts';
import { ownFile } from './pages/own-files.ts';
import { pageErrors } from './pages/page-errors.ts';
import { robotsOf, sitemapOf } from './pages/page-head.ts';
import { policyReports } from './pages/policy-reports.ts';
import { Site } from './pages/site.ts';
import { firebase } from './proxy/firebase.ts';
import { filesOf, filesOfRemotes } from './proxy/front-end-files.ts';
import { sendText } from './proxy/answers.ts';
import { onlyReading } from './proxy/request-rules.ts';
import { openServer } from './proxy/server.ts';
import { Upstreams } from './proxy/upstreams.ts';
import { Readiness } from './readiness.ts';
import { gatewayClaims } from './registry/gateway-segments.ts';
import { requestLog } from './request-log.ts';

/** The clinic's single entry point: forwards calls to services and file requests to shell and remotes, and serves pages from memory. */
export function createGateway({ pollEveryMs = 2000, ...options }: GatewayOptions): Gateway {
  const { settings, log, peers } = options;
  const workers = peers ? settings.WORKERS : 1;
  const metrics = createMetrics();
  const claims = gatewayClaims();
  const upstreams = new Upstreams({ ...options, claims, metrics: metrics.upstreams, everyMs: pollEveryMs / 2 });
  const { services, remotes, shell, emulator } = upstreams;
  const addresses = new LoggedAddresses(() => [...remotes.keys(), ...site.paths, ...services.paths]);
  const site = new Site({
    settings,
    claims,
    log,
    everyMs: pollEveryMs,
    onChange() {
      services.share();
      addresses.forget();
    },
  });
  services.onChange(() => site.share());
  peers?.agreeOn(claims, () => site.share());
  const readiness = new Readiness(() => site.ready);

  const app = express().enable('case sensitive routing').enable('strict routing').disable('x-powered-by');
  app.use(services.answer);
  app.use('/mf', filesOfRemotes(remotes));
  app.use('/shell', filesOf(shell));
  app.use('/favicon.ico', filesOf(shell, '/favicon.ico'));
  app.use(['/demo', '/identitytoolkit.googleapis.com', '/securetoken.googleapis.com'], firebase(emulator));
  app.use(
    '/page-errors',
    pageErrors(log, (path) => site.paths.includes(path), workers),
  );
  app.use(
    '/policy-reports',
    policyReports({ log, workers, pageAt: (path) => site.pageAt(path), ...metrics.policyReports }),
  );
  app.use(onlyReading);
  app.get('/health/live', (req, res) => sendText(req, res, 200, 'ok'));
  app.get('/health/ready', readiness.answer);
  app.get(
    '/registry.json',
    ownFile('application/json', () => JSON.stringify(site.published)),
  );
  app.get(
    '/sitemap.xml',
    ownFile('application/xml', () => sitemapOf(site.registry, settings.PUBLIC_URL)),
  );
  app.get(
    '/robots.txt',
    ownFile('text/plain', () => robotsOf(settings.PUBLIC_URL)),
  );
  app.use(site.answer);

  const { answerFromMemory } = services;
  const isStopping = (): boolean => readiness.stopping;
  const requests = requestLog({ ...options, metrics, upstreams, addresses });
  const server = openServer({ ...options, ...requests, isStopping, answerFromMemory, app });
  const closeServer = gracefully(server);
  return {
    server,
    metrics,
    health: () => healthOf(readiness, site, upstreams),
    async poll() {
      // Remotes first: a segment claimed by a page and a service goes to the page.
      await site.poll();
      await upstreams.poll();
    },
    async close() {
      await readiness.stop();
      site.stop();
      upstreams.prepareToStop();
      await closeServer();
      upstreams.destroy();
    },
  };
}
