/**
 * The languages of messages with their own names; the first is the default. A new one also needs its words
 * (svc-messages/src/templates/words), which the compiler asks for.
 */
export const languageNames = { en: 'English', bn: 'বাংলা' } as const;

/** A language as BCP 47 names it. */
export type MessageLanguage = keyof typeof languageNames;

export const messageLanguages = Object.keys(languageNames) as [MessageLanguage, ...MessageLanguage[]];

/** @param chosen - absent, or one that only a later release knows: the default */
export function languageOf(chosen: string | undefined): MessageLanguage {
  return messageLanguages.find((language) => language === chosen) ?? messageLanguages[0];
}
