import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import atBuildLoader from './at-build-loader.ts';

it('replaces a module with its values, and names the folders to watch', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'at-build-'));
  t.after(() => rm(folder, { recursive: true }));
  const resourcePath = join(folder, 'sum.at-build.ts');
  await writeFile(
    resourcePath,
    'export const folders: string[] = [import.meta.dirname];\nexport const sum: number = await Promise.resolve(1 + 1);\n',
  );
  const watched: string[] = [];
  const code = await atBuildLoader.call({ resourcePath, addContextDependency: (path) => void watched.push(path) });
  assert.equal(code, 'export const sum = 2;');
  assert.deepEqual(watched, [folder]);
});
