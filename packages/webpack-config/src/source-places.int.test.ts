import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startStaticServer, type StaticServer } from '@clinic/static-server';
import { pino } from 'pino';
import webpack from 'webpack';
import { SourcePlaces } from '../../../gateway/src/reports/sources/source-places.ts';
import { sourceMaps } from './base-config.ts';

let root: string;
let server: StaticServer;
let places: SourcePlaces;
/** The place of the error as a browser would report it. */
let reported: string;
const warnings: string[] = [];

const source = `const visits = [];

export function firstVisit() {
  if (visits.length === 0) throw new RangeError('no visits');
  return visits[0];
}

globalThis.firstVisit = firstVisit;
`;

/** Builds a small front-end as remotes are built, and deploys it. */
before(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'source-places-'));
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
  reported = `mf/mf-test/${script}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
  const releases = path.join(root, 'releases');
  server = await startStaticServer({ directory: path.join(app, 'dist'), releases, port: 0 });
  // The build's folder is no longer needed.
  await rm(app, { recursive: true });
  const servers = { 'mf-test': [server.url], shell: [server.url] };
  places = new SourcePlaces(servers, pino({ level: 'warn' }, { write: (line) => void warnings.push(line) }));
});
after(async () => {
  await places.stop();
  await server.close();
  await rm(root, { recursive: true, force: true });
});

test('finds an error’s place in the sources of a kept release', async () => {
  const [place = ''] = (await places.locate([reported, 'mf/mf-test/none.0123.js:1:1'])) ?? [];
  assert.match(place, /src\/visits\.js:4:\d+$/);
  assert.deepEqual((await places.locate([reported, 'shell/none.0123.js:1:1']))?.[1], 'shell/none.0123.js:1:1');
});

test('leaves unknown places as reported', async () => {
  for (const at of [[], ['shell/main.js:1:1'], ['mf/mf-test/..%2f..%2fx.js:1:1'], ['mf/mf-test/../x.js:1:1', 'x']])
    assert.equal(await places.locate(at), undefined, at.join());
  assert.deepEqual(warnings, []);
});

test('doesn’t hold up a flood of reports: the rest are logged as they came', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => places.locate([reported])));
  const found = answers.filter((answer) => answer !== undefined);
  assert.equal(found.length, 20);
});
