import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countryOf, internationalPhone, phoneWords, searchedPhone } from './phone-numbers.ts';

const ways = [
  '01711-123456',
  '+880 1711 123456',
  '+880\u00a01711\u2011123456',
  '+880 (0)1711 123456',
  '00880 1711123456',
  '(01711) 123.456',
  '০১৭১১ ১২৩৪৫৬',
  '+٨٨٠ ١٧١١ ١٢٣٤٥٦',
  '1711123456',
];

test('is the same number however it is typed', () => {
  for (const typed of ways) assert.equal(internationalPhone(typed, 'BD'), '+8801711123456', typed);
  assert.equal(internationalPhone('+44 20 7946 0000', 'BD'), '+442079460000');
  assert.equal(internationalPhone('020 7946 0000', 'GB'), '+442079460000');
  for (const typed of ['123', '()', '']) assert.equal(internationalPhone(typed, 'BD'), '', typed);
});

test('is found by every beginning of each way to type it', () => {
  for (const stored of ways) {
    const words = phoneWords(stored, internationalPhone(stored, 'BD'));
    for (const typed of ways)
      for (let length = 3; length <= typed.length; length += 1) {
        const beginning = typed.slice(0, length);
        const word = searchedPhone(beginning);
        // Half a bracket with the zero says nothing yet; fewer digits aren't searched for.
        if (word === undefined || /\(0?$/.test(beginning)) continue;
        assert.ok(
          words.some((one) => one.startsWith(word)),
          `${beginning} doesn't find ${stored}`,
        );
      }
  }
  assert.deepEqual(phoneWords('333', ''), ['333']);
  assert.deepEqual(phoneWords(''), []);
});

test('is what a search is for only with three digits and nothing else', () => {
  for (const q of ['12', '+1 2', 'ann 123', '', '#12345', '4F09A1', '12:30'])
    assert.equal(searchedPhone(q), undefined, q);
  assert.equal(searchedPhone(' 017 '), '017');
});

test('belongs to a country that is known', () => {
  assert.equal(countryOf('BD'), 'BD');
  for (const code of ['bd', 'XX', '880', '']) assert.equal(countryOf(code), undefined, code);
});
