import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { galleryPage, shellPages } from '@clinic/contracts/pages';
import type { Registry } from '@clinic/contracts/remotes';
import { gracefully, isBalancer, Watchers } from '@clinic/graceful-server';
import { lineWriter } from '@clinic/service-kit/log';
import type { Tracing } from '@clinic/service-kit/tracing';
import type { Logger } from 'pino';
import { AddressBook, type Address } from './pages/address-book.ts';
import { sendProblem, sendText } from './proxy/answers.ts';
import { answerClientErrors, inTurn } from './proxy/client-errors.ts';
import type { Peers } from './cluster/peers.ts';
import { answerFailure } from './proxy/failures.ts';
import { firebasePaths, handleFirebase } from './proxy/firebase.ts';
import { GatewayRequest } from './proxy/gateway-request.ts';
import { pagePolicies, policyReportsSegment, setCommonHeaders } from './proxy/headers.ts';
import { remoteState, replicaStates, serviceState } from './health.ts';
import { loggedAddresses, segmentsOfPaths } from '@clinic/service-kit/logged-address';
import { createMetrics, type Health, type Metrics } from './metrics.ts';
import { pageErrors, pageErrorsSegment } from './pages/page-errors.ts';
import { policyReports } from './pages/policy-reports.ts';
import { pollFile } from './registry/polled-file.ts';
import { robotsOf, sitemapOf } from './pages/page-head.ts';
import { openRegistry, pagesOwner } from './registry/registry.ts';
import type { Resolve } from './replicas/resolve.ts';
import { originOf } from './proxy/origin.ts';
import { rejectMalformed } from './proxy/request-rules.ts';
import { SegmentClaims } from './registry/segment-claims.ts';
import { Services } from './registry/services.ts';
import type { GatewaySettings } from './settings.ts';
import { ShellPage } from './pages/shell-page.ts';
import { Upstream } from './proxy/upstream.ts';

export interface Gateway {
  readonly server: Server;
  readonly metrics: Metrics;
  health(): Health;
  /** Polls services, shell and remotes now; otherwise they are polled every two seconds. */
  look(): Promise<void>;
  /** Reports not ready, finishes requests in flight, and releases everything. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly settings: GatewaySettings;
  readonly log: Logger;
  /** Milliseconds between polls of shell and remotes; services are polled twice as often. */
  readonly pollEveryMs?: number;
  /** Default time, in milliseconds, within which a service must start its response. */
  readonly answerWithinMs?: number;
  /** Milliseconds allowed for the headers of a request to arrive, and for all of it. */
  readonly headWithinMs?: number;
  readonly requestWithinMs?: number;
  readonly resolve?: Resolve;
  /** Sends a trace of each request to a collector; none if tracing is off. */
  readonly tracing?: Tracing | undefined;
  /** The other workers, if this process is one of `settings.WORKERS`. */
  readonly peers?: Peers | undefined;
}

/** First segments reserved for the gateway; services can't claim any with a dot in it. */
const ownSegments = [
  'demo',
  'mf',
  'shell',
  'health',
  'metrics',
  'internal',
  'registry',
  pageErrorsSegment,
  policyReportsSegment,
];

/** The gateway's own addresses, and front-end files without a hash in their name, which the log may show. */
const ownPaths = [
  ...ownSegments,
  'live',
  'ready',
  'registry.json',
  'robots.txt',
  'sitemap.xml',
  'favicon.ico',
  'favicon.svg',
  'index.html',
  'remote.json',
  'assets',
  'site.webmanifest',
  ...firebasePaths,
];

/** Request ids set by our pages (app-kit), for requests that may get no response; anything else a client sends isn't logged. */
const clientIds = /^[0-9a-f]{32}$/;

/** A file with a digest in its name. */
const hashedFile = /^[\w-]{1,40}\.[0-9a-f]{16,32}\.\w{2,5}$/;

