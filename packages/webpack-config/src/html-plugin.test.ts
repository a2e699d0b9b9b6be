import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import webpack from 'webpack';
import { HtmlPlugin } from './html-plugin.ts';
import type { PageHtml } from './remote.ts';

const page = (body: string, imports = ''): string =>
  `import { definePage } from '@clinic/app-kit';\n${imports}\nexport default definePage({ Component: () => ${body} });\n`;

const files = {
  'package.json': '{"type":"module"}',
  'still.tsx': page('<h1>Still & {word}</h1>', "import { word } from './word.ts';"),
  'word.ts': "export const word: string = 'in a browser';\n",
  'word.html.ts':
    "import { place } from './place.ts';\nimport { word as other } from './word.ts';\nexport const word = `not ${other}, ${place}`;\n",
  'place.ts': "export const place = 'at home';\n",
  'place.html.ts': "export const place = 'on a server';\n",
  'lazy.ts': "export const word = 'of what loads later';\n",
  'window.tsx': page('<p>{window.innerWidth}</p>'),
  'doctors.tsx': page(
    '<Doctors />',
    `import { addCalls, useCall } from '@clinic/app-kit';
addCalls({ listDoctors: { path: '/doctors', access: { kind: 'everyone' } } } as never);
const load = () => import('./lazy.ts');
function Doctors() {
  return <p onClick={load}>{JSON.stringify(useCall('listDoctors' as never, {} as never).data)}</p>;
}`,
  ),
};

describe('the HTML of a remote', () => {
  let folder: string;
  before(async () => {
    // Where the repository's libraries are found.
    const cache = path.join(import.meta.dirname, '../.cache');
    await mkdir(cache, { recursive: true });
    folder = await mkdtemp(path.join(cache, 'html-plugin-'));
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  });
  after(() => rm(folder, { recursive: true }));

  /** @param html - how each page comes, by its file. @throws Error if the build fails */
  async function build(html: Readonly<Record<string, PageHtml>>) {
    const screens = Object.fromEntries(Object.keys(html).map((name) => [`/${name}`, `./${name}.tsx`]));
    const definition = {
      name: 'mf-lab',
      title: 'Lab',
      pages: [],
      redirects: [],
      screens,
      html: Object.fromEntries(Object.entries(html).map(([name, how]) => [`/${name}`, how])),
    };
    const plugin = new HtmlPlugin(definition, folder);
    const output = path.join(folder, 'dist');
    const compiler = webpack({
      mode: 'none',
      context: folder,
      entry: {},
      output: { path: output, clean: true },
      plugins: [plugin],
    });
    await new Promise<void>((resolve, reject) =>
      compiler.run((error, stats) => {
        const failed = error ?? stats?.compilation.errors[0];
        compiler.close(() => (failed ? reject(failed) : resolve()));
      }),
    );
    return { published: plugin.published, output };
  }

  it('is built of the same components, or left to the remote’s server', async () => {
    const { published, output } = await build({ still: 'built', doctors: 'rendered' });
    const still = published['/still'];
    assert.ok(typeof still === 'object');
    const text = await readFile(path.join(output, still.file), 'utf8');
    // With what stands in for a module on servers, and without what loads later.
    assert.equal(text, '<h1>Still &amp; not in a browser, on a server</h1>');
    assert.equal(still.integrity, `sha384-${createHash('sha384').update(text).digest('base64')}`);
    assert.equal(published['/doctors'], 'rendered');
    assert.deepEqual((await readdir(output)).toSorted(), ['html', 'html.cjs']);
    assert.doesNotMatch(await readFile(path.join(output, 'html.cjs'), 'utf8'), /of what loads later/);
  });

  it('fails the build of a page that needs data or a browser', async () => {
    await assert.rejects(build({ doctors: 'built' }), /\/doctors can’t be built as HTML: it needs \/doctors/);
    await assert.rejects(build({ window: 'rendered' }), /window is not defined/);
  });
});
