import { asciiDigits } from './digits.ts';

/** Longest key, in UTF-16 units: compatibility forms can expand to many times their length. */
const longestKey = 400;

/**
 * Marks above and below letters that people leave out when they search: ñ and n, é and e. Not those that make another letter or
 * vowel, such as the vowel signs of Bangla, and the voicing marks of Japanese.
 */
const mark = String.raw`[[\p{Mn}&&\p{Script=Inherited}]--[\u3099\u309A]]`;
/** An accent typed on its own is a space with a mark. */
const marks = new RegExp(` ?${mark}+`, 'gv');

/** Apostrophes and hyphens of all kinds: O'Brien, O’Brien and O‑Brien are one name. */
const joints =
  /[\p{Dash}\p{Quotation_Mark}`\u02b9-\u02bf\u02c8\u02ca\u02cb\u02ee\u2032-\u2037\u055a\u05f3\u05f4\ua78b\ua78c]/gu;

/** Letters that people type as others although Unicode doesn't derive them from these. */
const plain: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  þ: 'th',
  // Final sigma only occurs at the end of a word, which can't be told from a part of one.
  ς: 'σ',
};
const special = new RegExp(`[${Object.keys(plain).join('')}]`, 'g');

/**
 * The key by which texts are searched and sorted: texts that people consider equal have the same key, however they were
 * typed. Compatibility forms are merged (both spellings of য়), case is folded in all scripts (full case folding; Straße and
 * STRASSE), invisible characters are dropped, following Unicode's NFKC_Casefold (Unicode Standard, 3.13), and so are accents,
 * apostrophes and hyphens; digits of all scripts are 0 to 9. The dotted and dotless i of Turkish are one letter: which of them
 * a capital stands for depends on the language, which a name doesn't tell.
 *
 * In the order of keys, accented letters stand with their base letters.
 */
export function searchKey(text: string): string {
  const key = fold(fold(text)).replaceAll(/\s+/g, ' ').trim();
  // Surrogate pairs are kept whole or not at all.
  return key.length > longestKey ? key.slice(0, longestKey).replace(/\s*[\uD800-\uDBFF]?$/, '') : key;
}

/** Call it twice: folding a letter may produce another one to normalise. */
function fold(text: string): string {
  const folded = text
    // Decomposed first, because the order of marks matters for Greek iota subscript (Unicode Standard, D145).
    .normalize('NFKD')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    // To upper case and back: ẞ has no upper case but ß has, and some letters only fold from their upper case.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(marks, '')
    .replaceAll(joints, '')
    .replaceAll(special, (letter) => plain[letter] ?? letter);
  return asciiDigits(folded).normalize('NFKC');
}

/**
 * The distinct words of some texts as keys: letters and digits of any script; everything else separates words.
 *
 * @returns in order of appearance; empty if the texts have no letter or digit
 */
export function searchWords(...texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => searchKey(text).split(/[^\p{L}\p{M}\p{N}]+/u));
  return [...new Set(words)].filter((word) => word !== '');
}

/**
 * The words by which texts are found: {@link searchWords}, and what follows each apostrophe or hyphen, so that `marie` and
 * `brien` find Anne-Marie O'Brien.
 */
export function findingWords(...texts: readonly string[]): string[] {
  const ends = texts.flatMap((text) => endsOf(text).flatMap((end) => searchWords(end).slice(0, 1)));
  return [...new Set([...searchWords(...texts), ...ends])];
}

/** The keys of a text from each of its words on, and from each apostrophe or hyphen on. */
export function keysFromEachWord(text: string): string[] {
  const words = text.split(/\s+/);
  const keys = words.flatMap((word, at) =>
    [word, ...endsOf(word)].map((beginning) => searchKey([beginning, ...words.slice(at + 1)].join(' '))),
  );
  return [...new Set(keys)].filter((key) => key !== '');
}

/** What follows each apostrophe or hyphen inside a word. */
function endsOf(text: string): string[] {
  return text.split(/\s+/).flatMap((word) => {
    const parts = word.split(joints);
    return parts.slice(1).map((_, at) => parts.slice(at + 1).join('-'));
  });
}
