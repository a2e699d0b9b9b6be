/** Good enough for a check in the page: something, an at sign, a domain with a dot. */
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** @returns what is wrong with an email address, for the person who typed it; `undefined` if it is fine */
export function checkEmail(email: string): string | undefined {
  if (email.trim() === '') return 'Email is required';
  return emailShape.test(email.trim()) ? undefined : 'Enter an email address like name@example.com';
}

/** @param label - the field's name on screen */
export function checkFilled(label: string, text: string): string | undefined {
  return text.trim() === '' ? `${label} is required` : undefined;
}
