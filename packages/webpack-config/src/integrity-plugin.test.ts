import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack from 'webpack';
import { IntegrityPlugin } from './integrity-plugin.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'integrity-'));
after(() => rmSync(folder, { recursive: true }));

/** Builds a loader with one file of styles, as remotes have, and returns it. */
async function buildLoader(sources: Readonly<Record<string, string>>): Promise<string> {
  for (const [file, text] of Object.entries(sources)) writeFileSync(path.join(folder, file), text);
  const compiler = webpack({
    mode: 'development',
    devtool: false,
    context: folder,
    entry: './entry.js',
    output: { path: path.join(folder, 'dist'), filename: 'loader.js' },
    resolveLoader: { modules: [path.resolve(import.meta.dirname, '../../../node_modules')] },
    module: { rules: [{ test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] }] },
    optimization: {
      chunkIds: 'named',
      splitChunks: {
        cacheGroups: { styles: { type: 'css/mini-extract', name: 'styles', chunks: 'all', enforce: true } },
      },
    },
    plugins: [new MiniCssExtractPlugin({ filename: 'styles.css' }), new IntegrityPlugin()],
  });
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
    compiler?.run((error, result) => (error ? reject(error) : resolve(result)));
  });
  assert.deepEqual(stats?.compilation.errors, []);
  return readFileSync(path.join(folder, 'dist/loader.js'), 'utf8');
}

test('the loader waits for the hash of each script, and of none where a chunk has styles only', async () => {
  const loader = await buildLoader({
    'entry.js': 'import(/* webpackChunkName: "page" */ "./page.js");',
    'page.js': 'import "./page.css"; document.title = "page";',
    'page.css': 'p { color: red }',
  });
  assert.match(loader, /miniCssF/);
  assert.deepEqual(JSON.parse(/ofStyles = (\[.*?\])/.exec(loader)?.[1] ?? ''), ['styles']);
});
