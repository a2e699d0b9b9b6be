/**
 * An email address without the invisible characters that came along from a contact, a PDF or a chat, and without the spaces around
 * it. For pages: the same as `withoutInvisible` for what can be an address, without its table of scripts.
 */
export const typedAddress = (text: string): string =>
  text.replaceAll(/[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu, '').trim();
