import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack from 'webpack';
import { IntegrityPlugin } from './integrity-plugin.ts';

const cssLoader = createRequire(import.meta.url).resolve('css-loader');

test('each chunk with a script waits for hashes, whether the page names the styles or not; a chunk of styles doesn’t', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'clinic-integrity-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = {
    'index.mjs': `import('./page.mjs'); import('./later.mjs');`,
    'page.mjs': `import './page.css'; export const page = 1;`,
    'later.mjs': `export const later = 1;`,
    'page.css': `.page { color: red }`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const compiler = webpack({
    mode: 'production',
    context: folder,
    entry: './index.mjs',
    output: { path: path.join(folder, 'dist'), filename: 'main.js', chunkFilename: '[name].js', publicPath: '/mf/' },
    module: { rules: [{ test: /\.css$/, use: [MiniCssExtractPlugin.loader, cssLoader] }] },
    // As in remotes: all styles in one file, beside the chunks with scripts.
    optimization: {
      chunkIds: 'named',
      minimize: false,
      splitChunks: {
        cacheGroups: { styles: { name: 'styles', type: 'css/mini-extract', chunks: 'all', enforce: true } },
      },
    },
    plugins: [new MiniCssExtractPlugin({ filename: '[name].css', chunkFilename: '[name].css' }), new IntegrityPlugin()],
  });
  await new Promise<void>((resolve, reject) =>
    compiler.run((error, stats) => {
      const failed = error ?? (stats?.hasErrors() ? new Error(stats.toString('errors-only')) : undefined);
      compiler.close((unclosed) => (failed || unclosed ? reject(failed ?? unclosed) : resolve()));
    }),
  );
  const waited: string[] = [];
  const pending = new Promise<void>(() => undefined);
  const self = {
    clinicIntegrity: {
      has: () => true,
      get: () => undefined,
      wait: (href: string) => (waited.push(new URL(href).pathname), pending),
    },
  };
  const element = () => ({ addEventListener: () => undefined, setAttribute: () => undefined });
  const document = {
    createElement: element,
    head: { appendChild: () => undefined },
    getElementsByTagName: () => [],
  };
  const scope = { self, document, location: { href: 'http://clinic.example/' }, URL };
  runInNewContext(readFileSync(path.join(folder, 'dist', 'main.js'), 'utf8'), scope);
  assert.deepEqual(waited, ['/mf/page_mjs.js', '/mf/later_mjs.js']);
});
