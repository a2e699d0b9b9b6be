// Links between the documents lead to files and headings that exist.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';

const documents = globSync('**/*.md', { cwd: root, exclude: (path) => /node_modules|\.data|dist/.test(path) });
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** A heading as GitHub links to it. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('every link from a document to a file or heading leads somewhere', () => {
  const links = documents.flatMap((document) =>
    [...textOf(document).matchAll(/\]\((?![a-z]+:|\/)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(([, path = '', anchor]) => ({
      document,
      target: path === '' ? document : normalize(join(dirname(document), path)),
      anchor,
    })),
  );
  assert.ok(links.length > 200, String(links.length));
  const lost = links.filter(
    ({ target, anchor }) =>
      !existsSync(join(root, target)) ||
      (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor)),
  );
  assert.deepEqual(lost, []);
});
