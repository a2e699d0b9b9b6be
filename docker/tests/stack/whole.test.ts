// A domain is added, and everything is upgraded while people use the clinic.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeFiles } from '../compose-project.ts';
import { redeploy, release, unnoticed } from './operate.ts';
import { all, frontEnds, project, remotes, services, until } from './project.ts';

test('a domain is added', async (t) => {
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
