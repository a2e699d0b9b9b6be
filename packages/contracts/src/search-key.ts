/** Longest key, in UTF-16 units: compatibility forms may be many times as long as what they stand for. */
const longestKey = 400;

/**
 * What a text is found and sorted by: two texts that people take for the same have the same key, however they were typed.
 * Compatibility forms are one (NFKC; য় in its two spellings, é composed or not), so are upper and lower case of all scripts
 * (full case folding; Straße and STRASSE), and what nobody sees is left out, after Unicode's NFKC_Casefold (Unicode
 * Standard, 3.13). Beyond it, the dotted and dotless i of Turkish are one letter: which of them lower case stands for depends
 * on the language, which nobody knows of a name.
 */
export function searchKey(text: string): string {
  const key = fold(fold(text)).replaceAll(/\s+/g, ' ').trim();
  // A character of two units is kept whole or not at all.
  return key.length > longestKey ? key.slice(0, longestKey).replace(/\s*[\uD800-\uDBFF]?$/, '') : key;
}

/** Twice does what once may leave, as folding a letter may bring forth another one to normalise. */
function fold(text: string): string {
  return text
    // Taken apart, as the order of marks counts for the iota that Greek writes below (Unicode Standard, D145).
    .normalize('NFKD')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    // There and back: ẞ has no upper case but ß has, and some letters only fold from their upper case.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    // Written so at the end of a word only, which a part of a word doesn't know.
    .replaceAll('ς', 'σ')
    .replaceAll(/i\u0307+/g, 'i')
    .normalize('NFKC');
}

/**
 * The different words of some texts as keys: letters and digits of any script, the rest separates.
 *
 * @returns in their order; none where the texts have no letter or digit
 */
export function searchWords(...texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => searchKey(text).split(/[^\p{L}\p{M}\p{N}]+/u));
  return [...new Set(words)].filter((word) => word !== '');
}
