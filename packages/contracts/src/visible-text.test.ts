import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { withoutInvisible } from './visible-text.ts';

/** Escaped, because a failure with invisible characters would be unreadable otherwise. */
const shown = (text: string): string =>
  text.replace(/[^ -~]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);

it('removes direction controls and zero-width characters', () => {
  for (const hidden of [
    '\u061c',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
    '\u200b',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u180e',
    '\u034f',
    '\u3164',
    '\u{e0041}',
    '\u{e0100}',
    '\ufff9',
  ]) {
    assert.equal(shown(withoutInvisible(`Ann${hidden}a`)), 'Anna', shown(hidden));
    assert.equal(withoutInvisible(hidden), '', shown(hidden));
  }
  assert.equal(withoutInvisible('Dr. \u202egnp.exe\u202c'), 'Dr. gnp.exe');
});

it('keeps joiners if letters or emoji need them', () => {
  const needed = [
    'র\u200d্যাব',
    'ক্\u200cষ',
    'ক্\u200dষ',
    'می\u200cخواهم',
    'क्\u200dष',
    'ක්\u200dෂ',
    '👩\u200d⚕\ufe0f',
    '🧑🏽\u200d⚕\ufe0f',
    '❤\ufe0f',
    '1\ufe0f\u20e3',
    '🏳\ufe0f\u200d🌈',
    '👨\u200d👩\u200d👧',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '葛\u{e0100}',
  ];
  for (const text of needed) assert.equal(shown(withoutInvisible(text)), shown(text));
});

it('removes joiners that have no effect', () => {
  for (const [text, left] of [
    ['An\u200dna', 'Anna'],
    ['আমিনা\u200c', 'আমিনা'],
    ['\u200dআমিনা', 'আমিনা'],
    ['আ\u200c\u200c\u200cমিনা', 'আমিনা'],
    ['আমিনা\u200d খাতুন', 'আমিনা খাতুন'],
    ['Ann\ufe0fa', 'Anna'],
    ['👩\u200d', '👩'],
  ] as const) {
    assert.equal(shown(withoutInvisible(text)), shown(left));
  }
});

it('leaves every other text alone, and is idempotent', () => {
  for (const text of ['', 'Đặng Thị', "O'Brien <b>& Sons</b>", 'আমিনা খাতুন', 'é e\u0301', 'שרה كوهين'])
    assert.equal(withoutInvisible(text), text);
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(
          ...'আ ্ م \u061c \u200c \u200d \u200b \ufe0f 👩 ⚕ 🏽 🏴 \u{e0067} \u{e007f} \u{e0100} 葛 a 1'.split(' '),
        ),
      }),
      (text) => {
        const once = withoutInvisible(text);
        assert.equal(shown(withoutInvisible(once)), shown(once));
      },
    ),
    { numRuns: 3_000 },
  );
});
