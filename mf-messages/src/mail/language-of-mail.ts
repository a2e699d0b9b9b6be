/** The language that a mail's HTML says it is in, so that screen readers pronounce it; `undefined` if it doesn't. */
export const languageOfMail = (html: string | undefined): string | undefined =>
  /<html[^>]*\slang="([\w-]+)"/i.exec(html ?? '')?.[1];
