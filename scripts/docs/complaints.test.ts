// Every test that docs/complaints.md names exists, under that name.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';

const text = readFileSync(join(root, 'docs/complaints.md'), 'utf8');
const sections = text.split(/^## /m).slice(1);

test('each of the ten complaints has its threads, and a test that exists', () => {
  assert.equal(sections.length, 10);
  for (const section of sections) {
    const [, threads = ''] = /^Threads: (.+)\.$/m.exec(section) ?? [];
    for (const thread of threads.split(', ')) assert.match(thread, /^[\w.-]+\/[\w.-]+#\d+$/, section);
    const named = [...section.matchAll(/^- `([^`]+)`: “(.+)”$/gm)];
    assert.ok(named.length > 0, section);
    assert.equal(named.length, section.match(/^- /gm)?.length, section);
    for (const [, file = '', name = ''] of named) {
      const source = readFileSync(join(root, file), 'utf8');
      const titles = ["'", '`'].flatMap((quote) => [`test(${quote}${name}${quote}`, `it(${quote}${name}${quote}`]);
      assert.ok(
        titles.some((title) => source.includes(title)),
        `${file} has no test “${name}”`,
      );
    }
  }
});
