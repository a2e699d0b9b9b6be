/** A number of a file, or why it isn't one. */
export type ReadNumber = { readonly value: number | string } | { readonly problem: string };

/** `1,250` is 1250 to some and 1.25 to others. */
const twoReadings = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Reads a number with a decimal point, or with a decimal comma as much of the world writes it. One that can be read in two
 * ways is never guessed.
 *
 * @param pointIsDecimal - a point before three digits can't separate thousands here
 * @returns the text itself where it isn't a number: the server refuses it by name
 */
export function readNumber(text: string, pointIsDecimal: boolean): ReadNumber {
  if (twoReadings.test(text) && !(pointIsDecimal && text.includes('.'))) {
    const [whole = '', rest = ''] = text.split(/[.,]/);
    return { problem: `“${text}” can be read as ${whole}${rest} or as ${Number(`${whole}.${rest}`)}: write one of these` };
  }
  return { value: /^[+-]?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : text };
}
