import { messageLanguages, type MessageLanguage } from './languages.ts';

/** The parameter of a linked page's address that names the language of the message; without it, it was the default. */
export const languageParameter = 'lang';

const inLanguage = (path: string, language: MessageLanguage): string =>
  language === messageLanguages[0] ? path : `${path}?${languageParameter}=${language}`;

/** Addresses of the domain's pages that messages link to. Pages that need no login speak the message's language. */
export const messagePages = {
  /** Shows what a message's link would do, and does it on confirmation. */
  action: (token: string, language: MessageLanguage): string => inLanguage(`/message-actions/${token}`, language),
  /** Asks for confirmation before unsubscribing from a kind. */
  unsubscribe: (token: string, language: MessageLanguage): string => inLanguage(`/unsubscribe/${token}`, language),
  /** The reader's own messages and preferences. */
  notifications: '/dash/notifications',
} as const;
