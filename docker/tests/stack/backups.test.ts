// Programs die, stop and start, and backups are restored.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { demoAccounts } from '@clinic/demo-data';
import { testFetch } from '@clinic/service-kit/testing';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { signIn } from '../visitors.ts';
import { added } from './domains.ts';
import { backups, changed, ids, project, publicLists, until } from './project.ts';

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
  await project.documented('docker compose up -d mongo --wait');
  await project.documented('docker compose up -d --wait');
  assert.deepEqual(await publicLists(project.url), kept);
});

test('a backup is restored into an empty installation beside the running clinic, and people sign in there as before', async (t) => {
  const register = {
    method: 'POST',
    json: { email: 'kept@clinic.example', password: 'Correct-horse-1', returnSecureToken: true },
  };
  // After a start, a gateway finds each program within a second.
  await until(
    async () =>
      (await testFetch(project.url)('/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo-key', register))
        .status === 200,
  );
  const contentOf = async (url: string): Promise<unknown> => {
    const person = await until(() => signIn(url, 'kept@clinic.example', 'Correct-horse-1'));
    const { user } = (await (await person('/jwt/session')).json()) as { user: unknown };
    // Also of domains that were added (they are, if the other tests ran before).
    const admin = await signIn(url, demoAccounts.admin);
    const entries = await Promise.all(
      added.map(({ name }) =>
        until(async () => {
          const answer = await admin(`/${name}/entries`);
          return answer.ok && ((await answer.json()) as object);
        }),
      ),
    );
    return [
      await publicLists(url),
      user,
      await (await person('/appoinments?email=kept@clinic.example')).json(),
      entries,
    ];
  };
  const [before, kept] = [await ids(), await contentOf(project.url)];
  await project.documented('docker compose run --rm backup');
  const [file = '', ...others] = (await readdir(backups)).toSorted();
  assert.ok(file.endsWith('.backup.age'), file);
  assert.deepEqual(others, ['clinic-backup.prom']);
  const { output } = await project.runOutsideDemo('backup');
  assert.match(output, /BACKUP_RECIPIENTS is not set: it must be the public key that backups are encrypted to/);
  await project.documented('docker compose run --rm backup backup /backups/clinic.backup.age');

  const [port, name] = [await holdPort(), `${project.name}-trial`];
  const url = `http://localhost:${port}`;
  const onTrial = `COMPOSE_PROJECT_NAME=${name} PORT=${port}`;
  const trial = (command: string): Promise<string> =>
    project.documented(command, { 'docker compose': `${onTrial} docker compose`, FILE: join(backups, file) });
  t.after(() => project.remove(name));
  await trial('docker compose up -d --wait mongo');
  await project.script(
    'env',
    ...onTrial.split(' '),
    'docker',
    'compose',
    'run',
    '--rm',
    '-T',
    'restore',
    'verify',
    `/backups/${file}`,
  );
  await trial('docker compose run --rm -T restore restore - < FILE');
  await trial('docker compose up -d --wait');
  assert.deepEqual(await contentOf(url), kept);
  // The engine may refuse this for a moment; it is repeated above.
  await trial('docker compose down --volumes').catch((error: Error) => t.diagnostic(error.message));
  assert.deepEqual(changed(before, await ids()), []);
});
