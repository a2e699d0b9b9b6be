// The stack that `npm run stack` prints, run by Docker Swarm on this machine's engine: `npm run test:swarm`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { stackFile } from '../../../scripts/swarm/stack-file.ts';
import { describeFailure } from '../../../system-tests/src/restarts/load.ts';
import { openProject, type ComposeProject } from '../compose-project.ts';
import { underLoad } from '../visitors.ts';
import { openSecondNode, whyNoSecondNode, type SecondNode } from './second-node.ts';

const run = promisify(execFile);
const docker = async (...args: readonly string[]): Promise<string> => (await run('docker', [...args])).stdout.trim();
/** The lines that a command of Docker prints. */
const list = async (...args: readonly string[]): Promise<readonly string[]> =>
  (await docker(...args)).split('\n').filter(Boolean);

/** Milliseconds until a change must be visible, on a busy machine. */
const patience = 300_000;
/** Milliseconds between two polls: each starts Docker's client. */
const pollInterval = 250;
const until = (check: () => Promise<unknown>): Promise<unknown> => waitUntil(check, patience, pollInterval);

const replicas = 3;
const stack = 'clinic-swarm-test';
const ofStack = ['--filter', `label=com.docker.stack.namespace=${stack}`];
const serviceOf = (part: string): string => `${stack}_${part}`;
const [first, second] = ['swarm-1', 'swarm-2'];
const updated = ['svc-clinic', 'mf-clinic', 'gateway'];
const imageOf = (part: string, version: string): string => `clinic-test/${part}:${version}`;

const alone = whyNoSecondNode();
/** The second node, if there is one. */
let node: SecondNode | undefined;

/** The lines that a command of Docker prints on all nodes. */
const onNodes = async (...args: readonly string[]): Promise<readonly string[]> => [
  ...(await list(...args)),
  ...((await node?.docker(...args)) ?? '').split('\n').filter(Boolean),
];

/** Each check costs a tenth of a second of a processor, and 24 containers are checked: those that aren't updated can wait. */
const seldom = '10s';

/** What the tests read and change in a stack's file. */
interface StackContent {
  readonly volumes: Readonly<Record<string, { readonly driver_opts?: { readonly device: string } }>>;
  readonly services: Readonly<
    Record<
      string,
      { image: string; readonly healthcheck: { interval?: string }; readonly deploy: { readonly placement?: object } }
    >
  >;
}

/** Every part has as many healthy tasks as it should. */
async function isWhole(): Promise<boolean> {
  const lines = await list('stack', 'services', '--format', '{{.Replicas}}', stack);
  return lines.length > 0 && lines.every((line) => new Set(line.split('/')).size === 1);
}

/** A part's containers, on all nodes, by the format of `docker ps`. */
const tasksOf = (part: string, format: string): Promise<readonly string[]> =>
  onNodes('ps', '--filter', `label=com.docker.swarm.service.name=${serviceOf(part)}`, '--format', format);

/** Waits until a part runs nothing but one version; the last container of another may still be stopping. */
const runsOnly = (part: string, version: string): Promise<unknown> =>
  until(async () => assert.deepEqual(new Set(await tasksOf(part, '{{.Image}}')), new Set([imageOf(part, version)])));

