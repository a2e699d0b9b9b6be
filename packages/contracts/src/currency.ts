/**
 * The sign of a currency, as prices show it.
 *
 * @param code - ISO 4217, e.g. `BDT`
 * @returns e.g. '৳'; `undefined` for an unknown currency, and for one without two decimals: amounts are kept in
 *   hundredths
 */
export function currencySign(code: string): string | undefined {
  if (!Intl.supportedValuesOf('currency').includes(code)) return undefined;
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' });
  if (format.resolvedOptions().maximumFractionDigits !== 2) return undefined;
  const sign = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? code;
  // Letters need a space before the figure: 'CHF 12.50'.
  return /\p{L}$/u.test(sign) ? `${sign}\u00a0` : sign;
}
