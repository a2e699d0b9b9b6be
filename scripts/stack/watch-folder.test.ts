import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { watchFolder } from './watch-folder.ts';

let folder: string;
let stop: () => void;
let seen: Set<string>;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-'));
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  writeFileSync(join(folder, 'src/deep/a.ts'), '0');
  stop = watchFolder(folder, (path) => void seen.add(path.slice(folder.length + 1)));
});
beforeEach(() => {
  seen = new Set();
});
after(() => {
  stop();
  rmSync(folder, { recursive: true });
});

/** Waits until a change of a path has been reported. */
async function reported(path: string): Promise<void> {
  await waitUntil(() => assert.ok(seen.has(path), `${path} was not reported, only ${[...seen].join(', ')}`));
  seen.clear();
}

/** Saves as most editors do. */
function replace(path: string, text: string): void {
  writeFileSync(join(folder, `${path}.tmp`), text);
  renameSync(join(folder, `${path}.tmp`), join(folder, path));
}

test('a file that is replaced again and again is reported each time', async () => {
  for (const text of ['1', '2', '3', '4']) {
    replace('src/deep/a.ts', text);
    await reported('src/deep/a.ts');
  }
  writeFileSync(join(folder, 'src/deep/a.ts'), '5');
  await reported('src/deep/a.ts');
});

test('files in the folder itself and new folders are reported, also after a folder was replaced', async () => {
  replace('remote.config.ts', '1');
  await reported('remote.config.ts');
  for (const round of ['first', 'second']) {
    mkdirSync(join(folder, 'public/icons'), { recursive: true });
    await reported('public');
    writeFileSync(join(folder, 'public/icons/a.svg'), round);
    await reported('public/icons/a.svg');
    rmSync(join(folder, 'public'), { recursive: true });
    await reported('public');
  }
});

test('tests, docs, builds and editors’ own files are not reported', async () => {
  mkdirSync(join(folder, 'dist'));
  for (const path of ['dist/main.js', 'src/a.test.ts', 'src/b.int.test.ts', 'README.md', 'src/a.ts~', 'src/.a.ts.swp'])
    writeFileSync(join(folder, path), '');
  writeFileSync(join(folder, 'src/last.ts'), '');
  await waitUntil(() => assert.deepEqual([...seen], ['src/last.ts']));
});
