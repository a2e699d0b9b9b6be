// The Compose file that `npm run new:domain` writes, as Compose itself reads it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { kitVersion } from '../../scripts/kit/raise.ts';
import { writeFiles } from '../../scripts/new-domain/write-files.ts';
import { root as repository } from '../../scripts/stack/settings.ts';

interface Container {
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets?: readonly { readonly source: string }[];
  readonly image: string;
  readonly [limit: string]: unknown;
}

test('the containers of a new domain are restricted like the others, and the gateway finds them', () => {
  const root = mkdtempSync(join(tmpdir(), 'domain-compose-'));
  for (const file of ['docker-compose.yml', 'svc-pharmacy/Dockerfile']) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    cpSync(join(repository, file), join(root, file));
  }
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  writeFiles({ name: 'lab-results', title: 'Lab results', roles: ['doctor'] }, root, kitVersion());

  const env = {
    ...process.env,
    COMPOSE_FILE: 'docker-compose.yml:docker-compose.lab-results.yml',
    EXTRA_SERVICES: 'lab-results=http://svc-lab-results:4000',
    EXTRA_REMOTES: 'mf-lab-results=http://mf-lab-results:8080',
  };
  const { services } = JSON.parse(
    execFileSync('docker', ['compose', 'config', '--format', 'json'], { cwd: root, env, encoding: 'utf8' }),
  ) as { services: Record<string, Container> };
  const of = (name: string): Container => services[name] ?? assert.fail(`there is no container ${name}`);
  for (const kind of ['mf', 'svc']) {
    const [made, model] = [of(`${kind}-lab-results`), of(`${kind}-pharmacy`)];
    for (const limit of [
      'read_only',
      'cap_drop',
      'security_opt',
      'tmpfs',
      'deploy',
      'networks',
      'restart',
      'stop_grace_period',
      'logging',
      'depends_on',
    ]) {
      assert.deepEqual(made[limit], model[limit], `${kind} ${limit}`);
    }
    assert.equal(made.image, `clinic/${kind}-lab-results:latest`);
  }
  const { environment, secrets } = of('svc-lab-results');
  assert.deepEqual(
    [
      environment['MONGODB_DATABASE'],
      environment['MONGODB_USER'],
      environment['MONGODB_PASSWORD_FILE'],
      environment['LOW_STOCK_BELOW'],
    ],
    ['lab-results', 'lab-results', '/run/secrets/mongo-lab-results', undefined],
  );
  assert.deepEqual(
    secrets?.map(({ source }) => source),
    ['mongo-lab-results', 'internal-calls'],
  );
  assert.match(of('gateway').environment['SERVICES'] ?? '', /,lab-results=http:\/\/svc-lab-results:4000$/);
  assert.match(of('gateway').environment['REMOTES'] ?? '', /,mf-lab-results=http:\/\/mf-lab-results:8080$/);
  // Compose would recreate a container with another configuration: the database and the other services must stay the same.
  const { services: before } = JSON.parse(
    execFileSync('docker', ['compose', '-f', 'docker-compose.yml', 'config', '--format', 'json'], {
      cwd: root,
      encoding: 'utf8',
    }),
  ) as { services: Record<string, Container> };
  for (const [name, container] of Object.entries(before))
    if (name !== 'gateway') assert.deepEqual(of(name), container, name);
  rmSync(root, { recursive: true });
});
