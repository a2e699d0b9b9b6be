import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack from 'webpack';
import { IntegrityPlugin } from './integrity-plugin.ts';

test('the loader waits for the hashes of scripts, and not of the one chunk that has styles only', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'integrity-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, 'style.css'), 'p { color: red }');
  await writeFile(path.join(folder, 'late.js'), 'import "./style.css"; export default 1;');
  await writeFile(path.join(folder, 'main.js'), 'import("./late.js").then(console.log);');
  const compiler = webpack({
    mode: 'production',
    context: folder,
    entry: './main.js',
    output: { path: path.join(folder, 'dist'), filename: 'main.js', chunkFilename: '[name].js', publicPath: '/' },
    module: {
      rules: [{ test: /\.css$/, use: [MiniCssExtractPlugin.loader, import.meta.resolve('css-loader').slice(7)] }],
    },
    optimization: {
      minimize: false,
      chunkIds: 'named',
      splitChunks: {
        cacheGroups: { styles: { name: 'styles', type: 'css/mini-extract', chunks: 'all', enforce: true } },
      },
    },
    plugins: [new MiniCssExtractPlugin(), new IntegrityPlugin()],
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  assert.deepEqual(stats?.toJson().errors, []);
  const loader = await readFile(path.join(folder, 'dist/main.js'), 'utf8');
  assert.deepEqual(/var styles = new Set\((.*)\);/.exec(loader)?.[1], '["styles"]');
});
