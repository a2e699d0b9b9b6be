import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { it } from 'node:test';
import unusedPartsLoader, { unusedParts } from './unused-parts-loader.ts';

const folderOf = (library: string): string =>
  path.dirname(findPackageJSON(library, import.meta.url) ?? assert.fail(library));

const files = ['react-router', '@module-federation/runtime-core', '@module-federation/webpack-bundler-runtime']
  .flatMap((library) =>
    globSync('dist/**/*.{js,mjs}', { cwd: folderOf(library) }).map((file) => path.join(folderOf(library), file)),
  )
  .map((resourcePath) => ({ resourcePath, text: readFileSync(resourcePath, 'utf8') }));

it('finds each part in the libraries’ installed versions, once', () => {
  for (const { file, part } of unusedParts) {
    const found = files
      .filter(({ resourcePath }) => file.test(resourcePath))
      .flatMap(({ text }) => text.match(new RegExp(part, 'gm')) ?? []);
    assert.equal(found.length, 1, part.source);
  }
});

it('leaves the rest as it is', () => {
  for (const { resourcePath, text } of files.filter((one) =>
    unusedParts.some(({ file }) => file.test(one.resourcePath)),
  )) {
    const lines = new Set(text.split('\n'));
    const added = unusedPartsLoader
      .call({ resourcePath }, text)
      .split('\n')
      .filter((line) => !lines.has(line));
    assert.deepEqual(
      added.filter(
        (line) =>
          !/return (?:\[false, null, \{\}\]|null|false);|no manifests|Entries are scripts|= undefined;|= false \? \(/.test(
            line,
          ),
      ),
      [],
    );
  }
});
