// Creates the two folders of a new domain, its Compose file and its part of deploy/kubernetes, and adds them to the
// workspace; or a repository of its own for the domain.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runProgram } from '../program.ts';
import { root } from '../stack/settings.ts';
import { kitVersion } from '../kit/raise.ts';
import { readDomain, type Domain, type Standalone } from './domain.ts';
import { withOwners } from './owners.ts';
import { writeStandalone } from './standalone.ts';
import { writeFiles } from './write-files.ts';

await runProgram(() => {
  const domain = readDomain(process.argv.slice(2), root);
  if (domain.standalone === undefined) createHere(domain);
  else createStandalone(domain, domain.standalone);
});

function createHere(domain: Domain): void {
  for (const file of writeFiles(domain, root, kitVersion())) console.log(`  ${file}`);
  const folders = [`mf-${domain.name}`, `svc-${domain.name}`, `deploy/kubernetes/domains/${domain.name}`];
  format(
    root,
    folders.filter((folder) => existsSync(join(root, folder))),
  );
  const owners = join(root, 'CODEOWNERS');
  if (existsSync(owners)) writeFileSync(owners, withOwners(readFileSync(owners, 'utf8'), domain.name));
  const joined = joinWorkspace(domain);
  console.log(whatNext(domain, joined));
}

function createStandalone(domain: Domain, { folder, registry }: Standalone): void {
  for (const file of writeStandalone(domain, root, { folder, registry, kit: kitVersion() })) console.log(`  ${file}`);
  format(folder, ['.']);
  const { status } = spawnSync('git', ['init', '--quiet'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(`
Created the repository of the domain ${domain.name}${status === 0 ? '' : ', without git'}. Next, while ${registry} has the kit:

  cd ${folder}
  npm install && npm run check && npm test && npm run build

Its README.md says how to develop it in a running clinic, and how it is deployed.`);
}

/** Lays the files out as the checks require: a name's length decides where lines break. */
function format(folder: string, files: readonly string[]): void {
  spawnSync(join(root, 'node_modules/.bin/oxfmt'), files, {
    cwd: folder,
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

/** The digest that tells the bootstrap whether the installed libraries match the lock file. */
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
