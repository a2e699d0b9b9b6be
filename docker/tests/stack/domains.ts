// Domains that weren't there first: one that the generator adds to this repository, and one of another repository, of which the
// clinic's operators have nothing but a Compose file and images.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { linkLibraries } from '../../../e2e/src/support/copy-repository.ts';
import { readDomain } from '../../../scripts/new-domain/domain.ts';
import { writeStandalone } from '../../../scripts/new-domain/standalone.ts';
import { root } from '../../../scripts/stack/settings.ts';
import { checkedOften, composeFiles, copyRepository, imagesPrefix } from '../compose-project.ts';
import { release } from './operate.ts';
import { project } from './project.ts';

const run = promisify(execFile);
const options = ['--title', 'An added domain', '--roles', 'doctor,admin'];

/** A domain that the tests add to the running clinic. */
export interface AddedDomain {
  readonly name: string;
  /** Makes its files, so that the Compose file `docker-compose.NAME.yml` can start it. */
  create(): Promise<void>;
  /** Gives a part of it a version, as the team does before its operators deploy. */
  release(part: string, version: string): Promise<void>;
}

/** Those that have been added so far: backups must have them, too. */
export const added: AddedDomain[] = [];

const here: AddedDomain = {
  name: 'lab-results',
  create: () => project.addDomain('lab-results', options),
  release,
};

/** The other repository. Its images are built like the clinic's, for which it needs no registry with the kit. */
let elsewhere: string | undefined;
after(async () => {
  if (elsewhere !== undefined) await rm(elsewhere, { recursive: true });
});

/** Builds an image there, where the clinic's engine finds it under the name that .env gives. */
async function build(...parts: readonly string[]): Promise<void> {
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: `${project.name}-elsewhere`,
    COMPOSE_FILE: 'docker-compose.yml:docker-compose.dental.yml',
    CLINIC_IMAGES: imagesPrefix,
  };
  for (const part of parts) await run('docker', ['compose', 'build', part], { cwd: elsewhere, env, maxBuffer: 1e8 });
}

export const dental: AddedDomain = {
  name: 'dental',
  async create() {
    elsewhere = await copyRepository();
    await linkLibraries(elsewhere);
    await run(process.execPath, ['scripts/new-domain/main.ts', 'dental', ...options], { cwd: elsewhere });
    await build('svc-dental', 'mf-dental');
    // What the operators get of the team's repository.
    const folder = await mkdtemp(join(tmpdir(), 'clinic-dental-'));
    const domain = readDomain(['dental', ...options], root);
    writeStandalone(domain, root, { folder, kit: '1.0.0', registry: 'https://npm.example/' });
    await cp(join(folder, 'docker-compose.dental.yml'), join(project.folder, 'docker-compose.dental.yml'));
    await rm(folder, { recursive: true });
    await writeFile(join(project.folder, 'mongo-dental'), 'demo-only-mongo-dental');
    project.removesImagesOf('dental');
  },
  async release(part, version) {
    const file = join(elsewhere ?? '', part, 'package.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/"version": "[^"]+"/, `"version": "${version}"`));
    await build(part);
  },
};

export const domains: readonly AddedDomain[] = [here, dental];

/** Makes them, and tells Compose of them, as the first lines of their Compose files say. */
export async function addDomains(): Promise<void> {
  await Promise.all(domains.map((domain) => domain.create()));
  added.push(...domains);
  const names = domains.map(({ name }) => name);
  const checks = 'docker-compose.added-checks.yml';
  const parts = names.flatMap((name) => [`svc-${name}`, `mf-${name}`]);
  await writeFile(join(project.folder, checks), checkedOften(parts));
  project.set({
    COMPOSE_FILE: [composeFiles, ...names.map((name) => `docker-compose.${name}.yml`), checks].join(':'),
    EXTRA_SERVICES: names.map((name) => `${name}=http://svc-${name}:4000`).join(),
    EXTRA_REMOTES: names.map((name) => `mf-${name}=http://mf-${name}:8080`).join(),
    DENTAL_IMAGES: imagesPrefix,
    // The embedded database has no users.
    MONGODB_URI: 'mongodb://mongo:27017/?replicaSet=rs0',
    MONGODB_USER: '',
    MONGODB_PASSWORD_FILE: '',
  });
}
