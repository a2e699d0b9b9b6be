/** Address of a phone call: what people write around the digits is left out (RFC 3966). */
export function phoneLink(number: string): string {
  return `tel:${number.replaceAll(/[^+\d]/g, '')}`;
}
