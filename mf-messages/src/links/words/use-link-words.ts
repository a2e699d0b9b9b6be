import { useLocation } from '@clinic/app-kit';
import { languageOf, type MessageLanguage } from '@clinic/svc-messages/contract/languages';
import { languageParameter } from '@clinic/svc-messages/contract/pages';
import { bangla } from './bangla.ts';
import { english } from './english.ts';
import type { LinkWords } from './words.ts';

/** A language without its words doesn't compile. */
const wordsIn: Readonly<Record<MessageLanguage, LinkWords>> = { en: english, bn: bangla };

/** The words of the page in the language of the message that led here, which its address names. */
export function useLinkWords(): { readonly language: MessageLanguage; readonly words: LinkWords } {
  const { search } = useLocation();
  const language = languageOf(new URLSearchParams(search).get(languageParameter) ?? undefined);
  return { language, words: wordsIn[language] };
}
