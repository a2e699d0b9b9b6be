import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { galleryPage, shellPages } from '@clinic/contracts/pages';
import { segmentsOf, type ServiceName } from '@clinic/contracts/routes';
import { redactUrl } from '@clinic/service-kit/log';
import type { Logger } from 'pino';
import { AddressBook } from './address-book.ts';
import { sendProblem, sendText } from './answers.ts';
import { firebaseSegments, handleFirebase } from './firebase.ts';
import { GatewayRequest } from './gateway-request.ts';
import { cleanRequestHeaders, originOf, pagePolicy, setCommonHeaders } from './headers.ts';
import { createMetrics, type Health, type Metrics } from './metrics.ts';
import { pageErrors, pageErrorsSegment } from './page-errors.ts';
import { pollFile } from './polled-file.ts';
import { withPublicLists } from './public-lists.ts';
import { robotsOf, sitemapOf } from './page-head.ts';
import { openRegistry } from './registry.ts';
import type { GatewaySettings } from './settings.ts';
import { ShellPage } from './shell-page.ts';
import { createUpstream, type FailureReason, type Upstream } from './upstream.ts';

/** What could be taken for another path by a server behind: dot segments, encoded slashes, backslashes, NUL. */
const trickyPath = /%2f|%5c|%00|\\|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/** What an address that may name a person has in it. */
const telling = /[?@%]/;

const failureTexts: Readonly<Record<FailureReason, string>> = {
  down: 'This part of the clinic does not answer. Please try again in a moment.',
  busy: 'Too many requests at once. Please try again in a moment.',
  slow: 'This part of the clinic takes too long to answer. Please try again in a moment.',
};

export interface Gateway {
  readonly server: Server;
  readonly metrics: Metrics;
  health(): Health;
  /** Asks shell and remotes for news now; else it happens every two seconds. */
  look(): Promise<void>;
  /** Stops asking; the server is closed by its owner. */
  stop(): void;
}

export interface GatewayOptions {
  readonly settings: GatewaySettings;
  readonly log: Logger;
  /** Milliseconds between looks at shell and remotes. */
  readonly lookEveryMs?: number;
  /** Milliseconds until a service must have begun its answer. */
  readonly answerWithinMs?: number;
}

