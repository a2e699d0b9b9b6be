/**
 * An email address without the invisible characters that came along from a contact, a PDF or a chat, and without the spaces around
 * it. For pages: the same as `withoutInvisible` for what can be an address, without its table of scripts.
 */
export const typedAddress = (text: string): string =>
  text.replaceAll(/[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu, '').trim();

/** An email address that services take, which is less than mail servers do: an account that moved to another could no longer log in. */
export const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
export const emailMessage = 'Enter an email address like name@example.com';

/** Whether services take a text as an email address, as it was typed. */
export const isTypedAddress = (text: string): boolean => emailPattern.test(typedAddress(text));
