// Creates the two folders of a new domain, its Compose file and its part of deploy/kubernetes, and adds them to the
// workspace.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { UserError } from '../say.ts';
import { root } from '../stack/settings.ts';
import { readDomain, type Domain } from './domain.ts';
import { writeFiles } from './write-files.ts';

try {
  const domain = readDomain(process.argv.slice(2), root);
  for (const file of writeFiles(domain, root)) console.log(`  ${file}`);
  format(domain);
  const joined = joinWorkspace(domain);
  console.log(whatNext(domain, joined));
} catch (error) {
  console.error(error instanceof UserError ? error.message : (error as Error).stack);
  process.exitCode = 1;
} finally {
  if (process.connected) process.disconnect();
}

/** Lays the files out as `npm run check` requires: a name's length decides where lines break. */
function format({ name }: Domain): void {
  const folders = [`mf-${name}`, `svc-${name}`, `deploy/kubernetes/domains/${name}`];
  const written = folders.filter((folder) => existsSync(join(root, folder)));
  spawnSync(join(root, 'node_modules/.bin/oxfmt'), written, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

/**
 * Does what `npm install` would: links the new folders and adds them to the lock file. It needs no network, because all
 * libraries are already installed.
 *
 * @returns whether the lock file was written
 */
function joinWorkspace({ name }: Domain): boolean {
  const scope = join(root, 'node_modules/@clinic');
  mkdirSync(scope, { recursive: true });
  for (const folder of [`mf-${name}`, `svc-${name}`]) {
    const link = join(scope, folder);
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(relative(scope, join(root, folder)), link, 'dir');
  }
  const stamp = join(root, 'node_modules/.installed-for');
  const wasInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOfLock();
  const { status } = spawnSync(
    'npm',
    ['install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    },
  );
  // The installed libraries match the new lock file, so the next start needn't install everything again.
  if (status === 0 && wasInstalled) writeFileSync(stamp, digestOfLock());
  return status === 0;
}

/** The digest by which the bootstrap knows whether the installed libraries match the lock file. */
function digestOfLock(): string {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

function whatNext({ name, title, roles }: Domain, joined: boolean): string {
  const who = new Intl.ListFormat('en').format(roles.map((role) => `${role}s`));
  const aligned = (...lines: readonly (readonly [string, string])[]): string[] => {
    const width = Math.max(...lines.map(([left]) => left.length));
    return lines.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`);
  };
  return [
    '',
    `Created the domain ${name}: ${who} find '${title}' in their menu, at /dash/${name}; its calls are /${name}/….`,
    ...(joined ? [] : ['', "Couldn't write package-lock.json: run 'npm install' once."]),
    '',
    'Next:',
    ...aligned(
      [`npm test -w svc-${name} && npm test -w mf-${name}`, 'its own tests'],
      ['npm start', 'starts it with everything else'],
      [`svc-${name}/src/contract`, 'its calls: paths, who may make them, schemas'],
      [`mf-${name}/remote.config.ts`, 'its pages, who may open them, menu entries'],
    ),
    '',
    'To deploy it, only the gateway needs its address:',
    `  SERVICES=…,${name}=http://svc-${name}:4000    REMOTES=…,mf-${name}=http://mf-${name}:8080`,
    `With Docker Compose, docker-compose.${name}.yml does that, in Kubernetes deploy/kubernetes/domains/${name};`,
    'the first lines of both explain how.',
  ].join('\n');
}
