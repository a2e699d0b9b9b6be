// Makes a release and checks one: `npm run release`. docs/releasing.md has the steps.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildKit } from '../kit/build.ts';
import { startRegistry } from '../kit/local-registry.ts';
import { publishKit } from '../kit/publish.ts';
import { raiseKit } from '../kit/raise.ts';
import { log, UserError } from '../log.ts';
import { runProgram } from '../program.ts';
import { root } from '../stack/settings.ts';
import { composeImages } from './docker.ts';
import { findBreaks } from './find-breaks.ts';
import { buildRelease, wrongImages } from './images.ts';
import { isLater, sectionOf, writeVersion } from './new-version.ts';
import { readKey, readList } from './signed-list.ts';

const usage = `npm run release -- VERSION          writes the version and its section of CHANGELOG.md
npm run release -- images           builds the images of that version, with bills of materials and the signed list
npm run release -- kit              publishes the kit to the registry that npm is configured for
npm run release -- kit --local      serves the kit to this machine, for trying it, until you press Ctrl-C
npm run release -- verify FOLDER    compares this machine's images with a signed list`;

await runProgram(async () => {
  const [what, folder, ...rest] = process.argv.slice(2);
  if (what === 'images' && folder === undefined) await images();
  else if (what === 'kit' && folder === undefined) kit();
  else if (what === 'kit' && folder === '--local' && rest.length === 0) await kitHere();
  else if (what === 'verify' && folder !== undefined && rest.length === 0) await check(folder);
  else if (what !== undefined && /^\d/.test(what) && folder === undefined) prepare(what);
  else throw new UserError(usage);
});

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new UserError(`${name} must name the file of a key: docs/releasing.md says how to make one.`);
  return value;
}

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new UserError(`git ${args.join(' ')}: ${stderr.trim()}`);
  return stdout.trim();
}

/** A release contains committed files only. */
function ensureCommitted(): void {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new UserError(`Commit these first; a release is made of commits only:\n${changed}`);
}

function prepare(version: string): void {
  ensureCommitted();
  const { broken } = findBreaks();
  if (broken.length > 0)
    throw new UserError(
      `Front-ends of an earlier release would break: \`npm run release:check\`.\n  ${broken.join('\n  ')}`,
    );
  writeVersion(root, version, new Date().toISOString().slice(0, 10));
  const kitVersion = raiseKit();
  console.log(`CHANGELOG.md and package.json are at ${version}, the kit is at ${kitVersion}. Read the section, then:

    npm run release:freeze
    git add --all && git commit --message "Release ${version}" && git tag v${version}
    npm run release -- kit
    npm run release -- images`);
}

function kit(): void {
  ensureCommitted();
  log('Building the kit …');
  const published = publishKit(buildKit());
  console.log(
    published.length > 0 ? `${published.length} packages are published.` : 'The registry has this kit already.',
  );
}

/** Serves the kit as it is in this folder, committed or not. */
async function kitHere(): Promise<void> {
  const folder = join(root, '.cache/kit-registry');
  // A version is published once; here it may have changed since.
  rmSync(folder, { recursive: true, force: true });
  log('Building the kit …');
  const packages = buildKit();
  const registry = await startRegistry(folder);
  try {
    process.env['npm_config_userconfig'] = registry.env['npm_config_userconfig'];
    publishKit(packages);
    console.log(`${registry.url} has the kit until you press Ctrl-C. In another terminal:

    npm run new:domain -- dental --standalone ../dental --local
    cd ../dental && npm install && npm run check && npm test && npm run build`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  } finally {
    await registry.close();
  }
}

/** The previous release: the next lower version in the changelog. */
function releaseBefore(changelog: string, version: string): string {
  const versions = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, found = '']) => found);
  return versions.find((other) => isLater(version, other)) ?? '';
}

async function images(): Promise<void> {
  ensureCommitted();
  const key = readKey(setting('RELEASE_KEY_FILE'), 'private');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  if (sectionOf(changelog, version) === undefined)
    throw new UserError(`CHANGELOG.md has no section ${version}: run npm run release -- VERSION first.`);
  const folder = join(root, 'release', version);
  if (existsSync(folder)) throw new UserError(`${folder} exists already. A release is built once: raise the version.`);
  log(`Building the images of ${version} …`);
  const list = await buildRelease(
    { version, commit: git('rev-parse', 'HEAD'), before: releaseBefore(changelog, version) },
    composeImages,
    key,
    folder,
  );
  console.log(`${list.images.length} images are built; ${folder} has their bills of materials and the signed list.`);
}

async function check(folder: string): Promise<void> {
  const list = readList(folder, readKey(setting('RELEASE_PUBLIC_KEY_FILE'), 'public'));
  const wrong = await wrongImages(list, composeImages);
  if (wrong.length > 0) throw new UserError(`Don't deploy ${list.version}:\n  ${wrong.join('\n  ')}`);
  console.log(
    `${list.version} is what was signed: ${list.images.length} images of ${list.commit}. The release before is ${list.before || 'none'}.`,
  );
}
