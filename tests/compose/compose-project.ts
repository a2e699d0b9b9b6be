import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { linkLibraries } from '../../e2e/src/support/copy-repository.ts';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '..', '..');

/** What no image is made of, and nobody wants to copy. */
const leftOut = new Set(['node_modules', '.git', 'dist', '.cache', '.data', 'test-results']);

/** Clean-up is repeated so many times, after so many milliseconds, and never decides how a test ends. */
const downTries = 3;
const downAgainMs = 2_000;

/**
 * Docker's engine may forget to take an endpoint off a network whose containers are gone, and then refuses to remove that network
 * until it is restarted. Nothing of the clinic's is left then: the network is used again, or stays.
 */
function isEnginesOwn(command: string, output: string): boolean {
  const errors = output.split('\n').filter((line) => /error|failed/i.test(line));
  return /\bcompose\b.* down\b/.test(command) && errors.length > 0 && errors.every((line) => line.includes('has active endpoints') || / Network \S+ +Error/.test(line));
}

/** What Docker says of a container; the parts that the tests look at. */
export interface Container {
  readonly Id: string;
  /** The image's id. */
  readonly Image: string;
  readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
  readonly State: { readonly Pid: number; readonly ExitCode: number; readonly Status: string; readonly Health?: { readonly Status: string } };
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
 * Containers are asked as always whether they are healthy, but sooner: `up --wait` waits for the first check, which comes after
 * one interval. (An interval of its own for the start needs Docker 25.)
 */
const oftenChecked = 'docker-compose.checks.yml';
const checkEverySeconds = 4;
const seldomChecked = ['balancer', 'gateway', 'shell', 'mf-public', 'mf-clinic', 'mf-pharmacy', 'mf-admin', 'svc-identity', 'svc-clinic', 'svc-pharmacy'];

/** The files of the containers under test, as COMPOSE_FILE has them. */
export const composeFiles = `docker-compose.yml:docker-compose.embedded.yml:${oftenChecked}`;

/** The commands for containers that a page has, as code in a line or in a block; with arguments, and without the comments behind. */
function commandsOf(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^ {4}(\S.*)$/gm)].flatMap(([, line = '']) => (line.split(/ {2,}#/, 1)[0] ?? '').split(' && '));
  const inline = [...page.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...inline].map((code) => code.trim()).filter((code) => /^docker(?: compose|\/\S+) \S/.test(code));
}

/** A program that ended. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** The containers of a copy of the repository, with volumes and a port of their own. */
export interface ComposeProject {
  readonly url: string;
  /** What Compose puts before the names of its containers. */
  readonly name: string;
  /** Runs Compose. @throws Error with all that it said when it ends with another code than 0 */
  compose(...args: readonly string[]): Promise<string>;
  /** Runs Compose where failing is an answer. */
  tryCompose(...args: readonly string[]): Promise<Ended>;
  /** Runs a program in the copy with Compose's settings. @throws Error with all that it said when it fails */
  script(...command: readonly [string, ...string[]]): Promise<string>;
  /**
   * Runs a command as docs/operations.md or docs/backup.md has it.
   *
   * @param meant - what stands for a word of it, e.g. FILE
   * @throws Error when neither has it, and as {@link ComposeProject.script}
   */
  documented(command: string, meant?: Readonly<Record<string, string>>): Promise<string>;
  /** Commands of both pages that {@link ComposeProject.documented} has not run. */
  untried(): readonly string[];
  /** Starts one, so that it can be killed with all that it has started. */
  start(...command: readonly [string, ...string[]]): { readonly kill: (signal: NodeJS.Signals) => void; readonly ended: Promise<unknown> };
  /** Changes variables for Compose from now on; `undefined` takes one away. */
  set(variables: Readonly<Record<string, string | undefined>>): void;
  /** Does what `npm run new:domain` does, in the copy. */
  addDomain(name: string): Promise<void>;
  /** The project's containers by the name of their service, those that stopped as well; without those that run one command. */
  containers(): Promise<ReadonlyMap<string, readonly Container[]>>;
  /** Changes one file of the copy. */
  edit(file: string, change: (text: string) => string): Promise<void>;
  /** Removes containers, networks and volumes of another project made of the same files. What can't be removed is logged, no error. */
  remove(name: string): Promise<void>;
  /** Removes containers, volumes and the copy; the images stay for the next time. What can't be removed is logged, no error. */
  close(): Promise<void>;
}

/**
 * Copies the repository, so that a test can change and deploy a part of it.
 *
 * @param settings - variables of .env
 */
export async function openProject(settings: Readonly<Record<string, string>> = {}): Promise<ComposeProject> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-compose-'));
  await cp(repository, folder, { recursive: true, filter: (source) => !leftOut.has(basename(source)) || relative(repository, source) === '' });
  await writeFile(join(folder, oftenChecked), JSON.stringify({ services: Object.fromEntries(seldomChecked.map((name) => [name, { healthcheck: { interval: `${checkEverySeconds}s` } }])) }));
  const port = await getPort();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    COMPOSE_PROJECT_NAME: `clinic-test-${port}`,
    COMPOSE_FILE: composeFiles,
    COMPOSE_ANSI: 'never',
    CLINIC_IMAGES: 'clinic-test',
    PORT: String(port),
    ...settings,
  };
  const call = (file: string, args: readonly string[]): Promise<Ended> =>
    new Promise((resolve, reject) => {
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
  const succeed = async (file: string, args: readonly string[]): Promise<string> => {
    const { code, output } = await call(file, args);
    const command = `${file} ${args.join(' ')}`;
    if (code !== 0 && !isEnginesOwn(command, output)) throw new Error(`${command} ended with ${code}:\n${output}`);
    if (code !== 0) console.warn(`The engine did not remove a network (${command}):\n${output}`);
    return output;
  };
  const compose = (...args: readonly string[]): Promise<string> => succeed('docker', ['compose', ...args]);
  const remove = async (name: string): Promise<void> => {
    const down = async (...files: readonly string[]): Promise<void> => {
      for (let left = downTries; left > 0; left -= 1) {
        // Nobody needs anything of it any more: it isn't given the time to end by itself.
        const { code, output } = await call('docker', ['compose', '-p', name, ...files, 'down', '--volumes', '--remove-orphans', '--timeout', '0']);
        if (code === 0) return;
        if (left === 1) return console.warn(`Containers or networks of ${name} are still there; remove them with 'docker compose -p ${name} down --volumes':\n${output}`);
        await delay(downAgainMs);
      }
    };
    await down();
    // Compose removes the volumes of the files it reads: those of MongoDB itself are of the first file alone.
    await down('-f', 'docker-compose.yml');
  };
  const pages = await Promise.all(['docs/operations.md', 'docs/backup.md'].map((page) => readFile(join(repository, page), 'utf8')));
  const untried = new Set(pages.flatMap(commandsOf));

  return {
    url: `http://localhost:${port}`,
    name: String(env['COMPOSE_PROJECT_NAME']),
    compose,
    tryCompose: (...args) => call('docker', ['compose', ...args]),
    script: (file, ...args) => succeed(file, args),
    documented(command, meant = {}) {
      assert.ok(pages.some((page) => commandsOf(page).includes(command)), `no page has: ${command}`);
      untried.delete(command);
      return succeed('sh', ['-c', Object.entries(meant).reduce((text, [word, value]) => text.replaceAll(word, value), command)]);
    },
    untried: () => [...untried],
    start(file, ...args) {
      const child = spawn(file, args, { cwd: folder, env, stdio: 'ignore', detached: true });
      return { kill: (signal) => void (child.pid !== undefined && process.kill(-child.pid, signal)), ended: once(child, 'close') };
    },
    set(variables) {
      for (const [name, value] of Object.entries(variables)) {
        if (value === undefined) delete env[name];
        else env[name] = value;
      }
    },
    async addDomain(name) {
      await linkLibraries(folder);
      await succeed(process.execPath, ['scripts/new-domain/main.ts', name, '--title', 'Lab results', '--roles', 'doctor,admin']);
    },
    async containers() {
      const { stdout: ids } = await run('docker', ['ps', '--all', '--quiet', '--no-trunc', '--filter', `label=com.docker.compose.project=${env.COMPOSE_PROJECT_NAME}`, '--filter', 'label=com.docker.compose.oneoff=False']);
      const { stdout } = await run('docker', ['inspect', ...ids.split('\n').filter(Boolean)], { maxBuffer: 64 * 1024 * 1024 });
      const list = JSON.parse(stdout) as readonly Container[];
      return Map.groupBy(list, ({ Config }) => Config.Labels['com.docker.compose.service'] ?? '');
    },
    async edit(file, change) {
      const before = await readFile(join(folder, file), 'utf8');
      const after = change(before);
      if (after === before) throw new Error(`${file} is what it was`);
      await writeFile(join(folder, file), after);
    },
    remove,
    async close() {
      await remove(String(env['COMPOSE_PROJECT_NAME']));
      await rm(folder, { recursive: true, force: true }).catch((error: unknown) => console.warn(`${folder} is still there:`, error));
    },
  };
}
