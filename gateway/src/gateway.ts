import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { galleryPage, shellPages } from '@clinic/contracts/pages';
import type { Registry } from '@clinic/contracts/remotes';
import { gracefully, isBalancer, Watchers } from '@clinic/graceful-server';
import { lineWriter } from '@clinic/service-kit/log';
import type { Tracing } from '@clinic/service-kit/tracing';
import type { Logger } from 'pino';
import { AddressBook, type Address } from './address-book.ts';
import { sendProblem, sendText } from './answers.ts';
import { answerClientErrors, inTurn } from './client-errors.ts';
import type { Siblings } from './cluster/siblings.ts';
import { answerFailure } from './failures.ts';
import { firebasePaths, handleFirebase } from './firebase.ts';
import { GatewayRequest } from './gateway-request.ts';
import { cleanRequestHeaders, originOf, pagePolicies, policyReportsSegment, setCommonHeaders } from './headers.ts';
import { remoteState, replicaStates, serviceState } from './health.ts';
import { loggedAddresses, segmentsOfPaths } from '@clinic/service-kit/logged-address';
import { createMetrics, type Health, type Metrics } from './metrics.ts';
import { pageErrors, pageErrorsSegment } from './page-errors.ts';
import { policyReports } from './policy-reports.ts';
import { pollFile } from './polled-file.ts';
import { robotsOf, sitemapOf } from './page-head.ts';
import { openRegistry, pagesOwner } from './registry.ts';
import type { Resolve } from './replicas/resolve.ts';
import { refuseOddities } from './request-rules.ts';
import { SegmentClaims } from './segment-claims.ts';
import { Services } from './services.ts';
import type { GatewaySettings } from './settings.ts';
import { ShellPage } from './shell-page.ts';
import { Upstream } from './upstream.ts';

export interface Gateway {
  readonly server: Server;
  readonly metrics: Metrics;
  health(): Health;
  /** Asks services, shell and remotes for news now; else it happens every two seconds. */
  look(): Promise<void>;
  /** Says that it is not ready any more, finishes what is under way, and lets go of everything. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly settings: GatewaySettings;
  readonly log: Logger;
  /** Milliseconds between looks at shell and remotes; services are looked at twice as often. */
  readonly lookEveryMs?: number;
  /** Milliseconds until a service must have begun its answer, where it says nothing else. */
  readonly answerWithinMs?: number;
  /** Milliseconds that the head of a request, and all of it, may take to arrive. */
  readonly headWithinMs?: number;
  readonly requestWithinMs?: number;
  readonly resolve?: Resolve;
  /** Tells a collector of each request; none: nobody is told. */
  readonly tracing?: Tracing | undefined;
  /** The other workers, where this is one of `settings.WORKERS`. */
  readonly siblings?: Siblings | undefined;
}

/** Address parts that are nobody's but the gateway's; what has a dot in it no service can claim anyway. */
const ownSegments = ['demo', 'mf', 'shell', 'health', 'metrics', 'internal', 'registry', pageErrorsSegment, policyReportsSegment];

/** Addresses of the gateway's own, and of what front-ends have beside their hashed files; for the log. */
const ownPaths = [
  ...ownSegments, 'live', 'ready', 'registry.json', 'robots.txt', 'sitemap.xml', 'favicon.ico', 'favicon.svg', 'index.html', 'remote.json', 'assets', 'site.webmanifest', ...firebasePaths,
];

/** What our pages call a request that they may get no answer to (app-kit); anything else a client writes there isn't logged. */
const clientIds = /^[0-9a-f]{32}$/;

/** A file whose name holds a digest. */
const hashedFile = /^[\w-]{1,40}\.[0-9a-f]{16,32}\.\w{2,5}$/;

