// Stores the builds of a release in the repository, so that later versions are tested with them.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { log, UserError } from '../log.ts';
import { runProgram } from '../program.ts';
import { buildChanged } from '../stack/build.ts';
import { frontEnds, services } from '../stack/parts.ts';
import { root } from '../stack/settings.ts';
import { keepSnapshot, snapshotOf } from './call-schemas.ts';
import { everyCall } from './every-call.ts';
import { changesSince } from './changes.ts';
import { findBreaks } from './find-breaks.ts';
import { freezeSurface } from './surface.ts';

const run = promisify(execFile);

/** Where the tests look for them (`e2e/src/support/previous.ts`). */
const previous = join(root, 'e2e/previous');

/** Where the tests look for the services' sources (`system-tests/src/upgrade`). */
const servicesArchive = join(root, 'system-tests/fixtures/services.tgz');

/** Files that a server doesn't need. */
const leftOut = /\.(?:br|gz|map)$/;

/** Maximum total size in bytes: every clone contains the archives. */
const most = 2_000_000;

await runProgram(freeze);

async function freeze(): Promise<void> {
  const broken = [...findBreaks().broken, ...(await changesSince()).breaking];
  if (broken.length > 0)
    throw new UserError(
      `Front-ends or services of an earlier release would break:\n  ${broken.join('\n  ')}\n\n\`npm run release:check\` says what to do.`,
    );
  await buildChanged();
  const scratch = await mkdtemp(join(tmpdir(), 'clinic-freeze-'));
  try {
    const archives = await Promise.all(frontEnds.map((name) => packFrontEnd(name, scratch)));
    const packed = await packServices(scratch);
    const sizes = await Promise.all(archives.map(async (file) => (await stat(file)).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (total > most) throw new UserError(`The builds are ${total} bytes in total; the maximum is ${most}.`);
    await mkdir(previous, { recursive: true });
    for (const file of await readdir(previous)) if (file.endsWith('.tgz')) await rm(join(previous, file));
    for (const [index, name] of frontEnds.entries()) {
      await cp(String(archives[index]), join(previous, `${name}.tgz`));
      log(`${name.padEnd(14)} ${Math.ceil((sizes[index] ?? 0) / 1024)} KB`);
    }
    await cp(packed, servicesArchive);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const today = new Date().toISOString().slice(0, 10);
  const snapshot = keepSnapshot(today, snapshotOf(everyCall));
  const added = await freezeSurface();
  if (added.length > 0) log(`New for remotes: ${added.join(', ')}`);
  console.log(
    `\ne2e/previous now has this release's front-ends, ${relative(root, servicesArchive)} its services, and ${snapshot} its calls. Commit them, and shell/src/federation/surface.json if it changed, with the release; \`npm test\` tests later versions with them.`,
  );
}

async function packFrontEnd(name: string, scratch: string): Promise<string> {
  const copy = join(scratch, name);
  await cp(join(root, name, 'dist'), copy, { recursive: true, filter: (source) => !leftOut.test(source) });
  return pack(copy);
}

/** Packs the sources of all services and of the packages they use, as in their images. */
async function packServices(scratch: string): Promise<string> {
  const gathered = join(scratch, 'services');
  const folders = services.map((name) => `svc-${name}`);
  await run(process.execPath, ['scripts/images/gather.ts', gathered, ...folders], { cwd: root });
  return pack(join(gathered, 'sources'));
}

/** Packs a folder without timestamps, so that equal content gives equal archives. @returns path of the archive */
async function pack(folder: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
  await Promise.all(files.map((file) => utimes(join(folder, file), 0, 0)));
  const archive = `${folder}.tgz`;
  await run('tar', ['-czf', archive, '--format=ustar', '-C', folder, ...files]);
  return archive;
}
