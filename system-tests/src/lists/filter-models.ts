import type { TestedService } from '../support/every-call.ts';
import type { ThreeServices } from '../support/three-services.ts';
import type { FilterModel, Raw } from './list-model.ts';
import { findableWords, folded, isDialled, searchedDigits, wordsOf } from './as-people-read.ts';
import { phoneSearches, searches } from './searches.ts';

export const recordsOf =
  (service: TestedService, collection: string) =>
  (services: ThreeServices): Promise<Raw[]> =>
    services.databases[service].collection(collection).find().toArray();

/** The texts of a record at a path: `items.name` has several. */
export function textsAt(record: Raw, path: string): string[] {
  const values = path
    .split('.')
    .reduce<unknown[]>((parts, key) => parts.flatMap((part) => (part as Raw | undefined)?.[key] as unknown), [record]);
  return values.filter((value) => typeof value === 'string');
}

/** A sample of the records' distinct values. */
export const some = (values: readonly string[]): string[] =>
  [...new Set(values)].filter((_, at, { length }) => at % Math.ceil(length / 6) === 0);

/** Records whose field is the value, or has it among its values. */
export function equal(
  path: string,
  others: readonly string[] = [],
  { required }: Pick<FilterModel, 'required'> = {},
): FilterModel {
  return {
    values: (records) => [...some(records.flatMap((record) => textsAt(record, path))), ...others],
    matches: (record, value) => textsAt(record, path).includes(value),
    ...(required && { required }),
  };
}

/** Records of an email address, in upper or lower case. */
export function ofEmail(path: string, more: Pick<FilterModel, 'required'> = {}): FilterModel {
  const { values } = equal(path, ['nobody@mail.example']);
  return {
    values: (records) => values(records).flatMap((email) => [email, email.toUpperCase()]),
    matches: (record, value) => textsAt(record, path).includes(value.toLowerCase()),
    ...more,
  };
}

/** Part of one of the texts, in upper or lower case. */
export function partOf(...paths: string[]): FilterModel {
  return {
    values: (records) => searches(records.map((record) => paths.flatMap((path) => textsAt(record, path)))),
    matches: (record, value) =>
      folded(value) !== '' &&
      paths.some((path) => textsAt(record, path).some((text) => folded(text).includes(folded(value)))),
  };
}

/** The beginnings of words, in any order, or of a phone number in `phone`. */
export function beginningsOf(...paths: string[]): FilterModel {
  const textsOf = (record: Raw) => paths.flatMap((path) => textsAt(record, path));
  return {
    values: (records) => [
      ...searches(records.map(textsOf)),
      ...phoneSearches(records.flatMap((record) => textsAt(record, 'phone'))),
    ],
    matches(record, value) {
      const words = findableWords(...textsOf(record));
      const digits = searchedDigits(value);
      const searched = digits === undefined ? wordsOf(value) : [digits];
      const isIn = (beginning: string): boolean =>
        words.some((word) => word.startsWith(beginning)) || isDialled(record['phone'], beginning);
      return searched.length > 0 && searched.every(isIn);
    },
  };
}

/** The beginning of an address if there is an @, in upper or lower case; otherwise what another model matches. */
export function orAddress(path: string, { values, matches }: FilterModel): FilterModel {
  const emailOf = (record: Raw): string => textsAt(record, path).join('');
  const parts = (email: string) => [email, email.slice(0, 4), email.toUpperCase(), email.slice(1)];
  return {
    values: (records) => [...values(records), ...some(records.map(emailOf)).flatMap(parts)],
    matches: (record, value, query) =>
      value.includes('@') ? emailOf(record).startsWith(value.toLowerCase()) : matches(record, value, query),
  };
}

export const keyOf =
  (path: string) =>
  (record: Raw): string =>
    folded(textsAt(record, path).join(' '));
export const at = (path: string) => (record: Raw) => record[path] as string | number | Date;

export function instants(records: readonly Raw[]): string[] {
  return [
    ...some(records.map((record) => (record['at'] as Date).toISOString())),
    '2000-01-01T00:00:00Z',
    '2999-01-01T00:00:00+06:00',
  ];
}

export function nameOfUser(record: Raw): string {
  return (
    folded(`${textsAt(record, 'firstName').join('')} ${textsAt(record, 'lastName').join('')}`) ||
    String(record['email'])
  );
}
