import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { contractVersion, type RemoteDescriptor } from '@clinic/contracts';
import type { CallTable } from '@clinic/contracts/calls';
import { clinicCalls } from '@clinic/svc-clinic/contract/calls';
import { identityCalls } from '@clinic/svc-identity/contract/calls';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract/calls';
import { openLiveBuild } from '@clinic/static-server/live-build';
import { staticHandler } from '@clinic/static-server/static-handler';
import { openDecisions, type Decisions } from './decisions.ts';
import { followLog, type FollowedLog } from './follow-log.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** The front-ends of the product. */
export type FrontEnd = 'shell' | 'mf-public' | 'mf-clinic' | 'mf-pharmacy' | 'mf-admin';

/** Answers a request instead of the build. @returns whether it did */
export type Fault = (req: IncomingMessage, res: ServerResponse) => boolean;

/** A front-end that a test can redeploy and break. */
export interface TestFrontEnd {
  /** Folder of the deployed build, a copy. */
  readonly dist: string;
  /** Folder with its kept releases. */
  readonly releases: string;
  /** Its own address, for overrides. */
  readonly url: string;
  /** Makes requests fail; call it without an argument to stop. */
  breakBy(fault?: Fault): void;
  /** Its entry in the registry. */
  describe(): Promise<RemoteDescriptor>;
  /** Changes what it publishes, as a new build would. */
  publish(change: (descriptor: RemoteDescriptor) => RemoteDescriptor): Promise<void>;
}

/** A service that can be broken: it forwards to the running clinic. */
interface TestService {
  /** Where the gateway finds it. */
  readonly address: string;
  /** Makes requests fail; call it without an argument to stop. */
  breakBy(fault?: Fault): void;
}

