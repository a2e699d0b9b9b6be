/** A number from a file, or why it isn't one. */
export type ReadNumber = { readonly value: number | string } | { readonly problem: string };

/** `1,250` means 1250 to some people and 1.25 to others. */
const twoReadings = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Reads a number with a decimal point, or with a decimal comma as in much of the world. An ambiguous number is never guessed.
 *
 * @param pointIsDecimal - a point before three digits can't be a thousands separator here
 * @returns the text itself if it isn't a number: the server rejects it by name
 */
export function readNumber(text: string, pointIsDecimal: boolean): ReadNumber {
  if (twoReadings.test(text) && !(pointIsDecimal && text.includes('.'))) {
    const [whole = '', rest = ''] = text.split(/[.,]/);
    return {
      problem: `“${text}” could mean ${whole}${rest} or ${Number(`${whole}.${rest}`)}. Enter one of these`,
    };
  }
  return { value: /^[+-]?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : text };
}