/** The one door to the clinic: REST calls to their services, files to shell and remotes, pages from memory. */
export function createGateway({ settings, log, lookEveryMs = 2000, answerWithinMs }: GatewayOptions): Gateway {
  const emulated = settings.DEMO_MODE && settings.AUTH_EMULATOR_URL !== undefined;
  const metrics = createMetrics();
  const takePageError = pageErrors(log);

  const upstream = (name: string, targets: readonly string[], plainText = false): Upstream =>
    createUpstream({
      name, targets, answerWithinMs,
      changeOrigin: plainText,
      onFailure(req, res, reason, error) {
        log.warn({ upstream: name, reason, requestId: req.requestId, err: error }, 'no answer from upstream');
        if (plainText) sendText(req, res, 503, failureTexts[reason]);
        else sendProblem(req, res, 'unavailable', failureTexts[reason]);
      },
    });

  const targetsOf: Record<ServiceName, readonly string[]> = { identity: settings.IDENTITY_URL, clinic: settings.CLINIC_URL, pharmacy: settings.PHARMACY_URL };
  const services = new Map<string, { name: ServiceName; send: Upstream }>();
  for (const [name, targets] of Object.entries(targetsOf) as [ServiceName, readonly string[]][]) {
    let turn = 0;
    const nextTarget = (): string => targets[(turn = (turn + 1) % targets.length)] ?? '';
    const send = withPublicLists(name, nextTarget, upstream(name, targets));
    for (const segment of segmentsOf(name)) services.set(segment, { name, send });
  }
  const remotes = new Map([...settings.REMOTES].map(([name, url]) => [name, upstream(name, [url])]));
  const shellFiles = upstream('shell', [settings.SHELL_URL]);
  const emulator = emulated && settings.AUTH_EMULATOR_URL !== undefined ? upstream('auth-emulator', [settings.AUTH_EMULATOR_URL], true) : undefined;

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
    pagePolicy({ authDomain: emulated ? undefined : settings.FIREBASE_AUTH_DOMAIN, allowLocal: settings.REMOTE_OVERRIDES }),
    settings.PUBLIC_URL,
  );
  const ownSegments = ['mf', 'shell', 'registry.json', 'health', 'favicon.ico', 'robots.txt', 'sitemap.xml', pageErrorsSegment, ...firebaseSegments];
  const registry = openRegistry({
    remotes: settings.REMOTES,
    takenSegments: new Set([...services.keys(), ...ownSegments]),
    everyMs: lookEveryMs,
    log,
    onChange() {
      addresses = new AddressBook(registry.current(), ownPages);
      shellPage.forget();
    },
  });
  let addresses = new AddressBook(registry.current(), ownPages);
  const shellHtml = pollFile({ url: `${settings.SHELL_URL}/index.html`, everyMs: lookEveryMs, log, onChange: (html) => shellPage.setTemplate(html) });

  /** @returns who answers, for log and metrics */
  function route(req: GatewayRequest, res: ServerResponse): string {
    const url = req.url ?? '';
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (!path.startsWith('/') || trickyPath.test(path)) {
      sendProblem(req, res, 'malformed_request', 'Addresses have no dot segments and no encoded slashes.');
      return 'gateway';
    }
    // Whole first segments, compared exactly: `/medicine` must not take `/medicinestore`.
    const [, segment = '', second = ''] = path.split('/', 3);
    const service = services.get(segment);
    if (service) {
      service.send(req, res);
      return service.name;
    }
    switch (segment) {
      case 'mf': {
        const remote = remotes.get(second);
        if (!remote) {
          sendProblem(req, res, 'not_found');
          return 'gateway';
        }
        req.url = url.slice('/mf/'.length + second.length) || '/';
        remote(req, res);
        return second;
      }
      case 'shell':
        req.url = url.slice('/shell'.length) || '/';
        shellFiles(req, res);
        return 'shell';
      case pageErrorsSegment:
        takePageError(req, res);
        return 'gateway';
      case 'favicon.ico':
        shellFiles(req, res);
        return 'shell';
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
    if (path === '/health/ready') return sendText(req, res, shellPage.ready ? 200 : 503, shellPage.ready ? 'ok' : 'the shell has not been read yet');
    if (path === '/registry.json') return sendFile(req, res, 'application/json; charset=utf-8', JSON.stringify(registry.current()));
    if (path === '/sitemap.xml') return sendFile(req, res, 'application/xml', sitemapOf(registry.current(), settings.PUBLIC_URL));
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

  const server = createServer({ IncomingMessage: GatewayRequest, keepAliveTimeout: 65_000 }, (req, res) => {
    const started = performance.now();
    const { method = '', url = '' } = req;
    const given = req.headers['x-request-id'];
    req.requestId = typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
    cleanRequestHeaders(req, originOf(req, settings.TRUST_PROXY));
    const target = route(req, res);
    res.once('close', () => {
      const ms = performance.now() - started;
      metrics.observe(target, method, res.statusCode, ms / 1000);
      // Files are asked for by the dozen and say little.
      const level = remotes.has(target) || target === 'shell' ? 'debug' : 'info';
      const aborted = res.writableFinished ? undefined : true;
      log[level]({ requestId: req.requestId, method, url: telling.test(url) ? redactUrl(url) : url, status: res.statusCode, ms: Math.round(ms * 10) / 10, target, aborted }, 'request');
    });
  });

  return {
    server,
    metrics,
    health: () => ({
      ready: shellPage.ready,
      parts: { shell: shellPage.ready ? 'ok' : 'not read yet', ...Object.fromEntries([...remotes.keys()].map((name) => [name, registry.current().away.includes(name) ? 'not read yet' : 'ok'])) },
    }),
    look: async () => void (await Promise.all([registry.look(), shellHtml.look()])),
    stop() {
      registry.stop();
      shellHtml.stop();
    },
  };
}

function acceptsPages(req: GatewayRequest): boolean {
  const { accept } = req.headers;
  return accept === undefined || accept.includes('text/html') || accept.includes('*/*');
}

function sendFile(req: GatewayRequest, res: ServerResponse, type: string, body: string): void {
  setCommonHeaders(res, req);
  res.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-cache' });
  res.end(req.method === 'HEAD' ? undefined : body);
}
