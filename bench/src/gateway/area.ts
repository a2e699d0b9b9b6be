import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import getPort from 'get-port';
import { MongoClient } from 'mongodb';
import { startTestIssuer } from '@clinic/service-kit/testing/issuer';
import type { Area, AreaContext } from '../support/area.ts';
import { serviceOptions, startProgram, type Program, type ProgramOptions } from '../support/program.ts';
import { startDatabase } from '../support/database.ts';
import { atLeast, type Figure, type Row } from '../support/results.ts';
import {
  alternate,
  cpuPerRequest,
  perSecond,
  throughputRatio,
  type Candidate,
  type RoundOptions,
  type Sample,
} from '../support/rounds.ts';
import { doctor } from '../scale/records.ts';
import { findNginx, nginxCommand, type NginxPlan } from './nginx.ts';

/** For internal calls. */
const secret = 'secret-of-the-internal-calls-in-benches';

/** The same number as when the targets were set. */
const connections = 32;

/** A path whose response isn't cached. */
const oneDoctor = { path: '/doctors/68a0000000000000000000aa/free-days?from=2026-11-24&until=2026-11-30' };
const doctors = '/doctors?limit=50';
const appointments = '/appoinments?limit=50';

/** Headers that node:http sets itself. */
const ofConnection = new Set(['connection', 'keep-alive', 'date']);

const root = path.join(import.meta.dirname, '..', '..', '..');
const answers = (samples: readonly Sample[]): Figure => ({ value: perSecond(samples), unit: 'requests/s' });
const cpuTimes = (ours: readonly Sample[], peer: readonly Sample[]): string =>
  `processor time for a request ${cpuPerRequest(ours).toFixed(0)} µs, the peer's ${cpuPerRequest(peer).toFixed(0)} µs`;

/** Starts the candidates. */
class Starter {
  readonly #context: AreaContext;
  readonly folder = mkdtempSync(path.join(tmpdir(), 'clinic-bench-gateway-'));
  readonly nginx: ReturnType<typeof findNginx>;

