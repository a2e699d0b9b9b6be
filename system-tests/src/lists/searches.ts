/** Ways to type an existing text. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFD'),
  (text) => text.normalize('NFKC').toUpperCase(),
  (text) => ` ${text.replaceAll(' ', '  ')} `,
  (text) => text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, ''),
  (text) => text.replaceAll(/['’\u2011-]/g, (joint) => (joint === '’' ? "'" : '\u2011')),
  (text) => text.replaceAll(/['’\u2011-]/g, ''),
  (text) => text.replaceAll(/\d/g, (digit) => '০১২৩৪৫৬৭৮৯'[Number(digit)] ?? ''),
];

/** Searches without a search term, and ones with special characters of patterns. */
const odd = [
  '',
  '---',
  '.',
  '.*',
  '(',
  '[a-z]',
  '^',
  '\\',
  '$',
  '%',
  '\u200b',
  '🧑',
  'zzzzzz',
  'a'.repeat(100),
  '#',
  '@',
  '-1',
  '\u00a0',
];

/**
 * Searches worth trying: whole texts, parts, beginnings and words of some records, typed in several ways, and edge
 * cases.
 */
export function searches(texts: readonly (readonly string[])[]): string[] {
  const questions = texts
    .filter((_, at) => at % Math.ceil(texts.length / 8) === 0)
    .flatMap((of, at) =>
      of.flatMap((text, index) => {
        const letters = Array.from(text);
        const words = text.split(/\s+/);
        const parts = [
          text,
          letters.slice(0, 3).join(''),
          letters.slice(1, 5).join(''),
          letters.slice(-4).join(''),
          words.at(-1) ?? '',
          words.toReversed().join(' '),
        ];
        return parts.map((part, place) => (spellings[(at + index + place) % spellings.length] ?? String)(part));
      }),
    );
  // The contract accepts searches of at most 100 UTF-16 units; half a character would be invalid.
  return [...odd, ...questions].map((search) => search.trim().slice(0, 100)).filter((search) => search.isWellFormed());
}

/** Searches for phone numbers: whole ones and their beginnings, typed in several ways. */
export function phoneSearches(phones: readonly string[]): string[] {
  const questions = phones
    .filter((phone, at) => phone.length > 5 && at % Math.ceil(phones.length / 6) === 0)
    .flatMap((phone) => [phone, phone.slice(0, 9), phone.replace('+880 ', '0'), phone.replace('+', '00')]);
  return [...questions, '0171', '+880', '1', '12'];
}
