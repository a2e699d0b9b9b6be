// Services are deployed, scaled and rolled back while people use the clinic.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageOf, redeploy, release, restoreAfter, stateOf, unnoticed, versionThat, versions } from './operate.ts';
import { all, ids, imageIn, project, shortWatch, until } from './project.ts';

/**
 * Code for a service's main module: it crashes after a change, some seconds after the first one. Until then the deployment has seen
 * that the gateway found it, which it looks for twice a second.
 */
const crashWhenUsed = `let crashAt = Infinity;
(await import('node:diagnostics_channel')).subscribe('http.server.response.finish', ({ request }) => {
  if (request.method !== 'PATCH') return;
  crashAt = Math.min(crashAt, Date.now() + 30_000);
  if (Date.now() > crashAt) setTimeout(() => process.exit(3), 10);
});
`;

test('a service is deployed alone', async (t) => {
  await release('svc-clinic', '99.0.0');
  assert.deepEqual(await unnoticed(t, () => project.documented('docker/redeploy.sh svc-clinic')), ['svc-clinic']);
  await until(async () => /^version 99\.0\.0; svc-clinic:4002 \([\d.]+\) ready$/.test(await stateOf('clinic')));
});

test('a plain up then changes nothing; containers can be added and removed', async (t) => {
  assert.deepEqual(await unnoticed(t, () => project.documented('docker compose up -d --wait')), []);
  const first = await ids();
  assert.deepEqual(
    await unnoticed(t, async () => {
      await project.documented('docker compose up -d --scale svc-clinic=3');
      await until(async () => (await stateOf('clinic')).split(' ready').length === 4);
      await project.compose('up', '--detach', '--wait', '--scale', 'svc-clinic=3', '--scale', 'gateway=2');
    }),
    ['gateway', 'svc-clinic'],
  );
  assert.ok((await ids()).get('svc-clinic')?.includes(first.get('svc-clinic') ?? '-'), 'the first one keeps running');
  // As many as are running now: the plain command goes back to one of each.
  assert.deepEqual(await unnoticed(t, () => project.compose('up', '--detach', '--wait')), ['gateway', 'svc-clinic']);
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
  assert.match(await project.documented('docker/redeploy.sh --list svc-clinic'), new RegExp(`^  ${bad} runs$`, 'm'));
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

test('a failed or interrupted deployment leaves the previous version running, and says so', async (t) => {
  const main = 'svc-pharmacy/src/main.ts';
  await restoreAfter(t, main);
  const [image, pharmacy] = [await imageOf('svc-pharmacy'), (await ids()).get('svc-pharmacy')];
  const called = async (why: RegExp): Promise<void> => {
    await assert.rejects(redeploy('svc-pharmacy'), why);
    assert.equal((await ids()).get('svc-pharmacy'), pharmacy);
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
  // One that runs well until people have used it for a while. It crashes between two changes, as a visitor's change can't be repeated.
  await project.edit(main, (text) => text.replace(/^await.*\n/, crashWhenUsed));
  assert.deepEqual(
    await unnoticed(t, async () => {
      // Much longer than any machine needs from the first change to the crash: the new version is watched all the time.
      project.set({ REDEPLOY_WATCH_SECONDS: '240' });
      try {
        await called(/the new version ran and then exited[\s\S]*The previous version keeps running: 1 replica/);
      } finally {
        project.set({ REDEPLOY_WATCH_SECONDS: shortWatch });
      }
    }),
    [],
  );
  const listed = [...(await versions('svc-pharmacy')).values()];
  assert.equal(listed.filter((notes) => notes === 'failed').length, 2, 'two of the failed ones are kept, as such');
  assert.equal(listed.filter((notes) => notes === 'runs').length, 1);
  await project.edit(main, (text) =>
    text.replace(crashWhenUsed, 'await new Promise((resolve) => setTimeout(resolve, 3_600_000));\n'),
  );
  assert.deepEqual(await unnoticed(t, () => project.compose('up', '--detach', '--wait')), []);
  assert.equal(await imageOf('svc-pharmacy'), image);

  // Killed while both versions run side by side.
  const cut = project.start('docker/redeploy.sh', 'svc-pharmacy');
  await until(
    async () =>
      (await project.containers()).get('svc-pharmacy')?.filter(({ State }) => State.Status === 'running').length === 2,
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
