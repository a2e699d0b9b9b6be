// A remote is tried on part of the visitors, deployed and rolled back while people use the clinic.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redeploy, release, stateOf, unnoticed } from './operate.ts';
import { project, remotes, until } from './project.ts';

const operate = (command: string, meant?: Readonly<Record<string, string>>): Promise<string> =>
  project.documented(`docker compose exec svc-identity node src/releases.ts ${command}`, meant);
const served = async (): Promise<string> => (await remotes(project.url))['mf-clinic'] ?? '';

test('part of the visitors gets a canary, until it is stopped', async (t) => {
  const everybody = await served();
  /** Versions for visitors of many groups. */
  const versions = async (): Promise<ReadonlySet<string | undefined>> => {
    const cookies = Array.from({ length: 100 }, (_, group) => `release-group=${group}`);
    const answers = await Promise.all(cookies.map((cookie) => remotes(project.url, { cookie })));
    return new Set(answers.map((versionOf) => versionOf['mf-clinic']));
  };
  await release('mf-clinic', '99.0.0');
  assert.deepEqual(
    await unnoticed(t, async () => {
      await project.documented('docker compose build mf-clinic');
      await project.documented('docker compose run --rm --no-deps mf-clinic static-server add /app/dist');
      assert.deepEqual(await versions(), new Set([everybody]));
      await operate('canary mf-clinic 1.3.0 --share 5%', { '1.3.0': '99.0.0' });
      await until(async () => {
        const [canary, ...others] = [...(await versions())].filter((version) => version !== everybody);
        return canary?.startsWith('99.0.0+') === true && others.length === 0;
      });
      assert.ok((await versions()).has(everybody));
      assert.match(await operate('list mf-clinic'), /^5% of visitors get 99\.0\.0\+/m);
      await operate('stop mf-clinic');
      await until(async () => (await versions()).size === 1);
    }),
    [],
  );
  assert.deepEqual(await versions(), new Set([everybody]));
});

test('a remote is deployed alone while new visitors arrive; a rollback ends with the next deployment', async (t) => {
  const earlier = await served();
  assert.deepEqual(
    await unnoticed(t, async () => {
      await project.documented('docker/redeploy.sh mf-clinic');
      await until(async () => (await served()).startsWith('99.0.0+'));
    }),
    ['mf-clinic'],
  );
  assert.ok(earlier && (await operate('list mf-clinic')).includes(earlier));
  assert.deepEqual(
    await unnoticed(t, async () => {
      await operate('rollback mf-clinic');
      await until(async () => (await served()) === earlier);
      await until(async () => /pinned by a rollback from 99\.0\.0\+/.test(await stateOf('mf-clinic')));
      await operate('unpin mf-clinic');
      await until(async () => (await served()).startsWith('99.0.0+'));
      await operate('rollback mf-clinic');
      await until(async () => (await served()) === earlier);
    }),
    [],
  );
  await release('mf-clinic', '99.0.1');
  assert.deepEqual(
    await unnoticed(t, async () => {
      await redeploy('mf-clinic');
      await until(async () => (await served()).startsWith('99.0.1+'));
    }),
    ['mf-clinic'],
  );
  // The gateway may still list the server that was replaced, for a second.
  await until(async () => !/pinned/.test(await stateOf('mf-clinic')));
});
