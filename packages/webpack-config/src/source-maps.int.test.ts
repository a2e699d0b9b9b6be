import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { startStaticServer } from '@clinic/static-server';
import webpack from 'webpack';
import { sourceMaps } from './base-config.ts';

const source = `const visits = [];

export function firstVisit() {
  if (visits.length === 0) throw new RangeError('no visits');
  return visits[0];
}

globalThis.firstVisit = firstVisit;
`;

test('finds an error’s place in the sources with the source map that a release keeps', async (t) => {
  const root = await mkdtemp(path.join(tmpdir(), 'source-maps-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  const app = path.join(root, 'mf-test');
  await mkdir(path.join(app, 'src'), { recursive: true });
  await writeFile(path.join(app, 'src/visits.js'), source);
  const compiler = webpack({
    mode: 'production',
    context: app,
    entry: './src/visits.js',
    output: { path: path.join(app, 'dist'), filename: '[name].[contenthash:20].js' },
    devtool: false,
    plugins: [sourceMaps(root)],
  });
  await new Promise<void>((resolve, reject) =>
    compiler.run((error, stats) => {
      const failed = error ?? (stats?.hasErrors() ? new Error(stats.toString('errors-only')) : undefined);
      compiler.close((unclosed) => (failed || unclosed ? reject(failed ?? unclosed) : resolve()));
    }),
  );
  const [script = ''] = (await readdir(path.join(app, 'dist'))).filter((name) => name.endsWith('.js'));
  const built = await readFile(path.join(app, 'dist', script), 'utf8');
  const lines = built.slice(0, built.indexOf('RangeError')).split('\n');
  const releases = path.join(root, 'releases');
  const server = await startStaticServer({ directory: path.join(app, 'dist'), releases, port: 0 });
  await server.close();
  const maps = path.join(releases, 'maps');
  const [version = ''] = await readdir(maps);
  const map = JSON.parse(await readFile(path.join(maps, version, `${script}.map`), 'utf8')) as SourceMapPayload;
  const place = new SourceMap(map).findOrigin(lines.length, (lines.at(-1) ?? '').length + 1);
  assert.ok('fileName' in place);
  assert.match(`${place.fileName}:${place.lineNumber}`, /src\/visits\.js:4$/);
});
