// docker/database-user.sh, with a command in Docker's place that says what Compose would.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root } from '../stack/settings.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'database-user-'));
});
after(() => rm(folder, { recursive: true }));

interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the script for the domain `lab`. @param config - what `docker compose config` prints */
async function run(config: string, running: string): Promise<Said> {
  const docker = join(folder, 'docker');
  await writeFile(
    docker,
    `#!/bin/sh\ncase "$*" in\n'compose config') cat <<'CONFIG'\n${config}\nCONFIG\n;;\n'compose ps'*) printf '${running}' ;;\n*) echo "asked: $*"; cat ;;\nesac\n`,
  );
  await chmod(docker, 0o755);
  return new Promise((resolve) => {
    execFile(
      join(root, 'docker/database-user.sh'),
      ['lab'],
      { env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const mongo = 'services:\n  mongo:\n    image: mongo:8.0';
/** Adds the service to a configuration. @param user - what it signs in with */
const withLab = (config: string, user = 'lab'): string =>
  `${config}\n  svc-lab:\n    environment:\n      MONGODB_USER: ${user}`;

test('says which service is missing', async () => {
  const { code, stdout, stderr } = await run(mongo, 'one');
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^There is no service svc-lab with a database: is docker-compose\.lab\.yml in COMPOSE_FILE\?/);
});

test('says that the embedded database has no users, and which settings a service that wants one needs', async () => {
  const embedded = `${mongo}\n    environment:\n      MONGO_EMBEDDED_PRIVATE_NETWORK: "true"`;
  const ready = await run(withLab(embedded, '""'), 'one');
  assert.equal(ready.code, 0);
  assert.match(ready.stdout, /^The embedded database has no users: svc-lab needs none, and nothing was changed\.$/m);
  const before = await run(withLab(embedded), 'one');
  assert.deepEqual([before.code, before.stdout], [1, '']);
  assert.match(before.stderr, /^MONGODB_URI=mongodb:.*\nMONGODB_USER=\nMONGODB_PASSWORD_FILE=$/m);
});

test('says that the database must run, and that the secret is missing', async () => {
  const stopped = await run(withLab(mongo), '');
  assert.deepEqual([stopped.code, stopped.stdout], [1, '']);
  assert.match(stopped.stderr, /^The container mongo is not running: start it first/);
  const without = await run(withLab(mongo), 'one');
  assert.equal(without.code, 1);
  assert.match(without.stderr, /^There is no secret mongo-lab: /);
});
