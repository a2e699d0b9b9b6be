import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import webpack from 'webpack';
import { HtmlTemplatePlugin } from './html-template-plugin.ts';

test('the main script’s name changes with a script that is loaded with it, and with nothing else', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'html-template-'));
  try {
    const files = {
      'index.html': '<head><!-- assets --></head>',
      'theme.js': '1;',
      'main.js': `import { kit } from './kit.js'; document.title = kit;`,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
    await mkdir(path.join(folder, 'public'));
    const build = async (kit: string): Promise<string[]> => {
      await writeFile(
        path.join(folder, 'kit.js'),
        `export const kit = String(location.href + ${JSON.stringify(kit)});`,
      );
      return (await filesOf(folder)).filter((file) => /^(?:main|kit)\./.test(file)).toSorted();
    };
    const [first, again, changed] = [await build('a'), await build('a'), await build('b')];
    assert.deepEqual(again, first);
    assert.equal(changed.length, 2);
    assert.ok(changed.every((file) => !first.includes(file)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Builds a shell. @returns its files */
async function filesOf(folder: string): Promise<string[]> {
  const output = await mkdtemp(path.join(folder, 'dist-'));
  const compiler = webpack({
    mode: 'production',
    context: folder,
    entry: { main: './main.js' },
    output: { path: output, filename: '[name].[contenthash].js' },
    optimization: {
      splitChunks: { cacheGroups: { kit: { test: /kit\.js$/, name: 'kit', chunks: 'all', enforce: true } } },
    },
    plugins: [
      new HtmlTemplatePlugin({
        template: path.join(folder, 'index.html'),
        publicFolder: path.join(folder, 'public'),
        firstScript: path.join(folder, 'theme.js'),
        publicPath: '/shell/',
        preloadChunks: {},
        firstChunks: [],
        htmlChunks: [],
      }),
    ],
  });
  await new Promise<void>((resolve, reject) =>
    compiler.run((error, stats) => {
      const failed = error ?? (stats?.hasErrors() ? new Error(stats.toString('errors-only')) : undefined);
      compiler.close((unclosed) => (failed || unclosed ? reject(failed ?? unclosed) : resolve()));
    }),
  );
  return readdir(output);
}
