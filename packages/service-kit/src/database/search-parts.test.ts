import assert from 'node:assert/strict';
import { it } from 'node:test';
import { searchKey } from '@clinic/contracts/search-key';
import fc from 'fast-check';
import { beginsPart, containsKey, countsKey, isLongerThanParts, searchParts } from './search-parts.ts';

const letters = fc.constantFrom(...'abcß é.*(|\\\n'.split(''), '\u09af', '\u09bc', '\u09cd', '🧑', '\u{1e922}', 'ﷺ');
const texts = fc.string({ unit: letters, maxLength: 60 });

const isFound = (parts: readonly string[], key: string): boolean => {
  const begins = new RegExp(beginsPart(key).$regex, 'u');
  return parts.some((part) => begins.test(part));
};

it('finds every text by each of its parts, and nothing else unless the search is long', () => {
  fc.assert(
    fc.property(texts, texts, fc.nat(), fc.nat({ max: 40 }), (text, other, from, length) => {
      const key = searchKey(text);
      const parts = searchParts(key);
      const start = from % (key.length + 1);
      for (const asked of [searchKey(key.slice(start, start + length)), searchKey(other)]) {
        if (asked === '' || !asked.isWellFormed()) continue;
        const [found, contained] = [isFound(parts, asked), key.includes(asked)];
        if (contained || !isLongerThanParts(asked)) assert.equal(found, contained, `${asked} in ${key}`);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('keeps one part for each letter that a search can begin with, of at most 24 units', () => {
  assert.deepEqual(searchParts('ab ab', 'b'), ['ab ab', 'b ab', 'ab', 'b']);
  assert.deepEqual(searchParts(''), []);
  const parts = searchParts(`${'x'.repeat(23)}🧑${'y'.repeat(400)}`);
  assert.ok(parts.every((part) => part.length <= 24 && part.isWellFormed()));
  assert.equal(parts[0], 'x'.repeat(23));
});

it('matches the text itself, too, as parts may be out of date', () => {
  assert.deepEqual(containsKey<{ key: string; parts: string[] }>('5 (a)', 'key', 'parts'), {
    key: { $regex: '5 \\(a\\)' },
    parts: { $regex: '^5 \\(a\\)' },
  });
});

it('counts by the parts alone, unless these are too short', () => {
  interface Row {
    key: string;
    parts: string[];
  }
  assert.deepEqual(countsKey<Row>('5 (a)', 'key', 'parts'), { parts: { $regex: '^5 \\(a\\)' } });
  const long = 'x'.repeat(25);
  assert.deepEqual(countsKey<Row>(long, 'key', 'parts'), containsKey<Row>(long, 'key', 'parts'));
});
