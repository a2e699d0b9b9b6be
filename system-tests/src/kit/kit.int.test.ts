import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { RemoteDescriptor } from '@clinic/contracts';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';
import { buildKit, type BuiltPackage } from '../../../scripts/kit/build.ts';
import { startProgram, type RunningProgram } from '../restarts/program.ts';
import { people, type Person } from '../support/three-services.ts';
import { startWholeClinic, type RunningGateway, type WholeClinic } from '../support/whole-clinic.ts';
import type { LocalRegistry } from '../../../scripts/kit/local-registry.ts';
import { startTestRegistry, whyNoRegistry } from './local-registry.ts';

const root = join(import.meta.dirname, '../../..');
const unavailable = await whyNoRegistry();

describe(
  `a team outside the repository${unavailable === undefined ? '' : ` (not run: ${unavailable})`}`,
  {
    skip: unavailable !== undefined,
  },
  () => {
    let folder: string;
    let built: string;
    let kit: readonly BuiltPackage[];
    let registry: LocalRegistry;
    let dental: string;
    const closing: (() => Promise<unknown>)[] = [];

    const run = (command: string, args: readonly string[], cwd: string) =>
      promisify(execFile)(command, [...args], { cwd, env: registry.env, maxBuffer: 10_000_000 });
    /** As somebody whose npm doesn't know the kit's registry. */
    /** As a person calls npm there: without this repository's configuration, which `npm test` hands to all it starts. */
    const alone = (cwd: string, ...args: readonly string[]) =>
      promisify(execFile)('npm', [...args], {
        cwd,
        env: {
          ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
          PATH: registry.env['PATH'],
        },
        maxBuffer: 10_000_000,
      });
    const npm = (cwd: string, ...args: readonly string[]) => run('npm', args, cwd);
    const node = (...args: readonly string[]) => run(process.execPath, args, root);
    const install = (cwd: string) => npm(cwd, 'install', '--ignore-scripts', '--no-audit', '--no-fund');
    /** Publishes in a separate process, because npm's configuration is in the environment. */
    const publish = (packages: readonly BuiltPackage[]) =>
      node(
        '--eval',
        `import('./scripts/kit/publish.ts').then((m) => console.log(JSON.stringify(m.publishKit(${JSON.stringify(packages)}))))`,
      );

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'clinic-kit-'));
      await mkdir(join(root, '.cache'), { recursive: true });
      built = await mkdtemp(join(root, '.cache/kit-'));
      dental = join(folder, 'dental');
      registry = await startTestRegistry();
      kit = buildKit(built);
    });
    after(async () => {
      for (const close of closing.toReversed()) await close();
      await registry.close();
      await Promise.all([folder, built].map((each) => rm(each, { recursive: true, force: true })));
    });

    it('publishes the kit to a registry, each version once', async () => {
      const { stdout } = await publish(kit);
      const published = JSON.parse(stdout.split('\n').at(-2) ?? '') as readonly string[];
      assert.deepEqual(
        published,
        kit.map(({ name, version }) => `${name}@${version}`),
      );
      const [first, second] = kit;
      assert.ok(first && second);
      await appendFile(join(first.folder, 'README.md'), 'Changed.\n');
      // The other has the same content as before, and isn't named.
      await assert.rejects(
        publish([first, second]),
        new RegExp(`with another content: ${first.name}@${first.version}\\.\\n`),
      );
    });

    it('creates a domain that builds, and passes its checks and tests', async () => {
      const options = ['--registry', registry.url, '--title', 'Dental care', '--roles', 'doctor,admin'];
      await node('scripts/new-domain/main.ts', 'dental-care', '--standalone', dental, ...options);
      // The first commands of its README.
      await alone(dental, 'install', '--no-audit', '--no-fund');
      await alone(dental, 'run', 'check');
      await alone(dental, 'test');
      await alone(dental, 'run', 'build');
      const { pages } = await descriptorOf(join(dental, 'mf-dental-care'));
      assert.deepEqual(
        pages.map(({ path, access }) => ({ path, access })),
        [{ path: '/dash/dental-care', access: ['admin', 'doctor'] }],
      );
    });

    it('takes the kit from the registry it names, and asks no other one for it', async () => {
      const asked: string[] = [];
      // npm's default registry, where anybody could publish packages of the kit's names.
      const anybodys = createServer((request, response) => {
        asked.push(decodeURIComponent(request.url ?? ''));
        response.writeHead(404).end('{}');
      });
      await once(anybodys.listen(0, '127.0.0.1'), 'listening');
      closing.push(async () => anybodys.close());
      const { port } = anybodys.address() as AddressInfo;
      const closed = join(folder, 'closed');
      await node('scripts/new-domain/main.ts', 'closed', '--standalone', closed, '--registry', 'http://127.0.0.1:9/');
      const args = ['--registry', `http://127.0.0.1:${port}/`, '--fetch-retries=0', '--ignore-scripts'];
      await assert.rejects(alone(closed, 'install', ...args), /http:\/\/127\.0\.0\.1:9\/@clinic%2f/i);
      assert.deepEqual(
        asked.filter((path) => path.includes('@clinic')),
        [],
      );
    });

    it('runs the domain beside the clinic, which only needs its addresses', async () => {
      const clinic = await opened(startWholeClinic());
      const service = await started(
        startProgram(join(dental, 'svc-dental-care'), {
          PORT: '0',
          NODE_ENV: 'test',
          DEMO_MODE: 'true',
          MONGODB_URI: clinic.services.mongodbUri,
          MONGODB_DATABASE: 'dental',
          IDENTITY_URL: clinic.services.urls.identity,
        }),
      );
      const server = join(dental, 'node_modules/@clinic/static-server/dist/main.js');
      const releases = join(folder, 'releases');
      const remote = await started(
        startProgram(
          join(dental, 'mf-dental-care'),
          { PORT: '0', STATIC_DIR: 'dist', RELEASES_DIR: releases },
          undefined,
          [server],
        ),
      );
      const gateway = await opened(
        clinic.openGateway({
          SERVICES: `${clinic.addresses.SERVICES},dental-care=${service}`,
          REMOTES: `${clinic.addresses.REMOTES},mf-dental-care=${remote}`,
        }),
      );
      const { remotes } = (await (await fetch(`${gateway.url}/registry.json`)).json()) as {
        remotes: RemoteDescriptor[];
      };
      assert.ok(remotes.some(({ name, title }) => name === 'mf-dental-care' && title === 'Dental care'));
      const answer = await node(
        'scripts/remote/main.ts',
        'check',
        'mf-dental-care',
        join(dental, 'mf-dental-care/dist'),
        '--clinic',
        gateway.url,
      );
      assert.doesNotMatch(answer.stdout, /^(?:NO|\?)/m);
      await useDental(clinic, gateway);
      await tryReleases(clinic, gateway, server, releases);
    });

    /** The domain's front-end gets a canary and is rolled back, by the commands of docs/operations.md. */
    async function tryReleases(
      clinic: WholeClinic,
      gateway: RunningGateway,
      server: string,
      releases: string,
    ): Promise<void> {
      const name = 'mf-dental-care';
      const operate = async (...args: readonly string[]): Promise<string> => {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [join(root, 'svc-identity/src/releases.ts'), ...args],
          {
            env: {
              ...process.env,
              DEMO_MODE: 'true',
              MONGODB_URI: clinic.services.mongodbUri,
              MONGODB_DATABASE: clinic.services.databases.identity.databaseName,
            },
          },
        );
        return stdout;
      };
      const served = async (group: number): Promise<string> => {
        const answer = await fetch(`${gateway.url}/registry.json`, { headers: { cookie: `release-group=${group}` } });
        const { remotes } = (await answer.json()) as { remotes: RemoteDescriptor[] };
        return remotes.find((remote) => remote.name === name)?.version ?? '';
      };
      const first = await served(0);
      const next = join(folder, 'next');
      await cp(join(dental, name, 'dist'), next, { recursive: true });
      await writeFile(
        join(next, 'remote.json'),
        JSON.stringify({ ...(await descriptorOf(join(dental, name))), version: '99.0.0+next' }),
      );
      await promisify(execFile)(process.execPath, [server, 'add', next], {
        env: { ...process.env, RELEASES_DIR: releases },
      });
      assert.match(await operate('canary', name, '99.0.0', '--share', '50%'), /^1 of 1 gateways do so now\.$/m);
      const groups = await Promise.all(Array.from({ length: 100 }, (_, group) => served(group)));
      assert.equal(groups.filter((version) => version === '99.0.0+next').length, 50);
      await operate('stop', name);
      await operate('pin', name, '99.0.0');
      assert.equal(await served(0), '99.0.0+next');
      await operate('rollback', name);
      assert.equal(await served(0), first);
    }

    it('moves mf-pharmacy out, where it passes its checks and builds the same files', async () => {
      const pharmacy = await copyAlone('mf-pharmacy');
      await install(dirname(pharmacy));
      await run(join(pharmacy, '../node_modules/.bin/tsc'), ['-p', '.'], pharmacy);
      await npm(pharmacy, 'run', 'build');
      const inside = await descriptorOf(join(root, 'mf-pharmacy'));
      const outside = await descriptorOf(pharmacy);
      assert.deepEqual({ pages: outside.pages, slots: outside.slots }, { pages: inside.pages, slots: inside.slots });
      assert.deepEqual(await usesOf(pharmacy), await usesOf(join(root, 'mf-pharmacy')));
    });

    async function opened<T extends RunningGateway>(opening: Promise<T>): Promise<T> {
      const gateway = await opening;
      closing.push(() => gateway.close());
      return gateway;
    }

    /** @returns its address */
    async function started(starting: Promise<RunningProgram>): Promise<string> {
      const program = await starting;
      closing.push(() => program.stop());
      return String(program.log.find(({ msg }) => msg === 'listening')?.['url']);
    }

    /**
     * A repository with a front-end, the contracts of the services that it calls, and the tools that it otherwise has from
     * the workspace.
     *
     * @returns the front-end's folder
     */
    async function copyAlone(name: string): Promise<string> {
      const alone = join(folder, 'alone');
      const leftOut = new Set(['node_modules', 'dist', 'maps', '.cache']);
      await cp(join(root, name), join(alone, name), {
        recursive: true,
        filter: (source) => !leftOut.has(basename(source)),
      });
      for (const file of ['tsconfig.base.json', 'tsconfig.web.json']) await cp(join(root, file), join(alone, file));
      const { dependencies, devDependencies: own } = await manifestOf(join(root, name));
      const services = Object.keys(dependencies)
        .filter((dependency) => dependency.startsWith('@clinic/svc-'))
        .map((dependency) => basename(dependency));
      for (const service of services) {
        const contract = 'src/contract';
        await cp(join(root, service, contract), join(alone, service, contract), { recursive: true });
        const manifest = await manifestOf(join(root, service));
        const needed = { '@clinic/contracts': dependencies['@clinic/contracts'] };
        await writeFile(join(alone, service, 'package.json'), JSON.stringify({ ...manifest, dependencies: needed }));
      }
      const { devDependencies: tools, overrides } = await manifestOf(dental);
      const { 'fast-check': fastCheck = '' } = (await manifestOf(root)).devDependencies;
      const devDependencies = { ...tools, 'fast-check': fastCheck, ...own };
      const manifest = { private: true, workspaces: [name, ...services], devDependencies, overrides };
      await writeFile(join(alone, 'package.json'), JSON.stringify(manifest));
      return join(alone, name);
    }
  },
);

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides?: object;
}

