/** Scripts whose letters are joined or separated by the zero-width joiner and non-joiner. */
const joiningScripts = [
  'Arabic',
  'Bengali',
  'Devanagari',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Khmer',
  'Malayalam',
  'Mongolian',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Syriac',
  'Tamil',
  'Telugu',
  'Tibetan',
];
const joining = `(?!\\p{Default_Ignorable_Code_Point})[${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}]`;
const pictograph = String.raw`\p{Extended_Pictographic}`;

/** Invisible characters, including annotations. */
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]`;

/** The invisible characters that change how their neighbours are drawn. */
const needed = [
  // One joiner between two letters: র‍্যাব, ক্‌ষ, می‌خواهم.
  `(?<=${joining})[\\u200C\\u200D](?=${joining})`,
  // Parts of one emoji: 👩‍⚕️.
  `(?<=${pictograph}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=${pictograph})`,
  // Emoji or text presentation: ❤️, 1️⃣.
  String.raw`(?<=\p{Emoji})[\uFE0E\uFE0F]`,
  // Flags of regions, spelled in tag characters after a black flag.
  String.raw`(?<=\u{1F3F4}[\u{E0020}-\u{E007E}]*)[\u{E0020}-\u{E007F}]`,
  // Variants of a character in a name.
  String.raw`(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
  String.raw`(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]`,
].join('|');

const either = new RegExp(`(${needed})|${invisible}`, 'gu');

/**
 * Removes invisible characters from a text: direction controls, which make it read as another text, and zero-width
 * characters, which make two names that look the same differ. People paste them unknowingly, so they are removed, not
 * rejected. Joiners stay where a script or an emoji needs them (Unicode Standard, 23.2; UTS #51).
 */
export function withoutInvisible(text: string): string {
  return text.replace(either, (_, kept: string | undefined) => kept ?? '');
}