/** The one door to the clinic: REST calls to their services, files to shell and remotes, pages from memory. */
export function createGateway({ settings, log, tracing, lookEveryMs = 2000, answerWithinMs, headWithinMs = 10_000, requestWithinMs = 30_000, resolve, siblings }: GatewayOptions): Gateway {
  const emulated = settings.DEMO_MODE && settings.AUTH_EMULATOR_URL !== undefined;
  const metrics = createMetrics();
  const workers = siblings ? settings.WORKERS : 1;
  const takePageError = pageErrors(log, (path) => pagePaths().includes(path), workers);
  const takePolicyReports = policyReports({ log, workers, ...metrics.policyReports, pageAt: (path) => pageAt(addresses.find(path)) });
  const everyMs = lookEveryMs / 2;
  const shared = { log, everyMs, resolve, answerWithinMs, workers, metrics: metrics.upstreams, onFailure: answerFailure };

  const claims = new SegmentClaims();
  claims.claim('gateway', ownSegments);
  claims.claim(pagesOwner, shellPages.map((page) => page.split('/')[1] ?? ''));
  const services = new Services({ services: settings.SERVICES, claims, log, upstream: shared, siblings });
  const remotes = new Map([...settings.REMOTES].map(([name, urls]) => [name, new Upstream({ ...shared, name, urls, sendsFiles: true })]));
  const shellFiles = new Upstream({ ...shared, name: 'shell', urls: settings.SHELL_URL, sendsFiles: true });
  const emulator =
    emulated && settings.AUTH_EMULATOR_URL !== undefined
      ? new Upstream({ ...shared, name: 'auth-emulator', urls: [settings.AUTH_EMULATOR_URL], askReadiness: false, changeOrigin: true, onFailure: (req, res) => sendText(req, res, 503, 'The login service does not answer. Please try again in a moment.') })
      : undefined;
  const upstreams = [...services.all.map(({ upstream }) => upstream), ...remotes.values(), shellFiles, ...(emulator ? [emulator] : [])];

  const development = settings.NODE_ENV !== 'production';
  const ownPages = development ? [...shellPages, galleryPage] : shellPages;
  const shellPage = new ShellPage(
    {
      demoMode: settings.DEMO_MODE,
      emulator: emulated,
      firebase: { apiKey: settings.FIREBASE_API_KEY, authDomain: settings.FIREBASE_AUTH_DOMAIN, projectId: settings.FIREBASE_PROJECT_ID },
      clinicTimeZone: settings.CLINIC_TZ,
      remoteOverrides: settings.REMOTE_OVERRIDES,
      development,
    },
    pagePolicies({
      authDomain: emulated ? undefined : settings.FIREBASE_AUTH_DOMAIN, allowLocal: settings.REMOTE_OVERRIDES, remotes: [...settings.REMOTES.keys()],
      trustedTypes: settings.TRUSTED_TYPES ?? (emulated ? 'enforce' : 'report'),
    }),
    settings.PUBLIC_URL,
  );
  const registry = openRegistry({
    remotes: settings.REMOTES, shellPages: ownPages, claims, everyMs: lookEveryMs, log,
    onChange() {
      services.share();
      addresses = new AddressBook(registry.current(), ownPages);
      knownSegments = segments();
      shellPage.forget();
    },
  });
  let addresses = new AddressBook(registry.current(), ownPages);
  const pagePaths = (): string[] => [...ownPages, ...registry.current().remotes.flatMap(({ pages, redirects }) => [...pages.map(({ path }) => path), ...redirects.map(({ from }) => from)])];
  const segments = (): ReadonlySet<string> => new Set(segmentsOfPaths([...ownPaths, ...remotes.keys(), ...pagePaths(), ...services.all.flatMap(({ paths }) => paths)]));
  let knownSegments = segments();
  const loggedAddress = loggedAddresses((segment) => knownSegments.has(segment) || hashedFile.test(segment));
  services.onChange(() => registry.share());
  siblings?.agreeOn(claims, () => registry.share());
  const shellHtml = pollFile({ urls: settings.SHELL_URL.map((url) => `${url}/index.html`), everyMs: lookEveryMs, log, onChange: (html) => shellPage.setTemplate(html) });
  const watchers = new Watchers();
  let stopping = false;

  /** @returns who answers, for log and metrics */
  function route(req: GatewayRequest, res: ServerResponse): string {
    const url = req.url ?? '';
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (refuseOddities(req, res, path)) return 'gateway';
    const [, segment = '', second = ''] = path.split('/', 3);
    const service = services.find(segment);
    if (service) {
      service.send(req, res, path, segment);
      return service.name;
    }
    switch (segment) {
      case 'mf': {
        const remote = remotes.get(second);
        if (!remote) {
          sendProblem(req, res, 'not_found');
          return 'gateway';
        }
        sendFrontEndFile(remote, req, res, path.slice('/mf/'.length + second.length));
        return second;
      }
      case 'shell':
        sendFrontEndFile(shellFiles, req, res, path.slice('/shell'.length));
        return 'shell';
      case pageErrorsSegment:
        takePageError(req, res);
        return 'gateway';
      case policyReportsSegment:
        takePolicyReports(req, res);
        return 'gateway';
      case 'favicon.ico':
        sendFrontEndFile(shellFiles, req, res, path);
        return 'shell';
      case 'demo':
      case 'identitytoolkit.googleapis.com':
      case 'securetoken.googleapis.com':
        handleFirebase(req, res, path, emulator);
        return 'auth-emulator';
      default:
        answer(req, res, path, query === -1 ? '' : url.slice(query));
        return 'gateway';
    }
  }

  function answer(req: GatewayRequest, res: ServerResponse, path: string, search: string): void {
    if (req.method !== 'GET' && req.method !== 'HEAD') return sendProblem(req, res, 'method_not_allowed', undefined, { Allow: 'GET, HEAD' });
    if (path === '/health/live') return sendText(req, res, 200, 'ok');
    if (path === '/health/ready') {
      res.once('finish', () => watchers.asked(req, stopping));
      // The balancer takes 404 for leaving, and 503 for failing, which it believes the third time only (docker/balancer/haproxy.cfg).
      const leaving = stopping && isBalancer(req);
      return sendText(req, res, isReady() ? 200 : leaving ? 404 : 503, stopping ? 'stopping' : isReady() ? 'ok' : 'the shell has not been read yet');
    }
    if (path === '/registry.json') return sendFile(req, res, 'application/json; charset=utf-8', JSON.stringify({ ...registry.current(), shell: shellPage.version } satisfies Registry));
    if (path === '/sitemap.xml') return sendFile(req, res, 'application/xml; charset=utf-8', sitemapOf(registry.current(), settings.PUBLIC_URL));
    if (path === '/robots.txt') return sendFile(req, res, 'text/plain; charset=utf-8', robotsOf(settings.PUBLIC_URL));
    const address = addresses.find(path);
    if (address.kind === 'redirect') {
      setCommonHeaders(res, req);
      res.writeHead(302, { Location: address.to + search, 'Cache-Control': 'no-cache' }).end();
      return;
    }
    if (address.kind === 'unknown' && !acceptsPages(req)) return sendProblem(req, res, 'not_found');
    if (!shellPage.ready) return sendText(req, res, 503, 'The clinic is starting. Please try again in a moment.');
    shellPage.send(req, res, address, registry.current());
  }

  const writeLine = lineWriter(log);
  const isReady = (): boolean => shellPage.ready && !stopping;
  const handle = (req: GatewayRequest, res: ServerResponse): void => {
    const started = performance.now();
    const { method = '', url = '' } = req;
    const given = req.headers['x-request-id'];
    // Always one of ours: it goes into the history of records, where a client must not choose it.
    req.requestId = randomUUID();
    // While stopping, each answer is the last one of its connection.
    if (stopping) res.shouldKeepAlive = false;
    const span = tracing?.serve(method, req.headers);
    cleanRequestHeaders(req, originOf(req, settings.TRUST_PROXY || settings.BEHIND_BALANCER, settings.PUBLIC_URL));
    // Before it is known who answers: the trace goes on in the headers that are sent.
    const sent = span?.call('send', req.headers);
    const target = route(req, res);
    res.once('close', () => {
      const ms = performance.now() - started;
      metrics.observe(target, method, res.statusCode, ms / 1000);
      if (target !== 'gateway') sent?.end(res.statusCode, `send ${target}`);
      span?.end(`${method} ${target}`, res.statusCode, { 'clinic.request_id': req.requestId, 'clinic.target': target });
      // Files are asked for by the dozen and say little.
      const level = remotes.has(target) || target === 'shell' ? 'debug' : 'info';
      const aborted = res.writableFinished ? undefined : true;
      const replica = req.exchange?.replica?.name;
      const line = { requestId: req.requestId, clientRequestId: typeof given === 'string' && clientIds.test(given) ? given : undefined, method, url: loggedAddress(url), status: res.statusCode, ms: Math.round(ms * 10) / 10, target, replica, trace: span?.traceId, aborted };
      if (level === 'debug') log.debug(line, 'request');
      else writeLine('info', JSON.stringify(line).slice(1, -1), 'request');
    });
  };
  const server = createServer(
    // A missing Host is refused by `refuseOddities`: Node would answer without our headers, and without a code.
    { IncomingMessage: GatewayRequest, requireHostHeader: false, keepAliveTimeout: 65_000, headersTimeout: headWithinMs, requestTimeout: requestWithinMs, connectionsCheckingInterval: Math.min(1000, headWithinMs) },
    inTurn(handle),
  );
  server.on('checkContinue', (req: GatewayRequest, res: ServerResponse) => {
    req.expectsContinue = true;
    server.emit('request', req, res);
  });
  // Node would answer 417 bare: without our headers, and without a code.
  server.on('checkExpectation', (req: GatewayRequest, res: ServerResponse) => {
    req.requestId = randomUUID();
    sendProblem(req, res, 'malformed_request', 'Nothing but 100-continue can be expected.');
  });
  answerClientErrors(server, log);
  const closeServer = gracefully(server);

  return {
    server,
    metrics,
    health: () => ({
      ready: isReady(),
      parts: {
        gateway: stopping ? 'stopping' : 'ok',
        shell: `${shellPage.ready ? 'ok' : 'not read yet'}; ${replicaStates(shellFiles)}`,
        ...Object.fromEntries([...remotes].map(([name, upstream]) => [name, remoteState(registry.current(), name, upstream)])),
        ...Object.fromEntries(services.all.map((service) => [service.name, serviceState(service, services.refused.get(service.name))])),
      },
    }),
    async look() {
      // What both claim is a page's: remotes first.
      await Promise.all([registry.look(), shellHtml.look()]);
      await Promise.all(upstreams.map(({ replicas }) => replicas.lookAgain()));
    },
    async close() {
      stopping = true;
      await watchers.haveHeard();
      for (const one of [registry, shellHtml, services]) one.stop();
      for (const upstream of upstreams) upstream.prepareToStop();
      await closeServer();
      await Promise.all(upstreams.map((upstream) => upstream.destroy()));
    },
  };
}

/** @param path - below the front-end's folder; no file depends on a query, which may say something about the visitor */
function sendFrontEndFile(upstream: Upstream, req: GatewayRequest, res: ServerResponse, path: string): void {
  if (req.method !== 'GET' && req.method !== 'HEAD') return sendProblem(req, res, 'method_not_allowed', undefined, { Allow: 'GET, HEAD' });
  req.url = path || '/';
  upstream.send(req, res);
}

function pageAt(address: Address): string | undefined {
  if (address.kind === 'page') return address.page.path;
  return address.kind === 'shell' ? address.path : undefined;
}

function acceptsPages(req: GatewayRequest): boolean {
  const { accept } = req.headers;
  return accept === undefined || accept.includes('text/html') || accept.includes('*/*');
}

/** A small file, which is made anew each time; who has it already is told so. */
function sendFile(req: GatewayRequest, res: ServerResponse, type: string, body: string): void {
  setCommonHeaders(res, req);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = { 'Cache-Control': 'no-cache', ETag: etag };
  if (req.headers['if-none-match']?.includes(etag)) {
    res.writeHead(304, headers).end();
    return;
  }
  res.writeHead(200, { ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
  res.end(req.method === 'HEAD' ? undefined : body);
}
