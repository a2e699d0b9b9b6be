// Domains are added and operated, and everything is upgraded while people use the clinic.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment } from '@clinic/svc-identity/contract/deployment-calls';
import { demoAccounts } from '@clinic/demo-data';
import type { TestFetch } from '@clinic/service-kit/testing';
import { imagesPrefix } from '../compose-project.ts';
import { signIn } from '../visitors.ts';
import { dental, domains, tellCompose } from './domains.ts';
import { imageOf, redeploy, release, unnoticed, versionThat } from './operate.ts';
import { all, frontEnds, project, remotes, services, until } from './project.ts';

const admin = (): Promise<TestFetch> => signIn(project.url, demoAccounts.admin);

for (const domain of domains) {
  const [service, name] = [`svc-${domain.name}`, `mf-${domain.name}`];

  test(`a domain ${domain.whose} joins the running clinic`, async (t) => {
    await domain.create();
    tellCompose(domain);
    assert.deepEqual(
      await unnoticed(t, async () => {
        await project.compose('up', '--detach', '--build', '--wait', service, name);
        // Old and new gateway run side by side for a while: pages of one ask the other for the new domain's files.
        await project.script('env', 'REDEPLOY_WATCH_SECONDS=10', 'docker/redeploy.sh', 'gateway');
        await until(
          async () =>
            (await fetch(`${project.url}/${domain.name}/entries`)).status === 401 &&
            name in (await remotes(project.url)),
        );
      }),
      ['gateway'],
    );
    assert.deepEqual(await unnoticed(t, () => project.compose('up', '--detach', '--wait')), []);
    const written = await (await admin())(`/${domain.name}/entries`, { method: 'POST', json: { title: 'Kept' } });
    assert.equal(written.status, 201, await written.text());
  });

  test(`what runs for the first domains runs for one ${domain.whose}, and each command says what it did`, async (t) => {
    const served = async (cookie?: string): Promise<string> =>
      (await remotes(project.url, cookie === undefined ? {} : { cookie }))[name] ?? '';
    const first = await served();
    /** A command of docs/operations.md, about this front-end. */
    const operate = async (command: string, meant: Readonly<Record<string, string>> = {}): Promise<string> => {
      const said = await project.documented(`docker compose exec svc-identity node src/releases.ts ${command}`, {
        'mf-clinic': name,
        ...meant,
      });
      if (!command.startsWith('list')) assert.match(said, /^(\d+) of \1 gateways do so now\.$/m, command);
      return said;
    };
    await domain.release(name, '99.0.0');
    assert.deepEqual(
      await unnoticed(t, async () => {
        if (domain.name === 'lab-results')
          await project.documented('docker compose build mf-clinic', { 'mf-clinic': name });
        await project.documented('docker compose run --rm --no-deps mf-clinic static-server add /app/dist', {
          'mf-clinic': name,
        });
        // True once the command returns: nothing is waited for.
        await operate('canary mf-clinic 1.3.0 --share 5%', { '1.3.0': '99.0.0', '5%': '50%' });
        const groups = Array.from({ length: 100 }, (_, group) => served(`release-group=${group}`));
        const versions = await Promise.all(groups);
        assert.equal(versions.filter((version) => version.startsWith('99.0.0+')).length, 50);
        assert.match(await operate('list mf-clinic'), /^50% of visitors get 99\.0\.0\+/m);
        await operate('stop mf-clinic');
        assert.equal(new Set(await Promise.all([1, 2, 3, 4].map((group) => served(`release-group=${group}`)))).size, 1);
      }),
      [],
    );
    await unnoticed(t, async () => {
      await redeploy(name);
      await until(async () => (await served()).startsWith('99.0.0+'));
      await operate('rollback mf-clinic');
      assert.equal(await served(), first);
      await operate('unpin mf-clinic');
      assert.match(await served(), /^99\.0\.0\+/);
      await project.documented('docker/redeploy.sh --back svc-clinic', { 'svc-clinic': name });
      await until(async () => (await served()) === first);
      await project.documented('docker/redeploy.sh --to 20261122-093000 svc-clinic', {
        'svc-clinic': name,
        '20261122-093000': await versionThat(name, 'ran before'),
      });
      await until(async () => (await served()).startsWith('99.0.0+'));
    });

    // Its service is deployed and rolled back like its front-end, and its visits are counted.
    const image = await imageOf(service);
    assert.match(await redeploy('--list', service), /^ {2}runs, without a version/m);
    await assert.rejects(redeploy('--back', service), /no other version ran before this one/);
    await domain.release(service, '99.0.0');
    await unnoticed(t, async () => {
      await project.documented('docker/redeploy.sh svc-dental', { 'svc-dental': service });
      assert.notEqual(await imageOf(service), image);
      await project.documented('docker/redeploy.sh --back svc-clinic', { 'svc-clinic': service });
      assert.equal(await imageOf(service), image);
    });
    await visit(name, await served());
    const admins = await admin();
    await until(async () => {
      const { frontEnds } = (await (await admins('/deployments')).json()) as {
        readonly frontEnds: readonly Deployment[];
      };
      const releases = frontEnds.find((frontEnd) => frontEnd.name === name)?.releases ?? [];
      return releases.length > 1 && releases.some(({ figures }) => (figures?.visits ?? 0) > 0);
    });
    // Prometheus finds its service as the gateway does.
    const ask = 'exec 3<>/dev/tcp/127.0.0.1/9464 && printf "GET /targets HTTP/1.0\\r\\n\\r\\n" >&3 && cat <&3';
    assert.match(
      await project.compose('exec', '-T', 'gateway', 'bash', '-c', ask),
      new RegExp(`"targets":\\["[\\d.]+:9464"\\],"labels":\\{"part":"${service}"\\}`),
    );
  });
}

