// Every link between the repository's pages leads to a file, and to a heading in it.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';

const pages = globSync('**/*.md', {
  cwd: root,
  exclude: (path) => /(?:^|\/)(?:node_modules|dist|test-results|\.\w+)$/.test(path),
});
const text = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The anchors of a page's headings, as code hosts make them. */
const anchorsOf = (page: string): readonly string[] =>
  [...text(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link between pages leads somewhere', () => {
  const links = pages.flatMap((page) =>
    [...text(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, file = '', anchor]) => ({
      page,
      target: file === '' ? page : join(dirname(page), file),
      anchor,
    })),
  );
  assert.ok(links.length > 200);
  assert.deepEqual(
    links.filter(
      ({ target, anchor }) =>
        !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
    ),
    [],
  );
});
