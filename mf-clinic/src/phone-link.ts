import { asciiDigits } from '@clinic/contracts/digits';

/** A `tel:` link without the characters people write around the digits (RFC 3966). */
export function phoneLink(number: string): string {
  return `tel:${asciiDigits(number).replaceAll(/[^+\d]/g, '')}`;
}
