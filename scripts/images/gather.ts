// Gathers the content of one image, so that its build stays cached when something else in the repository changes.
//
//   node scripts/images/gather.ts OUT [--build] [--merged] FOLDER…
//
// OUT/manifests  package.json files and a lock file with exactly the dependencies of the folders and the packages they
//                use (a new version of a folder that no other needs doesn't change them, so nothing is installed again)
// OUT/sources    their files, without tests
// --build        with the development dependencies of the named folders, which are to be built, not run
// --merged       one installation for all named folders, which stays the same if another folder with the same
//                dependencies is added
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isLeftOut, reduceLock, type Lock, type Manifest } from './reduce-lock.ts';

const root = join(import.meta.dirname, '..', '..');
const [out, ...rest] = process.argv.slice(2);
const named = rest
  .filter((argument) => !argument.startsWith('--'))
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .toSorted();
if (!out || named.length === 0) throw new Error('usage: gather.ts OUT [--build] [--merged] FOLDER…');

const read = <T>(file: string): T => JSON.parse(readFileSync(join(root, file), 'utf8')) as T;
const reduced = reduceLock({
  lock: read<Lock>('package-lock.json'),
  rootManifest: read<Manifest>('package.json'),
  manifestOf: (folder) => read<Manifest>(join(folder, 'package.json')),
  named,
  withDevelopment: rest.includes('--build'),
  merged: rest.includes('--merged'),
});

for (const [part, files] of [
  ['manifests', reduced.files],
  ['sources', reduced.manifests],
] as const) {
  for (const [file, content] of Object.entries(files)) {
    const target = join(out, part, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, `${JSON.stringify(content, null, 2)}\n`);
  }
}
for (const folder of reduced.folders) {
  // A front-end finds the contract of its service by name, although `--merged` doesn't install the service.
  if (!folder.includes('/') && !named.includes(folder)) {
    const link = join(out, 'sources', 'node_modules', read<Manifest>(join(folder, 'package.json')).name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(out, 'sources', folder)), link);
  }
  cpSync(join(root, folder), join(out, 'sources', folder), {
    recursive: true,
    // The manifests are already there, without development dependencies.
    filter: (source) => !isLeftOut(basename(source)) && source !== join(root, folder, 'package.json'),
  });
}
