// How people compare what they read and type, written down apart from the services' own rules.

const digitsOfScripts = ['০১২৩৪৫৬৭৮৯', '٠١٢٣٤٥٦٧٨٩', '०१२३४५६७८९'];
const sameLetters: Readonly<Record<string, string>> = { ß: 'ss', ς: 'σ', ı: 'i', đ: 'd', ø: 'o', ł: 'l', æ: 'ae' };
const joining = "'’‘-\u2010\u2011–—";
const unseen = '\u200b\u200c\u200d\u2060\ufeff';

/** Digits that people read as 0 to 9. */
export function plainDigits(text: string): string {
  return Array.from(text, (letter) => {
    const row = digitsOfScripts.find((digits) => digits.includes(letter));
    return row === undefined ? letter : String(row.indexOf(letter));
  }).join('');
}

/** A text without case, accents, apostrophes and hyphens. */
export function folded(text: string): string {
  const letters = Array.from(text.normalize('NFKD').toLowerCase().normalize('NFKD'))
    .filter(
      (letter) => !(letter >= '\u0300' && letter <= '\u036f') && !joining.includes(letter) && !unseen.includes(letter),
    )
    .map((letter) => sameLetters[letter] ?? letter);
  return plainDigits(letters.join('')).normalize('NFKC').split(/\s+/).filter(Boolean).join(' ');
}

/** The words of some texts. */
export function wordsOf(...texts: readonly string[]): string[] {
  return texts.flatMap((text) => folded(text).split(/[^\p{L}\p{M}\p{N}]+/u)).filter(Boolean);
}

/** The words of some texts, also those after an apostrophe or hyphen. */
export function findableWords(...texts: readonly string[]): string[] {
  const ends = texts.flatMap((text) =>
    text
      .split(/\s+/)
      .flatMap((word) =>
        Array.from(word).flatMap((letter, at) => (joining.includes(letter) ? [word.slice(at + 1)] : [])),
      ),
  );
  return [...wordsOf(...texts), ...ends.flatMap((end) => wordsOf(end).slice(0, 1))];
}

/** What people may dial for a number of Bangladesh. */
function waysToDial(phone: string): string[] {
  const digits = plainDigits(phone).replaceAll(/\D/g, '');
  const [, own] = /^(?:880|0)?(1\d{9})$/.exec(digits) ?? [];
  return own === undefined ? [digits] : [`880${own}`, `0${own}`, own];
}

/** The digits of a search by phone number; `undefined` if it is for something else. */
export function searchedDigits(q: string): string | undefined {
  const digits = plainDigits(q).replaceAll(/[\s()+.\-\u2010\u2011–—]/g, '');
  return /^\d{3,}$/.test(digits) && /^[(]*\+?[^+]+$/.test(q) ? digits.replace(/^00/, '') : undefined;
}

/** Whether a number begins like this, however it is dialled. */
export const isDialled = (phone: unknown, digits: string): boolean =>
  typeof phone === 'string' && waysToDial(phone).some((way) => way.startsWith(digits));
