// The Compose file that `npm run new:domain` writes, as Compose itself reads it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { kitVersion } from '../../scripts/kit/raise.ts';
import type { Domain } from '../../scripts/new-domain/domain.ts';
import { writeStandalone } from '../../scripts/new-domain/standalone.ts';
import { writeFiles } from '../../scripts/new-domain/write-files.ts';
import { root as repository } from '../../scripts/stack/settings.ts';

interface Container {
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets?: readonly { readonly source: string }[];
  readonly image: string;
  readonly [limit: string]: unknown;
}

/** Limits that a domain's containers share with the pharmacy's. */
const limits = [
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
];

for (const { name, of: whose, images, write } of [
  { name: 'lab-results', of: 'a new domain', images: 'clinic', write: writeFiles },
  {
    name: 'dental-care',
    of: 'a domain in a repository of its own',
    images: 'registry.example/dental',
    write: (domain: Domain, root: string, kit: string): void => {
      const folder = join(root, 'elsewhere');
      writeStandalone(domain, repository, { folder, kit, registry: 'https://npm.example/' });
      cpSync(join(folder, `docker-compose.${domain.name}.yml`), join(root, `docker-compose.${domain.name}.yml`));
    },
  },
])
  test(`the containers of ${whose} are restricted like the others, and the gateway finds them`, (t) => {
    const root = mkdtempSync(join(tmpdir(), 'domain-compose-'));
    t.after(() => rmSync(root, { recursive: true }));
    for (const file of ['docker-compose.yml', 'svc-pharmacy/Dockerfile']) {
      mkdirSync(join(root, file, '..'), { recursive: true });
      cpSync(join(repository, file), join(root, file));
    }
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
    write({ name, title: 'Its title', roles: ['doctor'] }, root, kitVersion());

    const env = {
      ...process.env,
      COMPOSE_FILE: `docker-compose.yml:docker-compose.${name}.yml`,
      EXTRA_SERVICES: `${name}=http://svc-${name}:4000`,
      EXTRA_REMOTES: `mf-${name}=http://mf-${name}:8080`,
      DENTAL_CARE_IMAGES: 'registry.example/dental',
    };
    const { services } = JSON.parse(
      execFileSync('docker', ['compose', 'config', '--format', 'json'], { cwd: root, env, encoding: 'utf8' }),
    ) as { services: Record<string, Container> };
    const of = (container: string): Container =>
      services[container] ?? assert.fail(`there is no container ${container}`);
    for (const kind of ['mf', 'svc']) {
      const [made, model] = [of(`${kind}-${name}`), of(`${kind}-pharmacy`)];
      for (const limit of limits) assert.deepEqual(made[limit], model[limit], `${kind} ${limit}`);
      assert.equal(made.image, `${images}/${kind}-${name}:latest`);
      assert.equal('build' in made, images === 'clinic', 'only what is here is built here');
    }
    const { environment, secrets } = of(`svc-${name}`);
    assert.deepEqual(
      [
        environment['MONGODB_DATABASE'],
        environment['MONGODB_USER'],
        environment['MONGODB_PASSWORD_FILE'],
        environment['LOW_STOCK_BELOW'],
      ],
      [name, name, `/run/secrets/mongo-${name}`, undefined],
    );
    assert.deepEqual(
      secrets?.map(({ source }) => source),
      [`mongo-${name}`, 'internal-calls'],
    );
    assert.ok(of('gateway').environment['SERVICES']?.endsWith(`,${name}=http://svc-${name}:4000`));
    assert.ok(of('gateway').environment['REMOTES']?.endsWith(`,mf-${name}=http://mf-${name}:8080`));
    // Compose would recreate a container with another configuration: the database and the other services must stay the same.
    const { services: before } = JSON.parse(
      execFileSync('docker', ['compose', '-f', 'docker-compose.yml', 'config', '--format', 'json'], {
        cwd: root,
        encoding: 'utf8',
      }),
    ) as { services: Record<string, Container> };
    for (const [other, container] of Object.entries(before))
      if (other !== 'gateway') assert.deepEqual(of(other), container, other);
  });
