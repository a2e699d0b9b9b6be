/** Good enough for a courtesy check in the page: something, an at sign, a domain with a dot. */
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** @returns what is wrong with an e-mail address, in words for its writer; `undefined` if nothing is */
export function checkEmail(email: string): string | undefined {
  if (email.trim() === '') return 'Email is required';
  return emailShape.test(email.trim()) ? undefined : 'This is not an e-mail address';
}

/** @param label - how the field is called on screen */
export function checkFilled(label: string, text: string): string | undefined {
  return text.trim() === '' ? `${label} is required` : undefined;
}