/** Every gateway reaches every service: the balancer takes the gateways in turn. */
async function isServed(url: string): Promise<void> {
  for (const path of ['/doctors?limit=1', '/medicine?limit=1'])
    for (let visit = 0; visit < 3 * replicas; visit += 1) {
      const answer = await fetch(url + path, { headers: { connection: 'close' } });
      assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.text()}`);
    }
}

/** Builds a first version of everything, and a second one of some parts that differs in its number only. */
async function buildVersions(project: ComposeProject): Promise<void> {
  await project.compose('build');
  project.set({ CLINIC_VERSION: second });
  for (const part of updated)
    await project.edit(`${part}/package.json`, (text) => text.replace(/"version": "[^"]+"/, '"version": "99.0.0"'));
  await project.compose('build', ...updated);
  project.set({ CLINIC_VERSION: first });
}

/** Removes the stack with its volumes and networks, if there is one. */
async function removeStack(): Promise<void> {
  if ((await docker('info', '--format', '{{.Swarm.LocalNodeState}}')) !== 'active') return;
  await docker('stack', 'rm', stack);
  await until(async () => {
    assert.deepEqual(await list('ps', '--all', '--quiet', ...ofStack), []);
    assert.deepEqual(await list('network', 'ls', '--quiet', ...ofStack), []);
  });
  const volumes = await list('volume', 'ls', '--quiet', ...ofStack);
  if (volumes.length > 0) await docker('volume', 'rm', ...volumes);
}

describe('docker swarm', { timeout: 1_800_000 }, () => {
  let project: ComposeProject;
  let folder: string;
  /** Both nodes run on this machine, so any folder is the same on both. */
  let shared: string;
  const cleanUps: (() => Promise<unknown>)[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clinic-swarm-'));
    cleanUps.unshift(() => rm(folder, { recursive: true, force: true }));
    shared = join(folder, 'shared');
    project = await openProject({ CLINIC_VERSION: first, BALANCER_VERSION: first });
    cleanUps.unshift(() => project.close());
    await buildVersions(project);
    await joinSwarm();
    // What a killed run may have left.
    await removeStack();
    cleanUps.unshift(removeStack);
    await loadImages();
    await makeSharedFolders();
    await deploy();
    await until(isWhole);
    await until(() => isServed(project.url));
    // On a busy machine, identity makes the demo's accounts after it has started.
    await until(async () => {
      const logs = await Promise.all((await tasksOf('svc-identity', '{{.ID}}')).map((id) => docker('logs', id)));
      return logs.every((log) => log.includes('demo accounts are ready'));
    });
  });
  after(async () => {
    const errors: unknown[] = [];
    for (const cleanUp of cleanUps) await cleanUp().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, 'the stack could not be removed completely');
  });

  async function joinSwarm(): Promise<void> {
    if ((await docker('info', '--format', '{{.Swarm.LocalNodeState}}')) === 'inactive') {
      if (alone === undefined) {
        const opened = await openSecondNode();
        cleanUps.unshift(() => opened.close());
        node = opened;
      }
      await docker('swarm', 'init', '--advertise-addr', node?.managerAddress ?? '127.0.0.1');
      cleanUps.unshift(() => docker('swarm', 'leave', '--force'));
    }
    await docker('node', 'update', '--label-add', 'clinic=true', await docker('info', '--format', '{{.Swarm.NodeID}}'));
    if (node === undefined) return;
    const token = await docker('swarm', 'join-token', '--quiet', 'worker');
    await node.docker(
      'swarm',
      'join',
      '--token',
      token,
      '--advertise-addr',
      node.address,
      `${node.managerAddress}:2377`,
    );
  }

  /** The stack's file. @param version - of the updated parts */
  async function stackOf(version: string): Promise<StackContent> {
    const config = await project.compose('config', '--format', 'json');
    const content = stackFile(JSON.parse(config.slice(config.indexOf('{'))), {
      gateways: replicas,
      services: replicas,
      sharedFolder: shared,
    }) as StackContent;
    for (const [name, service] of Object.entries(content.services)) {
      if (updated.includes(name)) service.image = imageOf(name, version);
      else service.healthcheck.interval = seldom;
    }
    return content;
  }

  /** Docker makes no folders for such volumes. */
  async function makeSharedFolders(): Promise<void> {
    for (const { driver_opts } of Object.values((await stackOf(first)).volumes))
      if (driver_opts) await mkdir(driver_opts.device, { recursive: true });
  }

  /** Gives the second node the images that may run there. */
  async function loadImages(): Promise<void> {
    const { services } = await stackOf(first);
    const anywhere = Object.values(services).filter(({ deploy: { placement } }) => placement === undefined);
    await node?.load([...anywhere.map(({ image }) => image), ...updated.map((part) => imageOf(part, second))]);
  }

  async function deploy(version = first): Promise<void> {
    const file = join(folder, 'stack.json');
    await writeFile(file, JSON.stringify(await stackOf(version)));
    await docker('stack', 'deploy', '--resolve-image', 'never', '--compose-file', file, stack);
  }

  const state = (part: string): Promise<string> =>
    docker('service', 'inspect', '--format', '{{.UpdateStatus.State}}', serviceOf(part));

  test('each service and the gateway have three tasks', async () => {
    for (const part of ['gateway', 'svc-identity', 'svc-clinic', 'svc-pharmacy', 'svc-messages'])
      assert.equal((await tasksOf(part, '{{.ID}}')).length, replicas, part);
  });

  test('a service, a front-end and the gateway are updated and rolled back, and nobody notices', async (t) => {
    const failures = await underLoad(t, project.url, async () => {
      await deploy(second);
      await Promise.all(updated.map((part) => runsOnly(part, second)));
      await Promise.all(
        updated.map(async (part) => {
          await docker('service', 'rollback', '--detach', serviceOf(part));
          await runsOnly(part, first);
        }),
      );
    });
    assert.deepEqual(failures.map(describeFailure), []);
  });

  test('Swarm takes back a version that exits by itself', async (t) => {
    const failures = await underLoad(t, project.url, async () => {
      const service = serviceOf('svc-pharmacy');
      await docker('service', 'update', '--no-resolve-image', '--detach', '--env-add', 'PORT=none', service);
      await until(async () => (await state('svc-pharmacy')) === 'rollback_completed');
    });
    assert.deepEqual(failures.map(describeFailure), []);
    assert.equal((await tasksOf('svc-pharmacy', '{{.ID}}')).length, replicas);
  });

  test('a killed task of each service costs no read, and comes back', async (t) => {
    const failures = await underLoad(t, project.url, () =>
      Promise.all(
        ['svc-identity', 'svc-clinic', 'svc-pharmacy'].map(async (part) => {
          const [victim = ''] = await list('ps', '--quiet', '--filter', `name=${serviceOf(part)}`);
          process.kill(Number(await docker('inspect', '--format', '{{.State.Pid}}', victim)), 'SIGKILL');
          await until(async () => !(await list('ps', '--quiet')).includes(victim) && (await isWhole()));
        }),
      ),
    );
    assert.deepEqual(failures.filter(({ request }) => request.safe).map(describeFailure), []);
  });

  test(
    `a drained node costs no request${alone === undefined ? '' : ` (${alone})`}`,
    { skip: alone !== undefined },
    async (t) => {
      if (node === undefined) return t.skip('this engine was in a swarm already');
      const id = await node.docker('info', '--format', '{{.Swarm.NodeID}}');
      const running = async (): Promise<number> =>
        Number(await node?.docker('info', '--format', '{{.ContainersRunning}}'));
      assert.ok((await running()) > 4);
      const failures = await underLoad(t, project.url, async () => {
        await docker('node', 'update', '--availability', 'drain', id);
        await until(async () => (await running()) === 0 && (await isWhole()));
      });
      assert.deepEqual(failures.map(describeFailure), []);
    },
  );
});