  constructor(context: AreaContext) {
    this.#context = context;
    this.nginx = findNginx(context.say);
    context.after(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  async node(file: string, env: Record<string, string>, options: Partial<ProgramOptions> = {}): Promise<Program> {
    const program = await startProgram(path.join(root, file), await getPort({ host: '127.0.0.1' }), {
      ...options,
      env: { NODE_ENV: 'production', ...env },
    });
    this.#context.after(() => program.stop());
    return program;
  }

  gateway(service: string, remote: string, env: Record<string, string> = {}): Promise<Program> {
    const firebase = { FIREBASE_API_KEY: 'none', FIREBASE_AUTH_DOMAIN: 'none.example', FIREBASE_PROJECT_ID: 'none' };
    return this.node(
      'gateway/src/main.ts',
      {
        SERVICES: `clinic=${service}`,
        SHELL_URL: service,
        REMOTES: `mf-bench=${remote}`,
        LOG_LEVEL: 'info',
        ...firebase,
        ...env,
      },
      { nodeOptions: serviceOptions },
    );
  }

  async proxy(name: string, plan: NginxPlan): Promise<Program | undefined> {
    if (this.nginx.path === undefined) return undefined;
    const port = await getPort({ host: '127.0.0.1' });
    const program = await startProgram('', port, {
      command: nginxCommand(this.nginx.path, path.join(this.folder, name), port, plan),
    });
    this.#context.after(() => program.stop());
    return program;
  }
}

export const gateway: Area = {
  name: 'gateway',
  title: 'What the gateway costs',
  within: 300,
  async run(context) {
    const starter = new Starter(context);
    const rounds = Math.max(2, Math.round(10 * context.effort));
    const options = { rounds, seconds: Math.max(0.3, 0.7 * context.effort), connections };
    const files = await staticFiles(starter);
    const cheap = await starter.node('bench/src/gateway/cheap-service.ts', {});
    const remarks: string[] = [];
    const rows = [
      ...(await compareWithProxies(starter, cheap.url, files.server.url, options)),
      ...(await beforeService(context, starter, files.server.url, options)),
      ...(await staticRows(files, await starter.gateway(cheap.url, files.server.url), options)),
    ];
    if (starter.nginx.reason) remarks.push(`Not compared with nginx: ${starter.nginx.reason}.`);
    return {
      how: `${connections} connections, ${rounds} alternating rounds of ${options.seconds} s. The gateway with its log, metrics, request ids and security headers; nginx with one worker and its access log; the bare library is http-proxy-middleware on Express as in its manual.`,
      rows,
      remarks,
    };
  },
};

async function compareWithProxies(
  starter: Starter,
  cheap: string,
  remote: string,
  options: RoundOptions,
): Promise<Row[]> {
  const ours = await starter.gateway(cheap, remote);
  const bare = await starter.node('bench/src/gateway/bare-proxy.ts', { TARGET: cheap });
  const nginx = await starter.proxy('cheap', { upstream: cheap });
  const two = await starter.gateway(cheap, remote, { WORKERS: '2' });
  const candidate = (program: Program): Candidate => ({ program, question: oneDoctor });
  const found = await alternate(
    { bare: candidate(bare), ours: candidate(ours), two: candidate(two), nginx: nginx && candidate(nginx) },
    options,
  );
  const { nginx: ofNginx } = found;
  const rows: Row[] = [
    {
      what: '2 KB from a cheap service, compared with bare http-proxy-middleware',
      ours: answers(found.ours),
      peer: answers(found.bare),
      judged: atLeast(throughputRatio(found.ours, found.bare), 0.85),
      note: `${cpuTimes(found.ours, found.bare)}; the goal is 1.0`,
      chart: 'gateway / bare proxy library',
    },
  ];
  if (ofNginx) {
    const ratio = throughputRatio(found.ours, ofNginx);
    rows.push({
      what: 'the same, compared with nginx',
      ours: answers(found.ours),
      peer: answers(ofNginx),
      judged: atLeast(ratio, 0.14),
      chart: 'gateway / nginx',
      note: `${cpuTimes(found.ours, ofNginx)}; the goal is 0.24`,
    });
  }
  rows.push(twoWorkers(found.two, found.ours));
  return rows;
}

/** Processors needed to see the effect of a second worker: its own, the first one's, the service's, and ours. */
const processorsForTwo = 4;

function twoWorkers(two: readonly Sample[], one: readonly Sample[]): Row {
  const shown = { what: 'the same with two workers, compared with one', ours: answers(two), peer: answers(one) };
  const processors = availableParallelism();
  if (processors >= processorsForTwo)
    return { ...shown, judged: atLeast(throughputRatio(two, one), 1.6), chart: 'two workers / one' };
  return {
    ...shown,
    note: `not judged: gateway, service and load share ${processors} processors here, and a second worker has none of its own`,
  };
}

async function beforeService(
  context: AreaContext,
  starter: Starter,
  remote: string,
  options: RoundOptions,
): Promise<Row[]> {
  const database = await startDatabase(path.join(starter.folder, 'mongo'));
  context.after(() => database.stop());
  const issuer = await startTestIssuer(secret, ['identity', 'clinic', 'pharmacy']);
  context.after(() => issuer.close());
  const env = {
    MONGODB_URI: database.uri,
    MONGODB_DATABASE: 'bench',
    IDENTITY_URL: issuer.url,
    INTERNAL_SECRET: secret,
    LOG_LEVEL: 'info',
    COOKIE_SECURE: 'false',
  };
  const service = await starter.node('bench/src/services/kit-service.ts', env, {
    nodeOptions: serviceOptions,
    readyPath: '/health/ready',
  });
  const clinic = await starter.node(
    'svc-clinic/src/main.ts',
    { ...env, MONGODB_DATABASE: 'clinic' },
    { nodeOptions: serviceOptions, readyPath: '/health/ready' },
  );
  await fillDoctors(database.uri);
  const ours = await starter.gateway(service.url, remote);
  const nginx = await starter.proxy('service', { upstream: service.url });
  const nginxCache = await starter.proxy('cache', { upstream: service.url, cache: true });
  const token = await issuer.token({ email: 'admin@clinic.example', role: 'admin' }, { endsIn: 590 });
  const asAdmin = { path: appointments, headers: { Cookie: `clinic_session=${token}; signed_in=1` } };
  const list = await fetch(ours.url + doctors);
  const etag = list.headers.get('etag');
  if (etag === null) throw new Error('The gateway gives public lists no ETag');
  const bare = await starter.node('bench/src/gateway/bare-list.ts', {
    HEADERS: JSON.stringify([...list.headers].filter(([name]) => !ofConnection.has(name)).flat()),
    ETAG: etag,
    BODY: Buffer.from(await list.arrayBuffer()).toString('base64'),
  });
  const unchanged = { path: doctors, headers: { 'If-None-Match': etag }, status: 304 } as const;
  const found = await alternate(
    {
      ours: { program: ours, question: asAdmin },
      cached: { program: ours, question: { path: doctors } },
      unchanged: { program: ours, question: unchanged },
      bare: { program: bare, question: { path: doctors } },
      bareUnchanged: { program: bare, question: unchanged },
      uncached: { program: clinic, question: { path: doctors } },
      nginx: nginx && { program: nginx, question: asAdmin },
      nginxCache: nginxCache && { program: nginxCache, question: { path: doctors } },
    },
    options,
  );
  const { nginx: ofNginx, nginxCache: ofCache } = found;
  const rows: Row[] = [];
  if (ofNginx)
    rows.push({
      what: 'list of 50 from a real service, compared with nginx in front of it',
      ours: answers(found.ours),
      peer: answers(ofNginx),
      judged: atLeast(throughputRatio(found.ours, ofNginx), 0.75),
      chart: 'gateway + service / nginx + service',
    });
  rows.push(
    {
      what: 'public list of 50 from memory, compared with a list that a service has in memory',
      ours: answers(found.cached),
      peer: answers(found.ours),
      judged: atLeast(throughputRatio(found.cached, found.ours), 8),
      chart: 'cached list / uncached',
      note: `gateway processor time per request: ${cpuPerRequest(found.cached).toFixed(0)} µs from memory, ${cpuPerRequest(found.ours).toFixed(0)} µs to proxy it`,
    },
    {
      what: 'the same unchanged (304)',
      ours: answers(found.unchanged),
      peer: answers(found.ours),
      judged: atLeast(throughputRatio(found.unchanged, found.ours), 11),
    },
    {
      what: 'public list from memory, compared with bare node:http that sends the same bytes',
      ours: answers(found.cached),
      peer: answers(found.bare),
      note: `${cpuTimes(found.cached, found.bare)}; bare node:http would reach ${throughputRatio(found.bare, found.ours).toFixed(1)} where the target above is 8`,
    },
    {
      what: 'the same unchanged (304)',
      ours: answers(found.unchanged),
      peer: answers(found.bareUnchanged),
      note: `${cpuTimes(found.unchanged, found.bareUnchanged)}; bare node:http would reach ${throughputRatio(found.bareUnchanged, found.ours).toFixed(1)} where the target above is 11`,
    },
    {
      what: 'the same from memory, compared with svc-clinic with its database',
      ours: answers(found.cached),
      peer: answers(found.uncached),
    },
  );
  if (ofCache)
    rows.push({
      what: 'public list from memory, compared with nginx’s cache',
      ours: answers(found.cached),
      peer: answers(ofCache),
      judged: atLeast(throughputRatio(found.cached, ofCache), 0.5),
    });
  return rows;
}

async function fillDoctors(uri: string): Promise<void> {
  const client = await new MongoClient(uri).connect();
  await client
    .db('clinic')
    .collection('doctors')
    .insertMany(Array.from({ length: 50 }, (_, index) => doctor(index)));
  await client.close();
}

interface StaticFiles {
  readonly server: Program;
  readonly nginx: Program | undefined;
  readonly bytes: number;
}

/** A build with one file of 100 KB after compression, which compresses no further. */
async function staticFiles(starter: Starter): Promise<StaticFiles> {
  const folder = path.join(starter.folder, 'build');
  mkdirSync(folder);
  const content = Buffer.from(randomBytes(94_000).toString('hex'));
  const zipped = gzipSync(content, { level: 9 });
  writeFileSync(path.join(folder, 'main.0123456789abcdef.js'), content);
  writeFileSync(path.join(folder, 'main.0123456789abcdef.js.gz'), zipped);
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Bench</title>');
  const server = await starter.node('packages/static-server/src/main.ts', { STATIC_DIR: folder });
  return { server, nginx: await starter.proxy('files', { folder }), bytes: zipped.length };
}

async function staticRows(
  { server, nginx, bytes }: StaticFiles,
  through: Program,
  options: RoundOptions,
): Promise<Row[]> {
  if (!nginx) return [];
  const file = '/main.0123456789abcdef.js';
  const question = (prefix: string) => ({ path: prefix + file, headers: { Accept: '*/*', 'Accept-Encoding': 'gzip' } });
  const found = await alternate(
    {
      server: { program: server, question: question('') },
      nginx: { program: nginx, question: question('') },
      through: { program: through, question: question('/mf/mf-bench') },
    },
    options,
  );
  const size = `${Math.round(bytes / 1024)} KB`;
  return [
    {
      what: `static file of ${size}, compressed, compared with nginx gzip_static`,
      ours: answers(found.server),
      peer: answers(found.nginx),
      judged: atLeast(throughputRatio(found.server, found.nginx), 0.75),
      chart: 'static files / nginx',
    },
    {
      what: `the same through the gateway, compared with nginx gzip_static without a proxy`,
      ours: answers(found.through),
      peer: answers(found.nginx),
      judged: atLeast(throughputRatio(found.through, found.nginx), 0.5),
      note: cpuTimes(found.through, found.nginx),
    },
  ];
}
