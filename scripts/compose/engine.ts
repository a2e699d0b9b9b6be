// Provides a Docker engine with Compose 2 for the container tests: the running one, or else Debian's packages.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { install, mayInstall, withNextDebian } from '../test/debian.ts';
import { exec } from '../test/exec.ts';
import { onStop } from '../test/process-group.ts';
import { log } from '../log.ts';
import { removeLeftProjects } from './left-projects.ts';
import { ensureNodeImage } from './node-image.ts';

/** A usable engine, until it is released. */
export interface Engine {
  /** Stops it, if we started it. */
  release(): Promise<void>;
}

/** Why containers can't run here, as a message for the terminal. */
export interface NoEngine {
  readonly missing: string;
}

const quiet = { quiet: true, hush: true } as const;
const answers = async (...command: readonly [string, ...string[]]): Promise<boolean> => {
  const [file, ...args] = command;
  // A command that isn't installed counts as a failure.
  return exec(file, args, quiet).then(
    ({ ok }) => ok,
    () => false,
  );
};

/** Seconds to wait for a started engine. */
const patience = 60;

/**
 * Provides an engine with Compose 2 and the base image of all our images. Installs what is missing if it can: on
 * Debian, as root.
 */
export async function ensureEngine(): Promise<Engine | NoEngine> {
  const engine = await findEngine();
  if ('missing' in engine) return engine;
  const release = async (): Promise<void> => {
    await removeLeftProjects();
    await engine.release();
  };
  onStop(release);
  return { release };
}

async function findEngine(): Promise<Engine | NoEngine> {
  const debian = mayInstall() && process.arch === 'x64';
  if (!(await answers('docker', '--version'))) {
    if (!debian) return { missing: 'no Docker is installed (docs.docker.com/engine/install)' };
    log('No Docker found: installing the Debian package docker.io …');
    if (!(await install('docker.io', 'iptables')))
      return { missing: 'the Debian package docker.io could not be installed' };
  }
  if (!(await answers('docker', 'compose', 'version'))) {
    if (!debian) return { missing: 'Docker has no Compose 2 here (docs.docker.com/compose/install)' };
    log('Docker has no Compose 2: installing the one from Debian 13 …');
    if (!(await installCompose())) return { missing: 'Compose 2 could not be installed' };
  }
  let engine: Engine = { release: async () => {} };
  if (!(await answers('docker', 'info'))) {
    if (!debian) return { missing: "Docker's engine doesn't respond (docker info)" };
    // Some machines only have the client.
    if (!(await answers('dockerd', '--version')) && !(await install('docker.io', 'iptables')))
      return { missing: 'the Debian package docker.io could not be installed' };
    const started = await startEngine();
    if ('missing' in started) return started;
    engine = started;
  }
  // Builds the images of a release, whose tests report if it is missing.
  if (debian && !(await answers('docker-registry', '--version'))) await install('docker-registry');
  const image = await ensureNodeImage(debian);
  if (image.ok) return engine;
  await engine.release();
  return { missing: image.why };
}

/** Debian 12 only has Compose 1. */
function installCompose(): Promise<boolean> {
  return withNextDebian(['docker-compose', 'docker-buildx'], async (folder) => {
    const script = 'install -D -t /usr/local/lib/docker/cli-plugins usr/libexec/docker/cli-plugins/*';
    return (await exec('sh', ['-c', script], { cwd: folder, quiet: true })).ok;
  });
}

/**
 * Starts the engine on machines without a service manager, such as most CI machines. An engine that was killed can leave a list of
 * networks over which the next one panics: it is moved out of the way, once.
 *
 * @param dataRoot - folder of the engine's data
 */
export async function startEngine(dataRoot = '/var/lib/docker'): Promise<Engine | NoEngine> {
  const started = await tryEngine();
  const networks = join(dataRoot, 'network', 'files');
  if (!('missing' in started) || !started.missing.includes('panic: ') || !existsSync(networks)) return started;
  const aside = `${networks}-${Date.now()}`;
  log(`The engine panicked; trying again without its list of networks, which is kept as ${aside}.`);
  renameSync(networks, aside);
  return tryEngine();
}

async function tryEngine(): Promise<Engine | NoEngine> {
  log('Starting the Docker engine …');
  const scratch = mkdtempSync(join(tmpdir(), 'clinic-docker-'));
  const logPath = join(scratch, 'log');
  const output = openSync(logPath, 'w');
  const child = spawn('dockerd', [], { stdio: ['ignore', output, output] });
  const ended = once(child, 'exit');
  const release = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await ended;
    rmSync(scratch, { recursive: true, force: true });
  };
  onStop(release);
  const until = Date.now() + patience * 1000;
  while (Date.now() < until && child.exitCode === null && child.signalCode === null) {
    if (await answers('docker', 'info')) return { release };
    await delay(250);
  }
  const lines = readFileSync(logPath, 'utf8').trim().split('\n');
  await release();
  // After a panic come the calls that led to it.
  const why = lines.find((line) => line.startsWith('panic: ')) ?? lines.at(-1);
  return { missing: `the Docker engine can't be started here: ${why}` };
}
