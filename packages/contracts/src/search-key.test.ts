import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { findingWords, keysFromEachWord, searchKey, searchWords } from './search-key.ts';

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

/** All the ways in which people may have typed the text. */
const spellings = (text: string): string[] => [
  text.normalize('NFD').toUpperCase(),
  text.toLowerCase(),
  ...forms.map((form) => text.normalize(form)),
];

it('is the same for texts that people consider equal', () => {
  const same = [
    ['İstanbul', 'istanbul', 'ISTANBUL', 'İSTANBUL'],
    ['Straße', 'STRASSE', 'STRAẞE'],
    ['Işık', 'IŞIK', 'ışık'],
    ['Ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ'],
    ['জয়া', 'জ\u09af\u09bcা'],
    ['বড়', 'ব\u09a1\u09bc'],
    ['Café', 'CAFE\u0301'],
    ['ﬁne', 'FINE'],
    ['ＡＢＣ １２', 'abc 12'],
    ['র\u200d্যাব', 'র্যাব'],
    ['Ann\u00a0 Lee', ' ann lee '],
    ['Ⅻ', 'xii'],
    ['Núñez', 'nunez', 'NUN\u0303EZ'],
    [
      "O'Brien",
      'O’Brien',
      'O‘Brien',
      'Oʼbrien',
      'O`Brien',
      'O´Brien',
      'O＇Brien',
      'O‑Brien',
      'o-brien',
      'O–Brien',
      'obrien',
    ],
    ['Đặng', 'dang'],
    ['Søren Łukasz Æbelø', 'soren lukasz aebelo'],
    ['Ёлкин', 'елкин'],
    ['Ώρα', 'ωρα'],
    ['مُحَمَّد', 'محمد'],
    ['০১৭১১ ১২', '01711 12', '٠١٧١١ ١٢', '०१७११ १२'],
  ];
  for (const [first = '', ...others] of same)
    for (const other of others) assert.equal(searchKey(other), searchKey(first), first);
});

it('differs for texts that people consider different', () => {
  for (const [one, other] of [
    ['কলি', 'কলী'],
    ['কি', 'ক'],
    ['が', 'か'],
    ['Müller', 'Mueller'],
    ['ann', 'anna'],
    ['য', 'য়'],
  ] as const)
    assert.notEqual(searchKey(one), searchKey(other));
});

it('doesn’t depend on how a character is typed', () => {
  // Above are ideographs, which have one form, and unassigned code points.
  for (let code = 0; code <= 0x1_ffff; code += 1) {
    // Lone surrogates aren't text.
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const text = `x${String.fromCodePoint(code)}y`;
    const key = searchKey(text);
    // Most have one form, in small and in capital letters.
    for (const spelling of new Set([key, ...spellings(text)]))
      if (spelling !== text && searchKey(spelling) !== key) assert.fail(`U+${code.toString(16)} has several keys`);
  }
});

it('doesn’t depend on how a text is typed, and is limited in length', () => {
  const letters = fc.constantFrom(
    ...'iIıİσςΣßẞéÅ ǰŉﬃㄱ가힣'.split(''),
    '\u0301',
    '\u0307',
    '\u0323',
    '\u0345',
    '\u09af',
    '\u09bc',
    '\u09df',
    '\u09cd',
    '\u200d',
    '\ufe0f',
    '\u0f73',
    '🧑',
    '\u{1e921}',
    'ﷺ',
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: letters, maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 40 })),
      (text) => {
        const key = searchKey(text);
        for (const spelling of [key, ...spellings(text)]) assert.equal(searchKey(spelling), key);
        assert.equal(key.isWellFormed(), true);
      },
    ),
    { numRuns: 5_000 },
  );
  for (const long of ['ﷺ'.repeat(200), '𞤡'.repeat(400), `${'a'.repeat(399)}𞤡`]) {
    const key = searchKey(long);
    assert.ok(key.length > 390 && key.length <= 400 && key.isWellFormed());
    assert.equal(searchKey(key), key);
  }
});

it('is a prefix of the key of a longer text, so that the beginning of a word finds it', () => {
  for (const [beginning, text] of [
    ['জ\u09af', 'জয়া'],
    ['stras', 'Straße'],
    ['Ἰ', 'Ἰωάννης'],
    ['ist', 'İstanbul'],
  ] as const)
    assert.ok(searchKey(text).startsWith(searchKey(beginning)), text);
});

it('keeps each word of the texts once, and drops those without letter or digit', () => {
  assert.deepEqual(searchWords("Anne-Marie O'Neil", 'anne@mail.example'), [
    'annemarie',
    'oneil',
    'anne',
    'mail',
    'example',
  ]);
  assert.deepEqual(searchWords('জয়া রহমান', '৭'), ['জ\u09af\u09bcা', 'রহমান', '7']);
  for (const text of ['', '---', ' . ', '@', '🧑', '\u200b']) assert.deepEqual(searchWords(text), [], text);
});

it('finds what follows an apostrophe or hyphen', () => {
  assert.deepEqual(findingWords("Anne-Marie-Lou O'Neil", 'a-b@mail.example'), [
    'annemarielou',
    'oneil',
    'ab',
    'mail',
    'example',
    'marielou',
    'lou',
    'neil',
    'b',
  ]);
  assert.deepEqual(keysFromEachWord("  Anne-Marie  O'Neil "), ['annemarie oneil', 'marie oneil', 'oneil', 'neil']);
  for (const text of ['', '-', " ' "]) {
    assert.deepEqual(findingWords(text), []);
    assert.deepEqual(keysFromEachWord(text), []);
  }
});

it('sorts names as people do', () => {
  const names = [
    'Zoë',
    'Ärzte',
    'Arzt',
    'Azra',
    'Ñato',
    'Nunez',
    'Núria',
    'Oslo',
    'Øre',
    'Östlund',
    'émile',
    'Eve',
    'Čapek',
    'Cid',
    'Đặng',
    'Daud',
    'Lukas',
    'Łucja',
  ];
  const byKey = names.toSorted((one, other) => (searchKey(one) < searchKey(other) ? -1 : 1));
  assert.deepEqual(byKey, names.toSorted(new Intl.Collator('en', { sensitivity: 'base' }).compare));
});
