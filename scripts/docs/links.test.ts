// What the repository's pages name exists: files, scripts, and the headings that links lead to.
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

test('every file that a page names exists', () => {
  const files = pages.flatMap((page) =>
    [...text(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.[a-z]\w*)`/g)].map(([, file = '']) => ({ page, file })),
  );
  assert.ok(files.length > 300);
  /** From the root, from the page or its sources, or in each part of a kind. */
  const places = ({ page, file }: (typeof files)[number]): string[] => [
    file,
    join(dirname(page), file),
    join(dirname(page), 'src', file),
    ...(file.startsWith('src/') ? globSync(`{mf,svc}-*/${file}`, { cwd: root }) : []),
  ];
  assert.deepEqual(
    files.filter(
      (named) =>
        // The example of a new domain.
        !named.file.includes('lab-results') && !places(named).some((place) => existsSync(join(root, place))),
    ),
    [],
  );
});

test('every npm script and every program that a page’s commands name exists', () => {
  const manifests = globSync(
    ['package.json', '{packages,stand-ins}/*/package.json', '{shell,mf-*,svc-*,gateway,e2e,bench}/package.json'],
    { cwd: root },
  );
  const scripts = new Set(
    manifests.flatMap((file) => Object.keys((JSON.parse(text(file)) as { readonly scripts?: object }).scripts ?? {})),
  );
  // Old entries of the changelog name old commands.
  const named = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) => [
      ...[...text(page).matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map(([, script = '']) => ({ page, script })),
      ...[...text(page).matchAll(/(?<![\w./-])((?:docker|deploy|scripts)\/[\w./-]+\.(?:sh|ts|mjs))\b/g)].map(
        ([, file = '']) => ({ page, file }),
      ),
    ]);
  assert.ok(named.length > 100);
  assert.deepEqual(
    named.filter((one) => ('script' in one ? !scripts.has(one.script) : !existsSync(join(root, one.file)))),
    [],
  );
});
