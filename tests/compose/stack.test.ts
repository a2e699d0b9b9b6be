// The real Dockerfiles and the real docker-compose.yml, run by a real engine; MongoDB's place is taken by the embedded
// database, as docker-compose.embedded.yml has it for machines without its image. `npm run test:compose` runs it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Registry } from '@clinic/contracts/remotes';
import { demoAccounts, demoPassword } from '@clinic/demo-data';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';
import { startLoad, type Errand } from '../src/restarts/load.ts';
import { openProject, type ComposeProject, type Container } from './compose-project.ts';

const repository = join(import.meta.dirname, '..', '..');
const frontEnds = ['shell', 'mf-public', 'mf-clinic', 'mf-pharmacy', 'mf-admin'];
const services = ['svc-identity', 'svc-clinic', 'svc-pharmacy'];
const all = ['gateway', ...frontEnds, ...services, 'auth-emulator', 'mongo'].toSorted();

/** Milliseconds that a change may take to be seen, on a machine with much else to do. */
const patience = 60_000;

describe('docker compose', { timeout: 1_800_000 }, () => {
  let project: ComposeProject;
  let backups: string;
  before(async () => {
    backups = await mkdtemp(join(tmpdir(), 'clinic-compose-backups-'));
    // The container's user is another one than this.
    await chmod(backups, 0o777);
    project = await openProject({ BACKUP_DIR: backups });
    await project.compose('--profile', 'backup', 'build');
    await project.compose('up', '--detach', '--wait', '--wait-timeout', '300');
  });
  after(async () => {
    await project.close();
    await rm(backups, { recursive: true });
  });

  test('everything comes up healthy', async () => {
    const containers = await project.containers();
    assert.deepEqual([...containers.keys()].toSorted(), all);
    for (const [name, list] of containers) assert.deepEqual(list.map(({ State }) => State.Health?.Status), ['healthy'], name);
  });

  test('each container may do as little as it can, and is limited', async () => {
    for (const [name, [container]] of await project.containers()) {
      assert.ok(container);
      const { HostConfig, Config } = container;
      assert.equal(HostConfig.ReadonlyRootfs, true, name);
      assert.equal(Config.User, 'node', name);
      assert.deepEqual(HostConfig.CapDrop, ['ALL'], name);
      assert.equal(HostConfig.CapAdd, null, name);
      assert.deepEqual(HostConfig.SecurityOpt, ['no-new-privileges:true'], name);
      for (const limit of ['Memory', 'NanoCpus', 'PidsLimit'] as const) assert.ok(Number(HostConfig[limit]) > 0, `${name} has no limit of ${limit}`);
    }
  });

  test("nothing but the gateway's port is published, and that on this machine alone", async () => {
    const published = [...(await project.containers())].flatMap(([name, list]) =>
      list.flatMap(({ HostConfig }) => Object.entries(HostConfig.PortBindings).map(([port, bindings]) => `${name} ${port} ${bindings.map(({ HostIp }) => HostIp).join()}`)),
    );
    assert.deepEqual(published, ['gateway 8080/tcp 127.0.0.1']);
    // Measurements and health are for a port that only containers see.
    assert.equal((await fetch(`${project.url}/metrics`)).status, 404);
    const inside = await project.compose('exec', '-T', 'gateway', 'node', '-e', "fetch('http://127.0.0.1:9464/metrics').then(({ status }) => console.log(status))");
    assert.equal(inside.trim(), '200');
  });

  test('a container finds those alone that it has to do with', async () => {
    const asked = {
      gateway: ['svc-clinic', 'mongo'],
      'mf-clinic': ['svc-clinic', 'mongo'],
      'svc-clinic': ['mongo', 'svc-identity', 'mf-clinic'],
      'auth-emulator': ['mongo'],
    };
    const lookUp = "Promise.all(process.argv.slice(1).map((name) => require('dns').promises.lookup(name).then(() => 'found', () => 'hidden'))).then((answers) => console.log(answers.join()))";
    const rows = await Promise.all(
      Object.entries(asked).map(async ([from, names]) => {
        const answers = (await project.compose('exec', '-T', from, 'node', '-e', lookUp, ...names)).trim().split(',');
        return names.map((name, index) => [`${from} → ${name}`, answers[index]]);
      }),
    );
    const table: unknown = Object.fromEntries(rows.flat());
    assert.deepEqual(table, {
      'gateway → svc-clinic': 'found', 'gateway → mongo': 'hidden',
      'mf-clinic → svc-clinic': 'hidden', 'mf-clinic → mongo': 'hidden',
      'svc-clinic → mongo': 'found', 'svc-clinic → svc-identity': 'found', 'svc-clinic → mf-clinic': 'hidden',
      'auth-emulator → mongo': 'hidden',
    });
  });

  test('the journeys of patient, doctor, pharmacist and admin', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clinic-compose-journeys-'));
    const report = join(folder, 'report.json');
    const child = spawn(join(repository, 'node_modules/.bin/playwright'), ['test', '--project=desktop', `--output=${join(folder, 'results')}`, 'src/journeys'], {
      cwd: join(repository, 'e2e'), env: { ...process.env, CLINIC_URL: project.url, PLAYWRIGHT_JSON_OUTPUT_NAME: report }, stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0, output);
    const { stats } = JSON.parse(await readFile(report, 'utf8')) as { stats: { expected: number; flaky: number; skipped: number } };
    assert.equal(stats.skipped, 0);
    assert.equal(stats.expected + stats.flaky, 5);
    await rm(folder, { recursive: true });
  });

  test('one remote is deployed alone, and is followed without a restart', async (t) => {
    const [before, versions] = [await ids(project), await remotes(project.url)];
    await project.edit('mf-clinic/package.json', (text) => text.replace(/"version": "[^"]+"/, '"version": "99.0.0"'));
    await project.compose('up', '--detach', '--build', '--wait', 'mf-clinic');
    const ready = Date.now();
    await until(async () => (await remotes(project.url))['mf-clinic']?.startsWith('99.0.0+') === true);
    t.diagnostic(`the new version was registered ${Date.now() - ready} ms after its container was ready`);

    assert.deepEqual(changed(before, await ids(project)), ['mf-clinic']);
    const { 'mf-clinic': _deployed, ...others } = await remotes(project.url);
    const { 'mf-clinic': earlier, ...same } = versions;
    assert.deepEqual(others, same);
    // The one before is still there, for pages that are open and for going back to.
    const listed = await project.compose('exec', '-T', 'mf-clinic', 'node', 'packages/static-server/src/main.ts', 'list');
    assert.ok(earlier && listed.includes(earlier), listed);
    await project.compose('exec', '-T', 'mf-clinic', 'node', 'packages/static-server/src/main.ts', 'rollback');
    await until(async () => (await remotes(project.url))['mf-clinic'] === earlier);
  });

  test('one service is deployed alone, and no request fails meanwhile', async (t) => {
    const before = await ids(project);
    const load = startLoad(await errands(project.url));
    await project.edit('svc-clinic/package.json', (text) => text.replace(/"version": "[^"]+"/, '"version": "99.0.0"'));
    await project.script('docker/redeploy.sh', 'svc-clinic');
    await load.end();
    assert.deepEqual(load.failures.map(({ errand, what }) => `${errand.name}: ${what}`), []);
    for (const [name, count] of load.answered) assert.ok(count > 0, name);
    t.diagnostic(`${[...load.answered.values()].reduce((sum, count) => sum + count, 0)} requests meanwhile, none failed`);
    assert.deepEqual(changed(before, await ids(project)), ['svc-clinic']);
    await until(async () => {
      const health = await project.compose('exec', '-T', 'gateway', 'node', '-e', "fetch('http://127.0.0.1:9464/health/ready').then((answer) => answer.text()).then(console.log)");
      const { parts } = JSON.parse(health) as { parts: Record<string, string> };
      return /^version 99\.0\.0; svc-clinic:4002 \([\d.]+\) ready$/.test(parts['clinic'] ?? '');
    });
  });

  test('a program that dies is started again', async () => {
    const [container] = (await project.containers()).get('svc-pharmacy') ?? [];
    assert.ok(container);
    process.kill(container.State.Pid, 'SIGKILL');
    const again = await until(async () => {
      const [now] = (await project.containers()).get('svc-pharmacy') ?? [];
      return now && now.RestartCount === container.RestartCount + 1 && now.State.Health?.Status === 'healthy' ? now : undefined;
    });
    assert.equal(again.Id, container.Id);
    await until(async () => (await fetch(`${project.url}/medicine?limit=1&search=a`)).status === 200);
  });

  test('every program ends by itself when it is told to, and what people did is there when all are started anew', async () => {
    const kept = await publicLists(project.url);
    await project.compose('stop');
    for (const [name, list] of await project.containers()) assert.deepEqual(list.map(({ State }) => [State.Status, State.ExitCode]), [['exited', 0]], name);
    await project.compose('down');
    await project.compose('up', '--detach', '--wait', '--wait-timeout', '300');
    assert.deepEqual(await publicLists(project.url), kept);
  });

  test('a backup is restored into an empty installation, and people sign in there as before', async () => {
    const register = { method: 'POST', json: { email: 'kept@clinic.example', password: 'Correct-horse-1', returnSecureToken: true } };
    assert.equal((await testFetch(project.url)('/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo-key', register)).status, 200);
    const mine = async (): Promise<unknown> => {
      const person = await signIn(project.url, 'kept@clinic.example', 'Correct-horse-1');
      const { user } = (await (await person('/jwt/session')).json()) as { user: unknown };
      return [user, await (await person('/appoinments?email=kept@clinic.example')).json()];
    };
    const kept = [await publicLists(project.url), await mine()];
    await project.compose('run', '--rm', '-T', 'backup');
    const [file, ...others] = await readdir(backups);
    assert.ok(file?.endsWith('.backup') && others.length === 0, String(file));

    await project.compose('down', '--volumes');
    await project.compose('up', '--detach', '--wait', 'mongo');
    await project.compose('run', '--rm', '-T', 'restore', 'verify', `/backups/${file}`);
    await project.compose('run', '--rm', '-T', 'restore', 'restore', `/backups/${file}`);
    await project.compose('up', '--detach', '--wait', '--wait-timeout', '300');
    assert.deepEqual([await publicLists(project.url), await mine()], kept);
  });

  test("programs refuse the demo's secrets and stand-ins where it is no demo", async () => {
    // The file alone, as a real installation has it.
    const runOnce = async (service: string): Promise<string> => {
      const { code, output } = await project.tryCompose('-f', 'docker-compose.yml', 'run', '--rm', '--no-deps', '-T', '-e', 'DEMO_MODE=false', service);
      assert.notEqual(code, 0, service);
      return output;
    };
    assert.match(await runOnce('svc-clinic'), /MONGODB_PASSWORD is the demo's, which everybody can read: outside of demo mode it must be one of your own/);
    assert.match(await runOnce('gateway'), /AUTH_EMULATOR_URL is only for demos/);
    assert.match(await runOnce('auth-emulator'), /needs DEMO_MODE=true/);
  });
});

/** Every container's id by its service. */
async function ids(project: ComposeProject): Promise<ReadonlyMap<string, string>> {
  const idsOf = (list: readonly Container[]): string => list.map(({ Id }) => Id).toSorted().join();
  return new Map([...(await project.containers())].map(([name, list]) => [name, idsOf(list)]));
}

function changed(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): readonly string[] {
  return all.filter((name) => before.get(name) !== now.get(name));
}

/** The version of each remote that pages are told. */
async function remotes(url: string): Promise<Record<string, string>> {
  const registry = (await (await fetch(`${url}/registry.json`)).json()) as Registry;
  return Object.fromEntries(registry.remotes.map(({ name, version }) => [name, version]));
}

/** What visitors ask svc-clinic for; each request is another one, as the gateway keeps public answers for a moment. */
async function errands(url: string): Promise<readonly Errand[]> {
  const patient = await signIn(url, demoAccounts.patient);
  let asked = 0;
  return [
    { service: 'clinic', safe: true, name: 'doctors', run: () => patient(`/doctors?limit=5&search=${(asked += 1)}`) },
    { service: 'clinic', safe: true, name: 'own appointments', run: () => patient(`/appoinments?email=${demoAccounts.patient}&limit=5`) },
    { service: 'identity', safe: true, name: 'own session', run: () => patient('/jwt/session') },
  ];
}

/** What visitors see, with the stock that was sold. */
function publicLists(url: string): Promise<readonly unknown[]> {
  return Promise.all(['/medicine', '/doctors'].map(async (path) => (await fetch(url + path)).json()));
}

async function signIn(url: string, email: string, password = demoPassword): Promise<TestFetch> {
  const proof = await testFetch(url)('/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo-key', { method: 'POST', json: { email, password, returnSecureToken: true } });
  const { idToken } = (await proof.json()) as { idToken: string };
  const answer = await testFetch(url)('/jwt', { method: 'POST', json: { email }, headers: { Authorization: `Bearer ${idToken}` } });
  assert.equal(answer.status, 200);
  return testFetch(url, { Cookie: answer.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ') });
}

/** Waits for what is to become so. @throws Error when it does not within a minute */
async function until<T>(isSo: () => Promise<T | false | undefined>): Promise<T> {
  const deadline = Date.now() + patience;
  for (;;) {
    const answer = await isSo();
    if (answer !== false && answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`not so after ${patience} ms: ${isSo.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
