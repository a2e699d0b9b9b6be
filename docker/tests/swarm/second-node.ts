// Another engine on this machine, with its own network, files and images: a second node for Swarm.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';

const run = promisify(execFile);
const name = 'clinic-node-2';
const link = 'clinic-node-1';
/** In a network for benchmarks (RFC 2544), which no real machine is in. */
const managerAddress = '198.18.53.1';
const nodeAddress = '198.18.53.2';

/** A node of a swarm. */
export interface SecondNode {
  /** The first node's address on the network between the two. */
  readonly managerAddress: string;
  readonly address: string;
  /** Runs Docker's client with this node's engine. */
  docker(...args: readonly string[]): Promise<string>;
  /** Copies images from the first engine. */
  load(images: readonly string[]): Promise<void>;
  /** Stops the engine, and removes all it had. */
  close(): Promise<void>;
}

/** Why there can't be a second engine here, if so. */
export function whyNoSecondNode(): string | undefined {
  const missing = ['/usr/bin/nsenter', '/usr/sbin/ip', '/usr/sbin/dockerd'].find((file) => !existsSync(file));
  if (process.getuid?.() !== 0) return 'a second engine needs root';
  return missing && `a second engine needs ${missing}`;
}

/**
 * Links both nodes like a cable: their ends have the two addresses. The second node has no route to anywhere else, so that asking a
 * registry for an image, as Swarm does before it takes the local one, fails at once.
 */
async function connectNodes(): Promise<void> {
  await removeLink();
  const inside = ['nsenter', `--net=/run/netns/${name}`];
  for (const command of [
    ['ip', 'netns', 'add', name],
    ['ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name],
    ['ip', 'addr', 'add', `${managerAddress}/30`, 'dev', link],
    ['ip', 'link', 'set', link, 'up'],
    [...inside, 'ip', 'addr', 'add', `${nodeAddress}/30`, 'dev', 'eth0'],
    [...inside, 'ip', 'link', 'set', 'eth0', 'up'],
    [...inside, 'ip', 'link', 'set', 'lo', 'up'],
  ]) {
    const [file = '', ...args] = command;
    await run(file, args);
  }
}

/** Removing the network also removes both ends of the link. */
const removeLink = (): Promise<unknown> => run('ip', ['netns', 'delete', name]).catch(() => undefined);

/** Starts the engine. Its files are beside the first engine's, as it needs a file system of the same kind. */
export async function openSecondNode(): Promise<SecondNode> {
  const { stdout } = await run('docker', ['info', '--format', '{{.DockerRootDir}}']);
  const data = `${stdout.trim()}-${name}`;
  const folder = await mkdtemp(join(tmpdir(), 'clinic-node-'));
  const host = `unix://${folder}/docker.sock`;
  // What a killed run may have left: the engine would be in that run's swarm.
  await rm(data, { recursive: true, force: true });
  await connectNodes();
  const places = ['--host', host, '--data-root', data, '--exec-root', folder, '--pidfile', `${folder}/pid`];
  const engine = spawn('nsenter', [`--net=/run/netns/${name}`, 'dockerd', ...places, '--log-level', 'fatal'], {
    // Its container runtime logs each start, at any level.
    stdio: 'ignore',
  });
  const ended = once(engine, 'exit');
  const docker = async (...args: readonly string[]): Promise<string> =>
    (await run('docker', ['--host', host, ...args])).stdout.trim();
  const close = async (): Promise<void> => {
    engine.kill('SIGTERM');
    await ended;
    await removeLink();
    for (const used of [data, folder]) await rm(used, { recursive: true, force: true });
  };
  try {
    await waitUntil(() => docker('info'), 300_000, 250);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    managerAddress,
    address: nodeAddress,
    docker,
    async load(images) {
      await run('sh', ['-c', 'docker save "$@" | docker --host "$NODE" load --quiet', 'sh', ...images], {
        env: { ...process.env, NODE: host },
      });
    },
    close,
  };
}
