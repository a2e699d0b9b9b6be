// What containers may do and reach, and what people see: nothing here changes a container.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { demoPatients } from '@clinic/demo-data';
import { root as repository } from '../../../scripts/stack/settings.ts';
import { signIn } from '../visitors.ts';
import { watchTheClinic } from './prometheus.ts';
import { all, project, until } from './project.ts';

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
    const containers = await project.containers();
    for (const name of all) {
      const container = containers.get(name)?.[0];
      assert.ok(container, name);
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

  test('a request can be followed through the logs by its id', async () => {
    const answer = await fetch(`${project.url}/doctors/unknown`);
    const { requestId } = (await answer.json()) as { requestId: string };
    await until(async () => {
      const lines = await project.documented(`docker compose logs --no-log-prefix | grep '"requestId":"…"'`, {
        '…': requestId,
      });
      return lines.includes('"service":"gateway"') && lines.includes('"service":"clinic"');
    });
  });

  test('Prometheus scrapes every program, and has what every panel and every alert asks for', watchTheClinic);

  test('the journeys of patient, doctor, pharmacist and admin', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clinic-compose-journeys-'));
    const report = join(folder, 'report.json');
    const child = spawn(
      join(repository, 'node_modules/.bin/playwright'),
      // The other journeys need more than these containers' limits on orders allow.
      [
        'test',
        '--project=desktop',
        '--reporter=list,json',
        // The containers have limits on processors, too.
        '--timeout=900000',
        `--output=${join(folder, 'results')}`,
        'src/journeys/journeys.e2e.ts',
      ],
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
    assert.equal(stats.expected + stats.flaky, 4);
    await rm(folder, { recursive: true });
  });
});

// Not beside the others: `docker compose exec` may choose a container of `docker compose run`.
test("outside demo mode, programs refuse the demo's secrets and stand-ins", async () => {
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
      const { code, output } = await project.runOutsideDemo(...args);
      assert.notEqual(code, 0, args.join(' '));
      assert.match(output, why);
    }),
  );
});

// Not beside the journeys: those who sign in from one address in a minute are limited.
test('an operator appoints an admin', async () => {
  const email = demoPatients.at(-1)?.email ?? '';
  const person = await signIn(project.url, email);
  assert.equal((await person('/users')).status, 403);
  assert.match(
    await project.documented('docker compose exec svc-identity node src/appoint-admin.ts you@clinic.example', {
      'you@clinic.example': email,
    }),
    /is now an admin/,
  );
  assert.equal((await (await signIn(project.url, email))('/users')).status, 200);
});