/** A test environment: the test's own front-ends and gateway, in front of the services of the running clinic. */
export interface TestEnvironment {
  readonly url: string;
  readonly frontEnds: Readonly<Record<FrontEnd, TestFrontEnd>>;
  /** The services by name, e.g. `clinic`. */
  readonly services: ReadonlyMap<string, TestService>;
  /** Serves a developer's build of a front-end beside the deployed one; the gateway doesn't know it. */
  buildOf(name: FrontEnd): Promise<TestFrontEnd>;
  /** Runs an operator's command about kept releases, e.g. `rollback mf-public`; needs `keepReleases: 'decided'`. */
  readonly operate: Decisions['operate'];
  /** The lines of the gateway's log so far. */
  readonly log: FollowedLog['lines'];
  /** Waits for a line in the gateway's log. */
  logged(matches: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  /** Waits until the gateway has picked up what a remote publishes. */
  registered(name: FrontEnd, matches: (remote: RemoteDescriptor) => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface TestEnvironmentOptions {
  /**
   * Keep releases on disk, as deployments do. Without it, a redeployment leaves nothing of the previous build. `decided`:
   * and start what decides about them.
   */
  readonly keepReleases?: true | 'decided';
  /** Builds of additional remotes by name: their folders. */
  readonly remotes?: Readonly<Record<string, string>>;
  /** Folders of builds to serve instead of the current ones, by front-end. */
  readonly builds?: Partial<Readonly<Record<FrontEnd, string>>>;
  /** Front-ends to take from the previous release (`npm run release:freeze`). */
  readonly previous?: readonly FrontEnd[];
  /** Extra settings of the gateway. */
  readonly gateway?: Readonly<Record<string, string>>;
}

/** The services of the running clinic, with their calls. */
const services = { identity: identityCalls, clinic: clinicCalls, pharmacy: pharmacyCalls };

/** @param clinicUrl - of the running application, which has the services and the sign-in */
export async function openTestEnvironment(
  clinicUrl: string,
  options: TestEnvironmentOptions = {},
): Promise<TestEnvironment> {
  // Closes what has begun if a later part fails to start.
  await using closing = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'clinic-test-env-'));
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  const names = ['shell', 'mf-public', 'mf-clinic', 'mf-pharmacy', 'mf-admin'] as const;
  const started = await Promise.all(
    names.map(
      async (name) =>
        [
          name,
          await startFrontEnd(name, folder, options.keepReleases !== undefined, closing, buildFor(name, options)),
        ] as const,
    ),
  );
  const frontEnds = Object.fromEntries(started) as Record<FrontEnd, TestFrontEnd>;
  const decisions = options.keepReleases === 'decided' ? await openDecisions(closing) : undefined;
  const forwarded = await Promise.all(
    Object.entries(services).map(async ([name, calls]) => {
      return [name, await forward(clinicUrl, publicationOf(name, calls), closing, decisions?.url)] as const;
    }),
  );
  const addresses = forwarded.map(([name, { address }]) => [name, address] as const);
  const remotes = names.filter((name) => name !== 'shell');
  const further = await Promise.all(
    Object.entries(options.remotes ?? {}).map(async ([name, dist]) => [name, await serveBuild(dist, closing)] as const),
  );
  const gateway = startGateway(clinicUrl, addresses, {
    SHELL_URL: frontEnds.shell.url,
    REMOTES: list([...remotes.map((name) => [name, frontEnds[name].url] as const), ...further]),
    ...options.gateway,
  });
  const log = followLog(gateway);
  const exited = once(gateway, 'exit');
  closing.defer(async () => {
    gateway.kill('SIGTERM');
    await exited;
  });
  const url = await addressOf(log, exited);
  const running = closing.move();
  return {
    url,
    frontEnds,
    services: new Map(forwarded),
    operate: async (...args) => {
      if (!decisions) throw new Error('Nothing decides about releases in this test environment');
      return decisions.operate(...args);
    },
    log: log.lines,
    logged: log.logged,
    buildOf: (name) => startFrontEnd(name, join(folder, 'local'), false, running),
    registered: (name, matches) => registered(url, name, matches),
    close: () => running.disposeAsync(),
  };
}

/** Waits until the gateway listens. @throws Error with its log, if it exits first */
async function addressOf(log: FollowedLog, exited: Promise<unknown[]>): Promise<string> {
  const ended = exited.then(([code]) => {
    throw new Error(`The test environment's gateway ended with ${String(code)}: ${log.text()}`);
  });
  // Once started, the test ends it.
  ended.catch(() => undefined);
  const listening = await Promise.race([log.logged(({ msg }) => msg === 'listening'), ended]);
  return `http://localhost:${new URL(String(listening['url'])).port}`;
}

type Addresses = readonly (readonly [name: string, url: string])[];

/** As the gateway's settings list addresses: 'name=url,name=url'. */
const list = (addresses: Addresses): string => addresses.map(([name, url]) => `${name}=${url}`).join(',');

function startGateway(clinicUrl: string, addresses: Addresses, env: NodeJS.ProcessEnv) {
  return spawn(join(root, 'node_modules/node/bin/node'), ['src/testing/gateway-main.ts'], {
    cwd: join(root, 'gateway'),
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      NODE_ENV: 'development',
      DEMO_MODE: 'true',
      SERVICES: list(addresses),
      ...Object.fromEntries(addresses.map(([name, url]) => [`${name.toUpperCase()}_URL`, url])),
      AUTH_EMULATOR_URL: clinicUrl,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function registered(url: string, name: FrontEnd, matches: (remote: RemoteDescriptor) => boolean): Promise<void> {
  for (;;) {
    const { remotes: known } = (await (await fetch(`${url}/registry.json`)).json()) as {
      remotes: RemoteDescriptor[];
    };
    const remote = known.find((one) => one.name === name);
    if (remote && matches(remote)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The folder of a front-end's build, or 'previous'. */
function buildFor(name: FrontEnd, { builds, previous }: TestEnvironmentOptions): string | undefined {
  return previous?.includes(name) ? 'previous' : builds?.[name];
}

async function startFrontEnd(
  name: FrontEnd,
  folder: string,
  keepReleases: boolean,
  closing: AsyncDisposableStack,
  source = join(root, name, 'dist'),
): Promise<TestFrontEnd> {
  const dist = join(folder, name);
  const releases = join(folder, 'releases', name);
  if (source === 'previous') await unpackPrevious(name, dist);
  else await cp(source, dist, { recursive: true });
  let fault: Fault | undefined;
  // Without releases, like a server replaced as a whole: nothing of the previous build is left.
  const build = await openLiveBuild(dist, { pollMs: 100, ...(keepReleases ? { releases } : { held: 1 }) });
  const serve = staticHandler(build);
  const url = await listen((req, res) => {
    if (!fault?.(req, res)) serve(req, res);
  }, closing);
  closing.defer(() => build.close());
  const describe = async (): Promise<RemoteDescriptor> =>
    JSON.parse(await readFile(join(dist, 'remote.json'), 'utf8')) as RemoteDescriptor;
  return {
    dist,
    releases,
    url,
    describe,
    breakBy(next) {
      fault = next;
    },
    publish: async (change) => writeFile(join(dist, 'remote.json'), JSON.stringify(change(await describe()))),
  };
}

async function unpackPrevious(name: FrontEnd, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('tar', ['-xzf', join(root, 'e2e/previous', `${name}.tgz`), '-C', folder]);
}

async function serveBuild(dist: string, closing: AsyncDisposableStack): Promise<string> {
  const build = await openLiveBuild(dist);
  closing.defer(() => build.close());
  return listen(staticHandler(build), closing);
}

/** A service's description of itself. */
function publicationOf(name: string, table: CallTable): object {
  const calls = Object.values(table).map(({ id, method, path, media }) => ({
    id,
    method,
    path,
    ...(media === 'text/event-stream' && { stream: true }),
    safe: method === 'GET',
  }));
  const segments = [...new Set(calls.map(({ path }) => path.split('/')[1] ?? ''))];
  return { name, version: '1.0.0', contractVersion, segments, calls };
}

/**
 * Stands in for a service and forwards to the running clinic.
 *
 * @param decisions - where the gateway's reports go: the clinic has front-ends of the same names
 */
async function forward(
  to: string,
  publication: object,
  closing: AsyncDisposableStack,
  decisions?: string,
): Promise<TestService> {
  let fault: Fault | undefined;
  const address = await listen((req, res) => {
    if (fault?.(req, res)) return;
    if (req.url === '/.well-known/clinic-service')
      return void res.setHeader('Content-Type', 'application/json').end(JSON.stringify(publication));
    const isReport = req.url === '/.well-known/clinic-gateways';
    if (isReport && decisions === undefined) return void res.writeHead(503).end();
    const { hostname, port } = new URL(isReport && decisions !== undefined ? decisions : to);
    const sent = request({ hostname, port, path: req.url, method: req.method, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    sent.on('error', () => res.destroy());
    res.on('close', () => sent.destroy());
    req.pipe(sent);
  }, closing);
  return {
    address,
    breakBy(next) {
      fault = next;
    },
  };
}

async function listen(
  handler: (req: IncomingMessage, res: ServerResponse) => void,
  closing: AsyncDisposableStack,
): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
