// The stack that `npm run stack` prints, run by Docker Swarm on this machine's engine: `npm run test:swarm`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { stackFile } from '../../../scripts/swarm/stack-file.ts';
import { describeFailure, startLoad, type Failure } from '../../../system-tests/src/restarts/load.ts';
import { openProject, type ComposeProject } from '../compose-project.ts';
import { openVisitors } from '../visitors.ts';

const run = promisify(execFile);
const docker = async (...args: readonly string[]): Promise<string> => (await run('docker', [...args])).stdout.trim();

/** Milliseconds until a change must be visible, on a busy machine. */
const patience = 300_000;
const replicas = 3;
const stack = 'clinic-swarm-test';
const serviceOf = (part: string): string => `${stack}_${part}`;
const [first, second] = ['swarm-1', 'swarm-2'];
const updated = ['svc-clinic', 'mf-clinic', 'gateway'];

/** Every part has as many healthy tasks as it should. */
async function isWhole(): Promise<boolean> {
  const lines = (await docker('stack', 'services', '--format', '{{.Replicas}}', stack)).split('\n');
  return lines.length > 1 && lines.every((line) => new Set(line.split('/')).size === 1);
}

/** Ids of a part's containers. */
const tasksOf = async (part: string): Promise<readonly string[]> =>
  (await docker('ps', '--quiet', '--filter', `label=com.docker.swarm.service.name=${serviceOf(part)}`)).split('\n');

const imagesOf = async (part: string): Promise<ReadonlySet<string>> =>
  new Set(await Promise.all((await tasksOf(part)).map((id) => docker('inspect', '--format', '{{.Config.Image}}', id))));

/** Builds a first version of everything, and a second one of some parts that differs in its number only. */
async function buildVersions(project: ComposeProject): Promise<void> {
  await project.compose('build');
  project.set({ CLINIC_VERSION: second });
  for (const part of updated) {
    await project.edit(`${part}/package.json`, (text) => text.replace(/"version": "[^"]+"/, '"version": "99.0.0"'));
    await project.compose('build', part);
  }
  project.set({ CLINIC_VERSION: first });
}

describe('docker swarm', { timeout: 3_600_000 }, () => {
  let project: ComposeProject;
  let folder: string;
  let joined = false;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clinic-swarm-'));
    project = await openProject({ CLINIC_VERSION: first, BALANCER_VERSION: first });
    await buildVersions(project);
    if ((await docker('info', '--format', '{{.Swarm.LocalNodeState}}')) === 'inactive') {
      await docker('swarm', 'init', '--advertise-addr', '127.0.0.1');
      joined = true;
    }
    await docker('node', 'update', '--label-add', 'clinic=true', await docker('info', '--format', '{{.Swarm.NodeID}}'));
    const file = join(folder, 'stack.json');
    const config = await project.compose('config', '--format', 'json');
    const content = stackFile(JSON.parse(config.slice(config.indexOf('{'))), {
      gateways: replicas,
      services: replicas,
    });
    await writeFile(file, JSON.stringify(content));
    await docker('stack', 'deploy', '--resolve-image', 'never', '--compose-file', file, stack);
    await waitUntil(isWhole, patience);
    await waitUntil(async () => (await fetch(`${project.url}/doctors?limit=1`)).ok, patience);
    // On a busy machine, identity makes the demo's accounts after it has started.
    await waitUntil(async () => {
      const logs = await Promise.all((await tasksOf('svc-identity')).map((id) => docker('logs', id)));
      return logs.every((log) => log.includes('demo accounts are ready'));
    }, patience);
  });
  after(async () => {
    await docker('stack', 'rm', stack);
    const ofStack = ['--filter', `label=com.docker.stack.namespace=${stack}`];
    await waitUntil(async () => (await docker('ps', '--all', '--quiet', ...ofStack)) === '', patience);
    await docker('volume', 'rm', ...(await docker('volume', 'ls', '--quiet', ...ofStack)).split('\n'));
    if (joined) await docker('swarm', 'leave', '--force');
    await project?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs an operator's command while people use the clinic. @returns the requests that failed */
  async function underLoad(t: TestContext, work: () => Promise<unknown>): Promise<readonly Failure[]> {
    const visitors = await openVisitors(project.url);
    const load = startLoad(visitors.requests);
    try {
      await work();
    } finally {
      await load.end();
    }
    for (const { name } of visitors.requests)
      assert.ok((load.answered.get(name) ?? 0) > 0, `no request succeeded: ${name}`);
    if (load.failures.length === 0) await visitors.check(load.answered);
    t.diagnostic(
      `${[...load.answered.values()].reduce((sum, count) => sum + count, 0)} requests meanwhile, ${load.failures.length} failed`,
    );
    return load.failures;
  }
  const update = (part: string, ...options: readonly string[]): Promise<string> =>
    docker('service', 'update', '--no-resolve-image', '--quiet', ...options, serviceOf(part));

  test('each service and the gateway have three tasks', async () => {
    for (const part of ['gateway', 'svc-identity', 'svc-clinic', 'svc-pharmacy'])
      assert.equal((await tasksOf(part)).length, replicas, part);
  });

  for (const part of updated) {
    test(`${part} is updated and rolled back, and nobody notices`, async (t) => {
      const image = (version: string): string => `clinic-test/${part}:${version}`;
      const failures = await underLoad(t, async () => {
        // The last old container may still be stopping.
        const runs = (version: string): Promise<unknown> =>
          waitUntil(async () => assert.deepEqual(await imagesOf(part), new Set([image(version)])), patience);
        await update(part, '--image', image(second));
        await runs(second);
        await docker('service', 'rollback', '--quiet', serviceOf(part));
        await runs(first);
      });
      assert.deepEqual(failures.map(describeFailure), []);
    });
  }

  test('Swarm takes back a version that exits by itself', async (t) => {
    const state = () => docker('service', 'inspect', '--format', '{{.UpdateStatus.State}}', serviceOf('svc-pharmacy'));
    const failures = await underLoad(t, async () => {
      await update('svc-pharmacy', '--detach', '--env-add', 'PORT=none');
      await waitUntil(async () => (await state()) === 'rollback_completed', patience);
    });
    assert.deepEqual(failures.map(describeFailure), []);
    assert.equal((await tasksOf('svc-pharmacy')).length, replicas);
  });

  test('a killed task of each service costs no read, and comes back', async (t) => {
    const failures = await underLoad(t, async () => {
      for (const part of ['svc-identity', 'svc-clinic', 'svc-pharmacy']) {
        const [victim = ''] = await tasksOf(part);
        process.kill(Number(await docker('inspect', '--format', '{{.State.Pid}}', victim)), 'SIGKILL');
        await waitUntil(async () => !(await tasksOf(part)).includes(victim) && (await isWhole()), patience);
      }
    });
    assert.deepEqual(failures.filter(({ request }) => request.safe).map(describeFailure), []);
  });
});
