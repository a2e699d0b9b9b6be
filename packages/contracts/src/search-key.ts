/** Longest key, in UTF-16 units: compatibility forms can expand to many times their length. */
const longestKey = 400;

/**
 * The key by which texts are searched and sorted: texts that people consider equal have the same key, however they were
 * typed. Compatibility forms are merged (NFKC; both spellings of য়, é composed or not), case is folded in all scripts
 * (full case folding; Straße and STRASSE), and invisible characters are dropped, following Unicode's NFKC_Casefold
 * (Unicode Standard, 3.13). In addition, the dotted and dotless i of Turkish are one letter: which of them a capital
 * stands for depends on the language, which a name doesn't tell.
 */
export function searchKey(text: string): string {
  const key = fold(fold(text)).replaceAll(/\s+/g, ' ').trim();
  // Surrogate pairs are kept whole or not at all.
  return key.length > longestKey ? key.slice(0, longestKey).replace(/\s*[\uD800-\uDBFF]?$/, '') : key;
}

/** Call it twice: folding a letter may produce another one to normalise. */
function fold(text: string): string {
  return (
    text
      // Decomposed first, because the order of marks matters for Greek iota subscript (Unicode Standard, D145).
      .normalize('NFKD')
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      // To upper case and back: ẞ has no upper case but ß has, and some letters only fold from their upper case.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      // Final sigma only occurs at the end of a word, which can't be told from a part of one.
      .replaceAll('ς', 'σ')
      .replaceAll(/i\u0307+/g, 'i')
      .normalize('NFKC')
  );
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
