import type { MessageLanguage } from '../../contract/languages.ts';
import { bangla } from './bangla.ts';
import { english, type Words } from './english.ts';

export const wordsIn: Readonly<Record<MessageLanguage, Words>> = { en: english, bn: bangla };