const readJson = async <T>(file: string): Promise<T> => JSON.parse(await readFile(file, 'utf8')) as T;
const manifestOf = (folder: string) => readJson<Manifest>(join(folder, 'package.json'));
const descriptorOf = (folder: string) => readJson<RemoteDescriptor>(join(folder, 'dist/remote.json'));
const usesOf = (folder: string) => readJson<object>(join(folder, 'dist/uses.json'));

/** A doctor and an admin write and read; a patient may do neither, and gets what is kept about them. */
async function useDental(clinic: WholeClinic, gateway: RunningGateway): Promise<void> {
  const entries = '/dental-care/entries';
  const [doctor, admin, patient] = await Promise.all(
    [people.doctor, people.admin, people.patient].map((person) => signedIn(clinic, gateway, person)),
  );
  assert.ok(doctor && admin && patient);
  const write = (who: TestFetch) => who(entries, { method: 'POST', json: { title: 'Crown', note: 'Upper left' } });
  assert.equal((await write(patient)).status, 403);
  assert.equal((await write(doctor)).status, 201);
  const read = (await (await admin(entries)).json()) as readonly { title: string; author: string }[];
  assert.deepEqual(
    read.map(({ title, author }) => ({ title, author })),
    [{ title: 'Crown', author: people.doctor.email }],
  );
  assert.equal((await patient(entries)).status, 403);
  const kept = await patient(`/dental-care/export?email=${encodeURIComponent(people.patient.email)}`);
  assert.equal(kept.status, 200);
  assert.equal((await fetch(`${gateway.url}${entries}`)).status, 401);
}

/** Signs in through the gateway, so that the session has a token for the new service. */
async function signedIn({ services }: WholeClinic, gateway: RunningGateway, { email }: Person): Promise<TestFetch> {
  const answer = await testFetch(gateway.url)('/jwt', {
    method: 'POST',
    json: { email },
    headers: { Authorization: `Bearer ${await services.idToken(email)}` },
  });
  assert.equal(answer.status, 200);
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
  return testFetch(gateway.url, { Cookie: cookies.join('; ') });
}
