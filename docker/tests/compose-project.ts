import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { linkLibraries } from '../../e2e/src/support/copy-repository.ts';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '..', '..');

export const frontEnds = ['shell', 'mf-public', 'mf-clinic', 'mf-pharmacy', 'mf-admin', 'mf-messages'];
export const services = ['svc-identity', 'svc-clinic', 'svc-pharmacy', 'svc-messages'];

/** Prefix of the images' names. */
export const imagesPrefix = 'clinic-test';

/** Not needed in the copy: no image is built from it. */
const leftOut = new Set(['node_modules', '.git', 'dist', '.cache', '.data', 'test-results']);

/** How often to repeat the clean-up, and after how many milliseconds. It never decides a test's result. */
const downTries = 3;
const downAgainMs = 2_000;

/**
 * Docker's engine may fail to detach an endpoint from a network whose containers are gone, and then refuses to remove that network
 * until the engine restarts. Nothing else of the clinic is left then: the network is reused, or stays.
 */
function isEnginesOwn(command: string, output: string): boolean {
  const errors = output.split('\n').filter((line) => /error|failed/i.test(line));
  return (
    /\bcompose\b.* down\b/.test(command) &&
    errors.length > 0 &&
    errors.every((line) => line.includes('has active endpoints') || / Network \S+ +Error/.test(line))
  );
}

/** The fields of `docker inspect` that the tests read. */
export interface Container {
  readonly Id: string;
  /** The image's id. */
  readonly Image: string;
  readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
  readonly State: {
    readonly Pid: number;
    readonly ExitCode: number;
    readonly Status: string;
    readonly Health?: { readonly Status: string };
  };
  readonly RestartCount: number;
  readonly HostConfig: {
    readonly ReadonlyRootfs: boolean;
    readonly CapDrop: readonly string[] | null;
    readonly CapAdd: readonly string[] | null;
    readonly SecurityOpt: readonly string[] | null;
    readonly Memory: number;
    readonly NanoCpus: number;
    readonly PidsLimit: number | null;
    readonly PortBindings: Readonly<Record<string, readonly { readonly HostIp: string }[]>>;
  };
}

/**
 * The usual health checks, but sooner: `up --wait` waits for the first check, which comes after one interval. Not much sooner,
 * as each check costs a tenth of a second of a processor, on a slow machine a third. (A separate start interval needs Docker 25.)
 */
const oftenChecked = 'docker-compose.checks.yml';
const checkEverySeconds = 10;
const seldomChecked = ['balancer', 'gateway', ...frontEnds, ...services];

/** A Compose file by which services are checked sooner. */
export const checkedOften = (services: readonly string[]): string =>
  JSON.stringify({
    services: Object.fromEntries(
      services.map((name) => [name, { healthcheck: { interval: `${checkEverySeconds}s` } }]),
    ),
  });

/** The Compose files under test, as for COMPOSE_FILE. */
export const composeFiles = `docker-compose.yml:docker-compose.embedded.yml:${oftenChecked}`;

