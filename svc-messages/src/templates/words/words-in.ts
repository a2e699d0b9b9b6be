import type { MessageLanguage } from '../../contract/languages.ts';
import { bangla } from './bangla.ts';
import { english } from './english.ts';
import type { Words } from './words.ts';

export const wordsIn: Readonly<Record<MessageLanguage, Words>> = { en: english, bn: bangla };
