import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { RemoteDescriptor } from '@clinic/contracts/remotes';
import webpack from 'webpack';
import { RemoteDescriptorPlugin } from './remote-descriptor-plugin.ts';
import type { RemoteDefinition } from './remote.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'remote-descriptor-'));
  await writeFile(path.join(folder, 'index.js'), 'globalThis.visits = 1;');
});
after(() => rm(folder, { recursive: true, force: true }));

const definition: RemoteDefinition = {
  name: 'mf-lab',
  title: 'Laboratory',
  pages: [{ path: '/dash/lab', layout: 'dash', access: ['doctor'], title: 'Results' }],
  screens: { '/dash/lab': './index.js' },
  redirects: [],
};

/** Builds a remote. @returns what it publishes about itself */
async function describe(change: Partial<RemoteDefinition> = {}, entry = './index.js'): Promise<RemoteDescriptor> {
  const output = await mkdtemp(path.join(folder, 'dist-'));
  const compiler = webpack({
    mode: 'production',
    context: folder,
    entry,
    output: { path: output, filename: '[name].[contenthash:20].js', chunkFilename: '[name].[contenthash:20].js' },
    plugins: [new RemoteDescriptorPlugin({ ...definition, ...change }, '1.0.0')],
  });
  await new Promise<void>((resolve, reject) =>
    compiler.run((error, stats) => {
      const failed = error ?? (stats?.hasErrors() ? new Error(stats.toString('errors-only')) : undefined);
      compiler.close((unclosed) => (failed || unclosed ? reject(failed ?? unclosed) : resolve()));
    }),
  );
  return JSON.parse(await readFile(path.join(output, 'remote.json'), 'utf8')) as RemoteDescriptor;
}

test('the version differs with whatever remote.json says, and only then', async () => {
  const { version } = await describe();
  assert.match(version, /^1\.0\.0\+[0-9a-f]{8}$/);
  assert.equal((await describe()).version, version);
  const [page] = definition.pages;
  assert.ok(page);
  const changes: Partial<RemoteDefinition>[] = [
    { title: 'Lab' },
    { pages: [{ ...page, title: 'All results' }] },
    { redirects: [{ from: '/lab', to: '/dash/lab' }] },
    { slots: [{ slot: 'overview', order: 1, module: './index.js' }] },
  ];
  const versions = await Promise.all(changes.map(async (change) => (await describe(change)).version));
  assert.equal(new Set([version, ...versions]).size, changes.length + 1, versions.join());
});

test('a page as HTML needs what it otherwise loads late, if its stand-in has that; others don’t', async () => {
  const files = {
    'late.js': `import(/* webpackChunkName: "lower" */ './lower.js');`,
    'late.html.js': `import './lower.js';`,
    'lower.js': 'globalThis.lower = 1;',
    'details.js': 'globalThis.details = 1;',
    'page.js': `import './late.js'; import(/* webpackChunkName: "details" */ './details.js');`,
    'entry.js': `import(/* webpackChunkName: "page-lab" */ './page.js');`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const pages = [{ path: '/lab', layout: 'public', access: 'everyone', title: 'Lab' }] as const;
  const { htmlPreload } = await describe({ pages, html: { '/lab': 'rendered' } }, './entry.js');
  assert.deepEqual(Object.keys(htmlPreload ?? {}), ['/lab']);
  assert.match(String(htmlPreload?.['/lab']), /^lower\.[0-9a-f]{20}\.js$/);
  assert.deepEqual((await describe({ pages }, './entry.js')).htmlPreload, {});
});
