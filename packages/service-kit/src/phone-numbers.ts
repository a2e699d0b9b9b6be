import { asciiDigits } from '@clinic/contracts/digits';
import { phonePattern } from '@clinic/contracts/limits';
import { isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';

/** A country by its code (ISO 3166-1), e.g. `BD`. */
export type Country = CountryCode;

/** @returns `undefined` if it isn't the code of a country whose phone numbers are known */
export function countryOf(code: string): Country | undefined {
  return isSupportedCountry(code) ? code : undefined;
}

/**
 * A phone number in international form (E.164), `+8801711123456`, to store beside what was typed.
 *
 * @param typed - as people typed it, see the contract's `phone`
 * @param country - of numbers without a country's code
 * @returns empty if it can't be a whole number of that country, or of the one it names
 */
export function internationalPhone(typed: string, country: Country): string {
  const number = parsePhoneNumberFromString(asciiDigits(typed), country);
  return number?.isPossible() ? number.number : '';
}

/** Digits as they are dialled: without the prefix of international calls, and the zero that is left out in them. */
function dialled(text: string): string {
  return asciiDigits(text)
    .replace(/^(\s*\+[\d\s-]*)\(0\)/, '$1')
    .replaceAll(/\D/g, '')
    .replace(/^00/, '');
}

/**
 * The words by whose beginnings a phone number is found, however it is typed: its digits with the country's code, as dialled
 * within the country, and without either.
 *
 * @param international - as {@link internationalPhone}; absent or empty: unknown
 */
export function phoneWords(typed: string, international?: string): string[] {
  const number = international ? parsePhoneNumberFromString(international) : undefined;
  const ways = number ? [number.number, number.formatNational(), number.nationalNumber] : [];
  return [...new Set([typed, ...ways].map(dialled))].filter((word) => word !== '');
}

/** Fewest digits of a search by phone number. */
const fewestDigits = 3;

/** @returns the beginning of a {@link phoneWords} word; `undefined` if a search isn't for a phone number */
export function searchedPhone(q: string): string | undefined {
  if (!phonePattern.test(q)) return undefined;
  const digits = dialled(q);
  return digits.length < fewestDigits ? undefined : digits;
}