/** The clinic's single entry point: forwards REST calls to services and file requests to shell and remotes, and serves pages from memory. */
export function createGateway({
  settings,
  log,
  tracing,
  pollEveryMs = 2000,
  answerWithinMs,
  headWithinMs = 10_000,
  requestWithinMs = 30_000,
  resolve,
  peers,
}: GatewayOptions): Gateway {
  const emulated = settings.DEMO_MODE && settings.AUTH_EMULATOR_URL !== undefined;
  const metrics = createMetrics();
  const workers = peers ? settings.WORKERS : 1;
  const takePageError = pageErrors(log, (path) => pagePaths().includes(path), workers);
  const takePolicyReports = policyReports({
    log,
    workers,
    ...metrics.policyReports,
    pageAt: (path) => pageAt(addresses.find(path)),
  });
  const everyMs = pollEveryMs / 2;
  const shared = {
    log,
    everyMs,
    resolve,
    answerWithinMs,
    workers,
    metrics: metrics.upstreams,
    onFailure: answerFailure,
  };

  const claims = new SegmentClaims();
  claims.claim('gateway', ownSegments);
  claims.claim(
    pagesOwner,
    shellPages.map((page) => page.split('/')[1] ?? ''),
  );
  const services = new Services({ services: settings.SERVICES, claims, log, upstream: shared, peers });
  const remotes = new Map(
    [...settings.REMOTES].map(([name, urls]) => [name, new Upstream({ ...shared, name, urls, sendsFiles: true })]),
  );
  const shellFiles = new Upstream({ ...shared, name: 'shell', urls: settings.SHELL_URL, sendsFiles: true });
  const emulator =
    emulated && settings.AUTH_EMULATOR_URL !== undefined
      ? new Upstream({
          ...shared,
          name: 'auth-emulator',
          urls: [settings.AUTH_EMULATOR_URL],
          pollReadiness: false,
          changeOrigin: true,
          onFailure: (req, res) =>
            sendText(req, res, 503, 'The login service does not answer. Please try again in a moment.'),
        })
      : undefined;
  const upstreams = [
    ...services.all.map(({ upstream }) => upstream),
    ...remotes.values(),
    shellFiles,
    ...(emulator ? [emulator] : []),
  ];

  const development = settings.NODE_ENV !== 'production';
  const ownPages = development ? [...shellPages, galleryPage] : shellPages;
  const shellPage = new ShellPage(
    {
      demoMode: settings.DEMO_MODE,
      emulator: emulated,
      firebase: {
        apiKey: settings.FIREBASE_API_KEY,
        authDomain: settings.FIREBASE_AUTH_DOMAIN,
        projectId: settings.FIREBASE_PROJECT_ID,
      },
      clinicTimeZone: settings.CLINIC_TZ,
      remoteOverrides: settings.REMOTE_OVERRIDES,
      development,
    },
    pagePolicies({
      authDomain: emulated ? undefined : settings.FIREBASE_AUTH_DOMAIN,
      allowLocal: settings.REMOTE_OVERRIDES,
      remotes: [...settings.REMOTES.keys()],
      trustedTypes: settings.TRUSTED_TYPES ?? (emulated ? 'enforce' : 'report'),
    }),
    settings.PUBLIC_URL,
  );
  const registry = openRegistry({
    remotes: settings.REMOTES,
    shellPages: ownPages,
    claims,
    everyMs: pollEveryMs,
    log,
    onChange() {
      services.share();
      addresses = new AddressBook(registry.current(), ownPages);
      knownSegments = segments();
      shellPage.forget();
    },
  });
  let addresses = new AddressBook(registry.current(), ownPages);
  const pagePaths = (): string[] => [
    ...ownPages,
    ...registry
      .current()
      .remotes.flatMap(({ pages, redirects }) => [
        ...pages.map(({ path }) => path),
        ...redirects.map(({ from }) => from),
      ]),
  ];
  const segments = (): ReadonlySet<string> =>
    new Set(
      segmentsOfPaths([...ownPaths, ...remotes.keys(), ...pagePaths(), ...services.all.flatMap(({ paths }) => paths)]),
    );
  let knownSegments = segments();
  const loggedAddress = loggedAddresses((segment) => knownSegments.has(segment) || hashedFile.test(segment));
  services.onChange(() => registry.share());
  peers?.agreeOn(claims, () => registry.share());
  const shellHtml = pollFile({
    urls: settings.SHELL_URL.map((url) => `${url}/index.html`),
    everyMs: pollEveryMs,
    log,
    onChange: (html) => shellPage.setTemplate(html),
  });
  const watchers = new Watchers();
  let stopping = false;

  /** @returns the target, for log and metrics */
  function route(req: GatewayRequest, res: ServerResponse): string {
    const url = req.url ?? '';
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (rejectMalformed(req, res, path)) return 'gateway';
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
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return sendProblem(req, res, 'method_not_allowed', undefined, { Allow: 'GET, HEAD' });
    if (path === '/health/live') return sendText(req, res, 200, 'ok');
    if (path === '/health/ready') {
      res.once('finish', () => watchers.asked(req, stopping));
      // To the balancer 404 means shutting down; 503 means failing, which takes three checks to count (docker/balancer/haproxy.cfg).
      const leaving = stopping && isBalancer(req);
      return sendText(
        req,
        res,
        isReady() ? 200 : leaving ? 404 : 503,
        stopping ? 'stopping' : isReady() ? 'ok' : 'the shell has not been read yet',
      );
    }
    if (path === '/registry.json')
      return sendFile(
        req,
        res,
        'application/json; charset=utf-8',
        JSON.stringify({ ...registry.current(), shell: shellPage.version } satisfies Registry),
      );
    if (path === '/sitemap.xml')
      return sendFile(req, res, 'application/xml; charset=utf-8', sitemapOf(registry.current(), settings.PUBLIC_URL));
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
    // Always generated here: it is stored in the history of records, so a client must not choose it.
    req.requestId = randomUUID();
    // While stopping, every response closes its connection.
    if (stopping) res.shouldKeepAlive = false;
    const span = tracing?.serve(method, req.headers);
    req.origin = originOf(req, settings.TRUST_PROXY || settings.BEHIND_BALANCER, settings.PUBLIC_URL);
    // Started before the target is known, because the forwarded headers carry the trace.
    const sent = span?.call('send', req.headers);
    const target = route(req, res);
    res.once('close', () => {
      const ms = performance.now() - started;
      metrics.observe(target, method, res.statusCode, ms / 1000);
      if (target !== 'gateway') sent?.end(res.statusCode, `send ${target}`);
      span?.end(`${method} ${target}`, res.statusCode, { 'clinic.request_id': req.requestId, 'clinic.target': target });
      // Pages load files by the dozen, and they tell us little.
      const level = remotes.has(target) || target === 'shell' ? 'debug' : 'info';
      const aborted = res.writableFinished ? undefined : true;
      const replica = req.proxied?.replica?.name;
      const line = {
        requestId: req.requestId,
        clientRequestId: typeof given === 'string' && clientIds.test(given) ? given : undefined,
        method,
        url: loggedAddress(url),
        status: res.statusCode,
        ms: Math.round(ms * 10) / 10,
        target,
        replica,
        trace: span?.traceId,
        aborted,
      };
      if (level === 'debug') log.debug(line, 'request');
      else writeLine('info', JSON.stringify(line).slice(1, -1), 'request');
    });
  };
  const server = createServer(
    // `rejectMalformed` handles a missing Host: Node's own response would lack our headers and a problem code.
    {
      IncomingMessage: GatewayRequest,
      requireHostHeader: false,
      keepAliveTimeout: 65_000,
      headersTimeout: headWithinMs,
      requestTimeout: requestWithinMs,
      connectionsCheckingInterval: Math.min(1000, headWithinMs),
    },
    inTurn(handle),
  );
  server.on('checkContinue', (req: GatewayRequest, res: ServerResponse) => {
    req.expectsContinue = true;
    server.emit('request', req, res);
  });
  // Node's own 417 would lack our headers and a problem code.
  server.on('checkExpectation', (req: GatewayRequest, res: ServerResponse) => {
    req.requestId = randomUUID();
    req.origin = originOf(req, settings.TRUST_PROXY || settings.BEHIND_BALANCER, settings.PUBLIC_URL);
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
        ...Object.fromEntries(
          [...remotes].map(([name, upstream]) => [name, remoteState(registry.current(), name, upstream)]),
        ),
        ...Object.fromEntries(
          services.all.map((service) => [service.name, serviceState(service, services.refused.get(service.name))]),
        ),
      },
    }),
    async look() {
      // Remotes first: a segment claimed by a page and a service goes to the page.
      await Promise.all([registry.poll(), shellHtml.poll()]);
      await Promise.all(upstreams.map(({ replicas }) => replicas.pollAll()));
    },
    async close() {
      stopping = true;
      await watchers.haveHeard();
      for (const one of [registry, shellHtml, services]) one.stop();
      for (const upstream of upstreams) upstream.prepareToStop();
      await closeServer();
      for (const upstream of upstreams) upstream.destroy();
    },
  };
}

/** @param path - below the front-end's folder; the query is dropped, as no file depends on it and it may say something about the visitor */
function sendFrontEndFile(upstream: Upstream, req: GatewayRequest, res: ServerResponse, path: string): void {
  if (req.method !== 'GET' && req.method !== 'HEAD')
    return sendProblem(req, res, 'method_not_allowed', undefined, { Allow: 'GET, HEAD' });
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

/** Sends a small generated file, or 304 if the ETag matches. */
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