test('operators name the version of a domain from another repository', async (t) => {
  await dental.release('svc-dental', '1.2.0');
  await project.script('docker', 'tag', `${imagesPrefix}/svc-dental:latest`, `${imagesPrefix}/svc-dental:1.2.0`);
  t.after(() => project.set({ DENTAL_VERSION: '' }));
  project.set({ DENTAL_VERSION: '1.2.0' });
  assert.match(
    await redeploy('svc-dental'),
    /deploying the existing image \S+\/svc-dental:1\.2\.0[\s\S]*svc-dental: 1\.2\.0 runs/,
  );
  await assert.rejects(redeploy('--back', 'svc-dental'), /svc-dental: \.env names the version 1\.2\.0/);
  project.set({ DENTAL_VERSION: '9.9.9' });
  await assert.rejects(redeploy('svc-dental'), /there is no image \S+\/svc-dental:9\.9\.9 on this machine/);
});

/** What a visitor's page reports. */
async function visit(remote: string, version: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' };
  const body = JSON.stringify({ visits: [{ remote, version }], vitals: [] });
  const answer = await fetch(`${project.url}/page-visits`, { method: 'POST', body, headers });
  assert.equal(answer.status, 204, await answer.text());
}

test('everything is upgraded, part by part', async (t) => {
  // Those two were deployed while people used the clinic, and have not changed since.
  const same = new Set(['mf-clinic', 'svc-pharmacy']);
  const parts = ['gateway', ...frontEnds, ...services].filter((part) => !same.has(part));
  for (const part of parts) await release(part, '100.0.0');
  // The shell's files don't contain its version: a new number alone builds the same image, which keeps running.
  await project.edit('shell/public/site.webmanifest', (text) =>
    text.replace('Waterlily Clinic', 'Waterlily Clinic 100'),
  );
  const now = await unnoticed(t, async () => {
    await project.documented('docker/redeploy.sh all');
    await until(async () =>
      Object.entries(await remotes(project.url)).every(
        ([name, version]) => !parts.includes(name) || version.startsWith('100.0.0+'),
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

test('a domain is removed: deletions no longer wait for its service', async (t) => {
  // As long as it runs, it notes itself again.
  await project.compose('stop', 'svc-lab-results');
  t.after(() => project.compose('up', '--detach', '--wait'));
  const retire = (): Promise<string> =>
    project.documented('docker compose exec svc-identity node src/retire-service.ts home-visits', {
      'home-visits': 'lab-results',
    });
  assert.match(await retire(), /^Deletions no longer wait for lab-results\.$/m);
  assert.match(await retire(), /^Deletions don’t wait for lab-results\.$/m);
});
