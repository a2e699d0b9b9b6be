// Domains are added and operated, and everything is upgraded while people use the clinic.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment } from '@clinic/svc-identity/contract/deployment-calls';
import { demoAccounts } from '@clinic/demo-data';
import type { TestFetch } from '@clinic/service-kit/testing';
import { frontEnds, imagesPrefix, services } from '../compose-project.ts';
import { signIn } from '../visitors.ts';
import { addDomains, dental, domains } from './domains.ts';
import { imageOf, redeploy, release, unnoticed, versionThat } from './operate.ts';
import { all, project, remotes, until } from './project.ts';

const admin = (): Promise<TestFetch> => signIn(project.url, demoAccounts.admin);

const addedServices = domains.map(({ name }) => `svc-${name}`);
const addedFrontEnds = domains.map(({ name }) => `mf-${name}`);
/** Does the same for both domains, side by side. */
const each = <T>(parts: readonly string[], work: (part: string) => Promise<T>): Promise<T[]> =>
  Promise.all(parts.map(work));

test('domains join the running clinic: one that the generator added here, one from another repository', async (t) => {
  await addDomains();
  assert.deepEqual(
    await unnoticed(t, async () => {
      await project.compose('up', '--detach', '--build', '--wait', ...addedServices, ...addedFrontEnds);
      // Old and new gateway run side by side for a while: pages of one ask the other for the new domains' files.
      await project.script('env', 'REDEPLOY_WATCH_SECONDS=10', 'docker/redeploy.sh', 'gateway');
      for (const { name } of domains)
        await until(
          async () =>
            (await fetch(`${project.url}/${name}/entries`)).status === 401 &&
            `mf-${name}` in (await remotes(project.url)),
        );
    }),
    ['gateway'],
  );
  assert.deepEqual(await unnoticed(t, () => project.compose('up', '--detach', '--wait')), []);
  for (const { name } of domains) {
    const written = await (await admin())(`/${name}/entries`, { method: 'POST', json: { title: 'Kept' } });
    assert.equal(written.status, 201, await written.text());
  }
});

test('what runs for the first domains runs for added ones, and each command says what it did', async (t) => {
  const served = async (name: string, cookie?: string): Promise<string> =>
    (await remotes(project.url, cookie === undefined ? {} : { cookie }))[name] ?? '';
  const areServed = (isSo: (version: string, index: number) => boolean): Promise<boolean> =>
    until(async () => (await each(addedFrontEnds, (name) => served(name))).every(isSo));
  const isNew = (version: string): boolean => version.startsWith('99.0.0+');
  const first = await each(addedFrontEnds, (name) => served(name));
  const isFirst = (version: string, index: number): boolean => version === first[index];
  /** A command of docs/operations.md, about a front-end. */
  const operate = async (
    command: string,
    name: string,
    meant: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const said = await project.documented(`docker compose exec svc-identity node src/releases.ts ${command}`, {
      'mf-clinic': name,
      ...meant,
    });
    if (!command.startsWith('list')) assert.match(said, /^(\d+) of \1 gateways do so now\.$/m, command);
    return said;
  };
  for (const domain of domains) await domain.release(`mf-${domain.name}`, '99.0.0');
  assert.deepEqual(
    await unnoticed(t, async () => {
      await project.documented('docker compose build mf-clinic', { 'mf-clinic': 'mf-lab-results' });
      await each(addedFrontEnds, async (name) => {
        await project.documented('docker compose run --rm --no-deps mf-clinic static-server add /app/dist', {
          'mf-clinic': name,
        });
        // True once the command returns: nothing is waited for.
        await operate('canary mf-clinic 1.3.0 --share 5%', name, { '1.3.0': '99.0.0', '5%': '50%' });
        const groups = Array.from({ length: 100 }, (_, group) => served(name, `release-group=${group}`));
        assert.equal((await Promise.all(groups)).filter(isNew).length, 50);
        assert.match(await operate('list mf-clinic', name), /^50% of visitors get 99\.0\.0\+/m);
        await operate('stop mf-clinic', name);
        const after = await Promise.all([1, 2, 3, 4].map((group) => served(name, `release-group=${group}`)));
        assert.equal(new Set(after).size, 1);
      });
    }),
    [],
  );
  await unnoticed(t, async () => {
    await redeploy(...addedFrontEnds);
    await areServed(isNew);
    await each(addedFrontEnds, async (name) => {
      await operate('rollback mf-clinic', name);
      assert.equal(await served(name), first[addedFrontEnds.indexOf(name)]);
      await operate('unpin mf-clinic', name);
      assert.match(await served(name), /^99\.0\.0\+/);
    });
    await project.documented('docker/redeploy.sh --back svc-clinic', { 'svc-clinic': addedFrontEnds.join(' ') });
    await areServed(isFirst);
    for (const name of addedFrontEnds)
      await project.documented('docker/redeploy.sh --to 20261122-093000 svc-clinic', {
        'svc-clinic': name,
        '20261122-093000': await versionThat(name, 'ran before'),
      });
    await areServed(isNew);
  });

  // Their services are deployed and rolled back like their front-ends, and visits are counted.
  const images = await each(addedServices, imageOf);
  for (const service of addedServices) {
    assert.match(await redeploy('--list', service), /^ {2}runs, without a version/m);
    await assert.rejects(redeploy('--back', service), /no other version ran before this one/);
  }
  for (const domain of domains) await domain.release(`svc-${domain.name}`, '99.0.0');
  await unnoticed(t, async () => {
    await project.documented('docker/redeploy.sh svc-dental', { 'svc-dental': addedServices.join(' ') });
    (await each(addedServices, imageOf)).forEach((image, index) => assert.notEqual(image, images[index]));
    await project.documented('docker/redeploy.sh --back svc-clinic', { 'svc-clinic': addedServices.join(' ') });
    assert.deepEqual(await each(addedServices, imageOf), images);
  });
  const admins = await admin();
  await each(addedFrontEnds, async (name) => {
    await visit(name, await served(name));
    await until(async () => {
      const { frontEnds } = (await (await admins('/deployments')).json()) as {
        readonly frontEnds: readonly Deployment[];
      };
      const releases = frontEnds.find((frontEnd) => frontEnd.name === name)?.releases ?? [];
      return releases.length > 1 && releases.some(({ figures }) => (figures?.visits ?? 0) > 0);
    });
  });
  // Prometheus finds their services as the gateway does.
  const ask = 'exec 3<>/dev/tcp/127.0.0.1/9464 && printf "GET /targets HTTP/1.0\r\n\r\n" >&3 && cat <&3';
  const targets = await project.compose('exec', '-T', 'gateway', 'bash', '-c', ask);
  for (const service of addedServices)
    assert.match(targets, new RegExp(`"targets":\\["[\\d.]+:9464"\\],"labels":\\{"part":"${service}"\\}`));
});

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
