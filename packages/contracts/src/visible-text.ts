/** Scripts whose letters are joined or kept apart by the zero-width joiner and non-joiner. */
const joiningScripts = [
  'Arabic', 'Bengali', 'Devanagari', 'Gujarati', 'Gurmukhi', 'Kannada', 'Khmer', 'Malayalam', 'Mongolian', 'Myanmar', 'Oriya', 'Sinhala', 'Syriac', 'Tamil', 'Telugu', 'Tibetan',
];
const joining = `(?!\\p{Default_Ignorable_Code_Point})[${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}]`;
const pictograph = String.raw`\p{Extended_Pictographic}`;

/** Characters that nobody sees; annotations are no part of a text either. */
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]`;

/** The invisible characters that change how their neighbours look. */
const needed = [
  // One joiner between two letters: র‍্যাব, ক্‌ষ, می‌خواهم.
  `(?<=${joining})[\\u200C\\u200D](?=${joining})`,
  // The parts of one emoji: 👩‍⚕️.
  `(?<=${pictograph}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=${pictograph})`,
  // As an emoji or as a letter: ❤️, 1️⃣.
  String.raw`(?<=\p{Emoji})[\uFE0E\uFE0F]`,
  // The flags of regions, spelled in tags behind a black flag.
  String.raw`(?<=\u{1F3F4}[\u{E0020}-\u{E007E}]*)[\u{E0020}-\u{E007F}]`,
  // Which form of a character a name is written with.
  String.raw`(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
  String.raw`(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]`,
].join('|');

const either = new RegExp(`(${needed})|${invisible}`, 'gu');

/**
 * A text without what nobody sees: controls of the writing direction, which make a text read as another one, and
 * zero-width characters, which make two equal-looking names differ. People paste them unknowingly, so they are taken out
 * and not refused. Joiners stay where a script or an emoji needs them (Unicode Standard, 23.2; UTS #51).
 */
export function withoutInvisible(text: string): string {
  return text.replace(either, (_, kept: string | undefined) => kept ?? '');
}
