// The real Dockerfiles and the real docker-compose.yml, run by a real engine. The embedded database replaces MongoDB,
// using docker-compose.embedded.yml, for machines without its image. `npm run test:compose` runs it.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import getPort from 'get-port';
import type { Registry } from '@clinic/contracts/remotes';
import { testFetch } from '@clinic/service-kit/testing';
import { startLoad } from '../../system-tests/src/restarts/load.ts';
import { composeFiles, openProject, type ComposeProject, type Container } from './compose-project.ts';
import { openVisitors, signIn } from './visitors.ts';

const repository = join(import.meta.dirname, '..', '..');
const frontEnds = ['shell', 'mf-public', 'mf-clinic', 'mf-pharmacy', 'mf-admin', 'mf-messages'];
const services = ['svc-identity', 'svc-clinic', 'svc-pharmacy', 'svc-messages'];
const all = ['balancer', 'gateway', ...frontEnds, ...services, 'auth-emulator', 'mongo'].toSorted();

/** Milliseconds until a change must be visible, on a busy machine. */
const patience = 60_000;

describe('docker compose', { timeout: 3_600_000 }, () => {
  let project: ComposeProject;
  let backups: string;
  before(async () => {
    backups = await mkdtemp(join(tmpdir(), 'clinic-compose-backups-'));
    // The container runs as another user.
    await chmod(backups, 0o777);
    // The journeys book on separate days, far from now.
    project = await openProject({ BACKUP_DIR: backups, CLINIC_BOOKING_HORIZON_DAYS: '1000' });
    // One by one: BuildKit in older engines can panic over two builds that share their stages.
    await project.documented('docker compose up -d --build --wait');
    await project.compose('build', 'backup');
  });
  after(async () => {
    await project?.close();
    await rm(backups, { recursive: true, force: true });
  });

  test('everything comes up healthy', async () => {
    await project.documented('docker compose logs');
    await project.documented('docker compose ps');
    const containers = await project.containers();
    assert.deepEqual([...containers.keys()].toSorted(), all);
    for (const [name, list] of containers)
      assert.deepEqual(
        list.map(({ State }) => State.Health?.Status),
        ['healthy'],
        name,
      );
  });

  // None of these changes a container, so they can run in parallel.
  describe('unchanged', { concurrency: true }, () => {
    test('each container has minimal rights and resource limits', async () => {
      for (const [name, [container]] of await project.containers()) {
        assert.ok(container);
        const { HostConfig, Config } = container;
        assert.equal(HostConfig.ReadonlyRootfs, true, name);
        assert.equal(Config.User, 'node', name);
        assert.deepEqual(HostConfig.CapDrop, ['ALL'], name);
        assert.equal(HostConfig.CapAdd, null, name);
        assert.deepEqual(HostConfig.SecurityOpt, ['no-new-privileges:true'], name);
        for (const limit of ['Memory', 'NanoCpus', 'PidsLimit'] as const)
          assert.ok(Number(HostConfig[limit]) > 0, `${name} has no limit of ${limit}`);
      }
    });

    test("only the balancer's port is published, and only on this machine", async () => {
      const published = [...(await project.containers())].flatMap(([name, list]) =>
        list.flatMap(({ HostConfig }) =>
          Object.entries(HostConfig.PortBindings).map(
            ([port, bindings]) => `${name} ${port} ${bindings.map(({ HostIp }) => HostIp).join()}`,
          ),
        ),
      );
      assert.deepEqual(published, ['balancer 8080/tcp 127.0.0.1']);
      // Metrics and health are on a port that only containers can reach.
      assert.equal((await fetch(`${project.url}/metrics`)).status, 404);
      const inside = await project.compose(
        'exec',
        '-T',
        'gateway',
        'node',
        '-e',
        "fetch('http://127.0.0.1:9464/metrics').then(({ status }) => console.log(status))",
      );
      assert.equal(inside.trim(), '200');
    });

    test('a container reaches only those it needs', async () => {
      const requests = {
        balancer: ['gateway', 'svc-clinic', 'mf-clinic', 'mongo'],
        gateway: ['svc-clinic', 'mongo'],
        'mf-clinic': ['svc-clinic', 'mongo'],
        'svc-clinic': ['mongo', 'svc-identity', 'mf-clinic'],
        'auth-emulator': ['mongo'],
      };
      const lookUp =
        "Promise.all(process.argv.slice(1).map((name) => require('dns').promises.lookup(name).then(() => 'found', () => 'hidden'))).then((answers) => console.log(answers.join()))";
      const rows = await Promise.all(
        Object.entries(requests).map(async ([from, names]) => {
          const answers = (await project.compose('exec', '-T', from, 'node', '-e', lookUp, ...names)).trim().split(',');
          return names.map((name, index) => [`${from} → ${name}`, answers[index]]);
        }),
      );
      const table: unknown = Object.fromEntries(rows.flat());
      assert.deepEqual(table, {
        'balancer → gateway': 'found',
        'balancer → svc-clinic': 'hidden',
        'balancer → mf-clinic': 'hidden',
        'balancer → mongo': 'hidden',
        'gateway → svc-clinic': 'found',
        'gateway → mongo': 'hidden',
        'mf-clinic → svc-clinic': 'hidden',
        'mf-clinic → mongo': 'hidden',
        'svc-clinic → mongo': 'found',
        'svc-clinic → svc-identity': 'found',
        'svc-clinic → mf-clinic': 'hidden',
        'auth-emulator → mongo': 'hidden',
      });
    });

    test('the journeys of patient, doctor, pharmacist and admin', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'clinic-compose-journeys-'));
      const report = join(folder, 'report.json');
      const child = spawn(
        join(repository, 'node_modules/.bin/playwright'),
        // The other journeys need more than these containers' limits on orders allow.
        ['test', '--project=desktop', `--output=${join(folder, 'results')}`, 'src/journeys/journeys.e2e.ts'],
        {
          cwd: join(repository, 'e2e'),
          env: { ...process.env, CLINIC_URL: project.url, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      const [code] = (await once(child, 'close')) as [number | null];
      assert.equal(code, 0, output);
      const { stats } = JSON.parse(await readFile(report, 'utf8')) as {
        stats: { expected: number; flaky: number; skipped: number };
      };
      assert.equal(stats.skipped, 0);
      assert.equal(stats.expected + stats.flaky, 5);
      await rm(folder, { recursive: true });
    });

    test("outside demo mode, programs refuse the demo's secrets and stand-ins", async () => {
      // The first file alone, as in a real installation.
      const ownSecret = ['-e', 'INTERNAL_SECRET_FILE=', '-e', `INTERNAL_SECRET=${'own'.repeat(16)}`];
      const rejections: readonly (readonly [readonly string[], RegExp])[] = [
        [['svc-clinic'], /INTERNAL_SECRET is the demo secret, which everyone can read: it must be your own/],
        [
          [...ownSecret, 'svc-clinic'],
          /MONGODB_PASSWORD is the demo password, which everyone can read: outside demo mode it must be your own/,
        ],
        [['gateway'], /AUTH_EMULATOR_URL is only for demos/],
        [['auth-emulator'], /needs DEMO_MODE=true/],
      ];
      await Promise.all(
        rejections.map(async ([args, why]) => {
          const { code, output } = await project.tryCompose(
            '-f',
            'docker-compose.yml',
            'run',
            '--rm',
            '--no-deps',
            '-T',
            '-e',
            'DEMO_MODE=false',
            ...args,
          );
          assert.notEqual(code, 0, args.join(' '));
          assert.match(output, why);
        }),
      );
    });
  });

  describe('while people use the clinic', () => {
    let before: ReadonlyMap<string, string>;
    /** Runs an operator's command and expects no visitor to notice. @returns the services whose containers changed */
    async function unnoticed(t: TestContext, work: () => Promise<unknown>): Promise<readonly string[]> {
      before = await ids(project);
      const visitors = await openVisitors(project.url);
      const load = startLoad(visitors.errands);
      try {
        await work();
      } finally {
        await load.end();
      }
      assert.deepEqual(
        load.failures.map(({ errand, what }) => `${errand.name}: ${what}`),
        [],
      );
      for (const { name } of visitors.errands)
        assert.ok((load.answered.get(name) ?? 0) > 0, `no request succeeded: ${name}`);
      await visitors.check(load.answered);
      t.diagnostic(
        `${[...load.answered.values()].reduce((sum, count) => sum + count, 0)} requests and first visits meanwhile, none failed`,
      );
      return changed(before, await ids(project));
    }
    const redeploy = (...args: readonly string[]): Promise<string> => project.script('docker/redeploy.sh', ...args);
    const release = (part: string, version: string): Promise<void> =>
      project.edit(`${part}/package.json`, (text) => text.replace(/"version": "[^"]+"/, `"version": "${version}"`));
    /** The gateway's entry for a part. */
    const stateOf = async (part: string): Promise<string> => {
      const health = await project.compose(
        'exec',
        '-T',
        'gateway',
        'node',
        '-e',
        "fetch('http://127.0.0.1:9464/health/ready').then((answer) => answer.text()).then(console.log)",
      );
      return (JSON.parse(health) as { parts: Record<string, string> }).parts[part] ?? '';
    };
    const imageOf = async (part: string): Promise<string | undefined> =>
      (await project.containers()).get(part)?.[0]?.Image;
    /** The kept versions of a part with their notes: `runs`, `ran before`. */
    const versions = async (part: string): Promise<ReadonlyMap<string, string>> => {
      const lines = (await redeploy('--list', part)).split('\n').filter((line) => line.startsWith('  '));
      return new Map(lines.map((line) => /^ {2}(\S+) ?(.*)$/.exec(line)?.slice(1, 3) as [string, string]));
    };
    const versionThat = async (part: string, note: string): Promise<string> =>
      [...(await versions(part))].find(([, notes]) => notes === note)?.[0] ??
      assert.fail(`no version of ${part} ${note}`);

    test('a service is deployed alone', async (t) => {
      await release('svc-clinic', '99.0.0');
      assert.deepEqual(await unnoticed(t, () => project.documented('docker/redeploy.sh svc-clinic')), ['svc-clinic']);
      await until(async () => /^version 99\.0\.0; svc-clinic:4002 \([\d.]+\) ready$/.test(await stateOf('clinic')));
    });

    test('a plain up then changes nothing; containers can be added and removed', async (t) => {
      assert.deepEqual(await unnoticed(t, () => project.documented('docker compose up -d --wait')), []);
      const first = await ids(project);
      assert.deepEqual(
        await unnoticed(t, async () => {
          await project.documented('docker compose up -d --scale svc-clinic=3');
          await until(async () => (await stateOf('clinic')).split(' ready').length === 4);
          await project.compose('up', '--detach', '--wait', '--scale', 'svc-clinic=3', '--scale', 'gateway=2');
        }),
        ['gateway', 'svc-clinic'],
      );
      assert.ok(
        (await ids(project)).get('svc-clinic')?.includes(first.get('svc-clinic') ?? '-'),
        'the first one keeps running',
      );
      // As many as are running now: the plain command goes back to one of each.
      assert.deepEqual(await unnoticed(t, () => project.compose('up', '--detach', '--wait')), [
        'gateway',
        'svc-clinic',
      ]);
      assert.deepEqual(
        [...(await project.containers()).values()].map((list) => list.length),
        all.map(() => 1),
      );
    });

    test('rolling back runs the previous image and builds nothing; no image is ever overwritten', async (t) => {
      const good = await versionThat('svc-clinic', 'ran before');
      const [goodImage, badImage] = [await imageIn(`clinic-test/svc-clinic:${good}`), await imageOf('svc-clinic')];
      const bad = await versionThat('svc-clinic', 'runs');
      // A change that a rollback must not deploy.
      await release('svc-clinic', '99.0.1');
      assert.deepEqual(await unnoticed(t, () => project.documented('docker/redeploy.sh --back svc-clinic')), [
        'svc-clinic',
      ]);
      assert.equal(await imageOf('svc-clinic'), goodImage);
      assert.deepEqual(
        [(await versions('svc-clinic')).get(good), (await versions('svc-clinic')).get(bad)],
        ['runs', 'ran before'],
      );
      assert.deepEqual(await unnoticed(t, () => project.documented('docker compose up -d')), []);

      assert.deepEqual(
        await unnoticed(t, () => project.script('env', `CLINIC_VERSION=${bad}`, 'docker/redeploy.sh', 'svc-clinic')),
        ['svc-clinic'],
      );
      assert.equal(await imageOf('svc-clinic'), badImage);
      await project.documented('docker/redeploy.sh --to 20261122-093000 svc-clinic', { '20261122-093000': bad });
      assert.match(
        await project.documented('docker/redeploy.sh --list svc-clinic'),
        new RegExp(`^  ${bad} runs$`, 'm'),
      );
      for (const [version, image] of [
        [good, goodImage],
        [bad, badImage],
      ] as const)
        assert.equal(await imageIn(`clinic-test/svc-clinic:${version}`), image, version);
      await assert.rejects(
        project.script('env', 'CLINIC_VERSION=1.0', 'docker/redeploy.sh', 'svc-clinic'),
        /there is no image clinic-test\/svc-clinic:1\.0\. Kept: \d{8}-\d{6}/,
      );
      assert.deepEqual(await unnoticed(t, () => project.compose('up', '--detach', '--wait')), []);
    });

    test('a remote is deployed alone while new visitors arrive; a rollback ends with the next deployment', async (t) => {
      const earlier = (await remotes(project.url))['mf-clinic'];
      await release('mf-clinic', '99.0.0');
      assert.deepEqual(
        await unnoticed(t, async () => {
          await redeploy('mf-clinic');
          await until(async () => (await remotes(project.url))['mf-clinic']?.startsWith('99.0.0+') === true);
        }),
        ['mf-clinic'],
      );
      const operate = (command: string): Promise<string> =>
        project.documented(`docker compose exec mf-clinic node packages/static-server/src/main.ts ${command}`);
      assert.ok(earlier && (await operate('list')).includes(earlier));
      assert.deepEqual(
        await unnoticed(t, async () => {
          await operate('rollback');
          await until(async () => (await remotes(project.url))['mf-clinic'] === earlier);
          await until(async () => /pinned by a rollback from 99\.0\.0\+/.test(await stateOf('mf-clinic')));
          await operate('unpin');
          await until(async () => (await remotes(project.url))['mf-clinic']?.startsWith('99.0.0+') === true);
          await operate('rollback');
          await until(async () => (await remotes(project.url))['mf-clinic'] === earlier);
        }),
        [],
      );
      await release('mf-clinic', '99.0.1');
      assert.deepEqual(
        await unnoticed(t, async () => {
          await redeploy('mf-clinic');
          await until(async () => (await remotes(project.url))['mf-clinic']?.startsWith('99.0.1+') === true);
        }),
        ['mf-clinic'],
      );
      assert.doesNotMatch(await stateOf('mf-clinic'), /pinned/);
    });

    test('a failed or interrupted deployment leaves the previous version running, and says so', async (t) => {
      const main = 'svc-pharmacy/src/main.ts';
      const [image, pharmacy] = [await imageOf('svc-pharmacy'), (await ids(project)).get('svc-pharmacy')];
      const called = async (why: RegExp): Promise<void> => {
        await assert.rejects(redeploy('svc-pharmacy'), why);
        assert.equal((await ids(project)).get('svc-pharmacy'), pharmacy);
      };
      // First a version that exits by itself, then one that never answers.
      await project.edit(main, (text) => `process.exit(3);\n${text}`);
      assert.deepEqual(
        await unnoticed(t, () =>
          called(/svc-pharmacy: the new version exits by itself[\s\S]*The previous version keeps running: 1 replica/),
        ),
        [],
      );
      await project.edit(main, (text) =>
        text.replace('process.exit(3);', 'await new Promise((resolve) => setTimeout(resolve, 3_600_000));'),
      );
      assert.deepEqual(
        await unnoticed(t, () =>
          project.script('env', 'REDEPLOY_WAIT_SECONDS=5', 'docker/redeploy.sh', 'svc-pharmacy').then(
            () => assert.fail('it has not failed'),
            (error: Error) => {
              assert.match(
                error.message,
                /did not answer within 5 s[\s\S]*REDEPLOY_WAIT_SECONDS=15 docker\/redeploy\.sh svc-pharmacy[\s\S]*The previous version keeps running: 1 replica/,
              );
            },
          ),
        ),
        [],
      );
      assert.deepEqual(await unnoticed(t, () => project.compose('up', '--detach', '--wait')), []);
      assert.equal(await imageOf('svc-pharmacy'), image);

      // Killed while both versions run side by side.
      const cut = project.start('docker/redeploy.sh', 'svc-pharmacy');
      await until(
        async () =>
          (await project.containers()).get('svc-pharmacy')?.filter(({ State }) => State.Status === 'running').length ===
          2,
      );
      cut.kill('SIGKILL');
      await cut.ended;
      await project.edit(main, (text) => text.replace(/^await.*\n/, ''));
      await release('svc-pharmacy', '99.0.0');
      assert.deepEqual(
        await unnoticed(t, async () =>
          assert.match(await redeploy('svc-pharmacy'), /an earlier run was interrupted; removing/),
        ),
        ['svc-pharmacy'],
      );
      assert.equal((await project.containers()).get('svc-pharmacy')?.length, 1);
    });

    test('the gateway is replaced, and a domain is added', async (t) => {
      await release('gateway', '99.0.0');
      assert.deepEqual(await unnoticed(t, () => redeploy('gateway')), ['gateway']);

      await project.addDomain('lab-results');
      const added = {
        EXTRA_SERVICES: 'lab-results=http://svc-lab-results:4000',
        EXTRA_REMOTES: 'mf-lab-results=http://mf-lab-results:8080',
        MONGODB_URI: 'mongodb://mongo:27017/?replicaSet=rs0',
        MONGODB_USER: '',
        MONGODB_PASSWORD_FILE: '',
      };
      project.set({ COMPOSE_FILE: `${composeFiles}:docker-compose.lab-results.yml`, ...added });
      assert.deepEqual(
        await unnoticed(t, async () => {
          await project.compose('up', '--detach', '--build', '--wait', 'svc-lab-results', 'mf-lab-results');
          await redeploy('gateway');
          await until(
            async () =>
              (await fetch(`${project.url}/lab-results/entries`)).status === 401 &&
              'mf-lab-results' in (await remotes(project.url)),
          );
        }),
        ['gateway'],
      );
      assert.deepEqual(await unnoticed(t, () => project.compose('up', '--detach', '--wait')), []);
    });

    test('everything is upgraded, part by part', async (t) => {
      const parts = ['gateway', ...frontEnds, ...services];
      for (const part of parts) await release(part, '100.0.0');
      // The shell's files don't contain its version: a new number alone builds the same image, which keeps running.
      await project.edit('shell/public/site.webmanifest', (text) =>
        text.replace('Waterlily Clinic', 'Waterlily Clinic 100'),
      );
      const now = await unnoticed(t, async () => {
        await project.documented('docker/redeploy.sh all');
        await until(async () =>
          Object.entries(await remotes(project.url)).every(
            ([name, version]) => name === 'mf-lab-results' || version.startsWith('100.0.0+'),
          ),
        );
        await until(async () =>
          (await (await fetch(`${project.url}/shell/site.webmanifest`)).text()).includes('Waterlily Clinic 100'),
        );
      });
      assert.deepEqual(
        now,
        all.filter((name) => parts.includes(name)),
      );
      assert.deepEqual(await unnoticed(t, () => project.compose('up', '--detach', '--wait')), []);
    });
  });

  test('a program that dies is restarted', async () => {
    const [container] = (await project.containers()).get('svc-pharmacy') ?? [];
    assert.ok(container);
    process.kill(container.State.Pid, 'SIGKILL');
    const again = await until(async () => {
      const [now] = (await project.containers()).get('svc-pharmacy') ?? [];
      return now?.RestartCount === container.RestartCount + 1 && now.State.Health?.Status === 'healthy' && now;
    });
    assert.equal(again.Id, container.Id);
    await until(async () => (await fetch(`${project.url}/medicine?limit=1&search=a`)).status === 200);
  });

  test('every program exits when asked to, and people’s data is there after all are restarted', async () => {
    const kept = await publicLists(project.url);
    await project.documented('docker compose stop');
    for (const [name, list] of await project.containers())
      assert.deepEqual(
        list.map(({ State }) => [State.Status, State.ExitCode]),
        [['exited', 0]],
        name,
      );
    await project.documented('docker compose down');
    await project.documented('docker compose up -d --wait');
    assert.deepEqual(await publicLists(project.url), kept);
  });

  test('a backup is restored into an empty installation, and people sign in there as before', async () => {
    const register = {
      method: 'POST',
      json: { email: 'kept@clinic.example', password: 'Correct-horse-1', returnSecureToken: true },
    };
    assert.equal(
      (await testFetch(project.url)('/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo-key', register))
        .status,
      200,
    );
    const mine = async (): Promise<unknown> => {
      const person = await signIn(project.url, 'kept@clinic.example', 'Correct-horse-1');
      const { user } = (await (await person('/jwt/session')).json()) as { user: unknown };
      return [user, await (await person('/appoinments?email=kept@clinic.example')).json()];
    };
    const kept = [await publicLists(project.url), await mine()];
    await project.documented('docker compose run --rm backup');
    const [file, ...others] = (await readdir(backups)).toSorted();
    assert.ok(file?.endsWith('.backup.age'), String(file));
    assert.deepEqual(others, ['clinic-backup.prom']);
    const { output } = await project.tryCompose(
      '-f',
      'docker-compose.yml',
      'run',
      '--rm',
      '--no-deps',
      '-T',
      '-e',
      'DEMO_MODE=false',
      'backup',
    );
    assert.match(output, /BACKUP_RECIPIENTS is not set: it must be the public key that backups are encrypted to/);
    await project.documented('docker compose run --rm backup backup /backups/clinic.backup.age');

    await project.compose('down', '--volumes', '--timeout', '0');
    await project.documented('docker compose up -d mongo --wait');
    await project.compose('run', '--rm', '-T', 'restore', 'verify', `/backups/${file}`);
    await project.compose('run', '--rm', '-T', 'restore', 'restore', `/backups/${file}`);
    await project.compose('up', '--detach', '--wait', '--wait-timeout', '300');
    assert.deepEqual([await publicLists(project.url), await mine()], kept);
  });

  test('a backup is tested beside the running clinic', async (t) => {
    const [file = ''] = (await readdir(backups)).toSorted();
    const [port, name] = [await getPort(), `${project.name}-trial`];
    const trial = (command: string): Promise<string> =>
      project.documented(command, {
        'docker compose': `COMPOSE_PROJECT_NAME=${name} PORT=${port} docker compose`,
        FILE: join(backups, file),
      });
    const before = await ids(project);
    t.after(() => project.remove(name));
    await trial('docker compose up -d --wait mongo');
    await trial('docker compose run --rm -T restore restore - < FILE');
    await trial('docker compose up -d --wait');
    const [kept, tried] = await Promise.all([publicLists(project.url), publicLists(`http://localhost:${port}`)]);
    assert.deepEqual(tried, kept);
    // The engine may refuse this for a moment; it is repeated above.
    await trial('docker compose down --volumes').catch((error: Error) => t.diagnostic(error.message));
    assert.deepEqual(changed(before, await ids(project)), []);
  });

  test('every Docker command on the pages was run here, with a few exceptions', () => {
    assert.deepEqual(project.untried(), [
      // For canaries: e2e/src/federation/canary.e2e.ts and packages/static-server/src/canary.int.test.ts.
      'docker compose build mf-clinic',
      'docker compose run --rm --no-deps mf-clinic node packages/static-server/src/main.ts add /app/dist',
      'docker compose exec mf-clinic node packages/static-server/src/main.ts canary 1.3.0 --share 5%',
      'docker compose exec mf-clinic node packages/static-server/src/main.ts stop',
      // For the first admin of a real installation: svc-identity/src/appoint-admin.int.test.ts.
      'docker compose exec svc-identity node src/appoint-admin.ts you@clinic.example',
      // For installations of before: scripts/compose/mongo-scripts.test.ts.
      'docker/database-user.sh messages',
      // After a canary; other front-ends are deployed with it above.
      'docker/redeploy.sh mf-clinic',
      // Needs programs that are not part of the clinic.
      'docker compose logs --no-log-prefix | grep \'"requestId":"…"\'',
      'docker compose run --rm backup backup /backups --keep 14 || mail -s "clinic: no backup" ops@clinic.example < /dev/null',
    ]);
  });
});

/** Every container's id by its service. */
async function ids(project: ComposeProject): Promise<ReadonlyMap<string, string>> {
  const idsOf = (list: readonly Container[]): string =>
    list
      .map(({ Id }) => Id)
      .toSorted()
      .join();
  return new Map([...(await project.containers())].map(([name, list]) => [name, idsOf(list)]));
}

function changed(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): readonly string[] {
  return all.filter((name) => before.get(name) !== now.get(name));
}

/** The version of each remote in the registry. */
async function remotes(url: string): Promise<Record<string, string>> {
  const registry = (await (await fetch(`${url}/registry.json`)).json()) as Registry;
  return Object.fromEntries(registry.remotes.map(({ name, version }) => [name, version]));
}

/** What visitors see, with the sold stock but without what changes with time. */
async function publicLists(url: string): Promise<readonly unknown[]> {
  const [medicine, doctors] = await Promise.all(
    ['/medicine', '/doctors'].map(async (path) => (await (await fetch(url + path)).json()) as object[]),
  );
  assert.ok(medicine?.length && doctors?.length);
  return [medicine, doctors.map((doctor) => ({ ...doctor, nextFree: undefined, bookableUntil: undefined }))];
}

/** The id of an image. */
async function imageIn(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', ['image', 'inspect', '--format', '{{.Id}}', name]);
  return stdout.trim();
}

/** Waits for a condition, for a minute. */
const until = <T>(check: () => Promise<T>): Promise<Exclude<T, false>> => waitUntil(check, patience);