/** Docker commands on a page, inline or in a block, with arguments and without trailing comments. */
function commandsOf(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^ {4}(\S.*)$/gm)].flatMap(([, line = '']) =>
    (line.split(/ {2,}#/, 1)[0] ?? '').split(' && '),
  );
  const inline = [...page.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...inline].map((code) => code.trim()).filter((code) => /^docker(?: compose|\/\S+) \S/.test(code));
}

/** A finished program. */
interface Ended {
  readonly code: number;
  readonly output: string;
}

/** The containers of a copy of the repository, with their own volumes and port. */
export type ComposeProject = Awaited<ReturnType<typeof openProject>>;

/**
 * Copies the repository, so that a test can change and deploy a part of it.
 *
 * @param settings - variables of .env
 */
export async function openProject(settings: Readonly<Record<string, string>> = {}) {
  const folder = await copyRepository();
  const port = await holdPort();
  /** Compose's prefix of container names. */
  const name = `clinic-test-${port}`;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    COMPOSE_PROJECT_NAME: name,
    COMPOSE_FILE: composeFiles,
    COMPOSE_ANSI: 'never',
    CLINIC_IMAGES: imagesPrefix,
    PORT: String(port),
    ...settings,
  };
  const call = (file: string, args: readonly string[]): Promise<Ended> => callIn(folder, env, file, args);
  /** Runs a program in the copy with Compose's settings. @throws Error with its output if it fails */
  const script = async (file: string, ...args: readonly string[]): Promise<string> => {
    const { code, output } = await call(file, args);
    const command = `${file} ${args.join(' ')}`;
    if (code !== 0 && !isEnginesOwn(command, output)) throw new Error(`${command} ended with ${code}:\n${output}`);
    if (code !== 0) console.warn(`The engine did not remove a network (${command}):\n${output}`);
    return output;
  };
  const pages = await Promise.all(
    ['README.md', 'docs/operations.md', 'docs/backup.md'].map((page) => readFile(join(repository, page), 'utf8')),
  );
  const untried = new Set(pages.flatMap(commandsOf));
  const added: string[] = [];

  return {
    url: `http://localhost:${port}`,
    name,
    /** The copy. */
    folder,
    script,
    /** Runs Compose. @throws Error with its output if the exit code isn't 0 */
    compose: (...args: readonly string[]): Promise<string> => script('docker', 'compose', ...args),
    /** Runs a container as in a real installation, of the first file alone. @param args - of `docker compose run` */
    runOutsideDemo: (...args: readonly string[]): Promise<Ended> =>
      call('docker', 'compose -f docker-compose.yml run --rm --no-deps -T -e DEMO_MODE=false'.split(' ').concat(args)),
    /**
     * Runs a command from README.md, docs/operations.md or docs/backup.md.
     *
     * @param meant - replacements for placeholders, e.g. FILE
     * @throws Error if no page has it, and as `script`
     */
    documented(command: string, meant: Readonly<Record<string, string>> = {}): Promise<string> {
      assert.ok(
        pages.some((page) => commandsOf(page).includes(command)),
        `no page has: ${command}`,
      );
      untried.delete(command);
      return script(
        'sh',
        '-c',
        Object.entries(meant).reduce((text, [word, value]) => text.replaceAll(word, value), command),
      );
    },
    /** Commands on these pages that `documented` has not run. */
    untried: (): readonly string[] => [...untried],
    /** Starts a command, to be killed with all its child processes. */
    start(file: string, ...args: readonly string[]) {
      const child = spawn(file, args, { cwd: folder, env, stdio: 'ignore', detached: true });
      return {
        kill: (signal: NodeJS.Signals): void => void (child.pid !== undefined && process.kill(-child.pid, signal)),
        ended: once(child, 'close'),
      };
    },
    /** Changes variables for Compose from now on. */
    set(variables: Readonly<Record<string, string>>): void {
      Object.assign(env, variables);
    },
    /** Does what `npm run new:domain` does, in the copy. */
    async addDomain(domain: string, options: readonly string[]): Promise<void> {
      added.push(domain);
      await linkLibraries(folder);
      await script(process.execPath, 'scripts/new-domain/main.ts', domain, ...options);
    },
    /** Also removes a domain's images at the end. */
    removesImagesOf: (domain: string): void => void added.push(domain),
    /** The project's containers by service name, including stopped ones, without one-off runs. */
    containers: () => containersOf(name),
    /** Changes a file in the copy. */
    edit: (file: string, change: (text: string) => string): Promise<void> => changeFile(join(folder, file), change),
    /** Removes containers, networks and volumes of another project made from the same files. Logs what can't be removed. */
    remove: (other: string): Promise<void> => removeProject(call, other),
    /** Removes everything but the images that the next run uses. Logs what can't be removed. */
    async close(): Promise<void> {
      await removeProject(call, name);
      for (const domain of added) await removeImages(call, `${imagesPrefix}/*-${domain}`);
      await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
        console.warn(`${folder} is still there:`, error),
      );
    },
  };
}

async function changeFile(file: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${file} has not changed`);
  await writeFile(file, after);
}

/** Copies what images are built from. */
export async function copyRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-compose-'));
  await cp(repository, folder, {
    recursive: true,
    filter: (source) => !leftOut.has(basename(source)) || relative(repository, source) === '',
  });
  await writeFile(join(folder, oftenChecked), checkedOften(seldomChecked));
  // A busy machine may need longer than visitors are to wait. A request to a replica that is gone fails all the same.
  await changeFile(join(folder, 'packages/contracts/src/publication.ts'), (text) =>
    text.replace('defaultTimeoutSeconds = 10;', 'defaultTimeoutSeconds = 60;'),
  );
  return folder;
}

type Call = (file: string, args: readonly string[]) => Promise<Ended>;

function callIn(folder: string, env: NodeJS.ProcessEnv, file: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

async function removeProject(call: Call, name: string): Promise<void> {
  const down = async (...files: readonly string[]): Promise<void> => {
    for (let left = downTries; left > 0; left -= 1) {
      // Nobody needs its data any more, so it gets no time to stop.
      const { code, output } = await call('docker', [
        'compose',
        '-p',
        name,
        ...files,
        'down',
        '--volumes',
        '--remove-orphans',
        '--timeout',
        '0',
      ]);
      if (code === 0) return;
      if (left === 1)
        return console.warn(
          `Containers or networks of ${name} are still there; remove them with 'docker compose -p ${name} down --volumes':\n${output}`,
        );
      await delay(downAgainMs);
    }
  };
  await down();
  // Compose removes only volumes in the files it reads; MongoDB's own are in the first file alone.
  await down('-f', 'docker-compose.yml');
}

/** @param reference - pattern of their names without tags */
async function removeImages(call: Call, reference: string): Promise<void> {
  const format = '{{.Repository}}:{{.Tag}}';
  const { output: names } = await call('docker', ['images', '--filter', `reference=${reference}`, '--format', format]);
  if (names === '') return;
  const { code, output } = await call('docker', ['image', 'rm', ...names.trim().split('\n')]);
  if (code !== 0) console.warn(`Images of ${reference} are still there:\n${output}`);
}

async function containersOf(project: string): Promise<ReadonlyMap<string, readonly Container[]>> {
  const { stdout: ids } = await run('docker', [
    'ps',
    '--all',
    '--quiet',
    '--no-trunc',
    '--filter',
    `label=com.docker.compose.project=${project}`,
    '--filter',
    'label=com.docker.compose.oneoff=False',
  ]);
  const { stdout } = await run('docker', ['inspect', ...ids.split('\n').filter(Boolean)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const list = JSON.parse(stdout) as readonly Container[];
  return Map.groupBy(list, ({ Config }) => Config.Labels['com.docker.compose.service'] ?? '');
}
