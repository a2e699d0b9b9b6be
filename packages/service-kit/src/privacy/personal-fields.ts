import type { Collection, Filter, ObjectId } from 'mongodb';
import type { Person } from './person.ts';

type Single = string | number | boolean | bigint | null | Date | ObjectId;

/** The fields that a type names, without an index signature. */
type Named<Field> = string extends Field ? never : number extends Field ? never : Field;

/**
 * What deleting a person does with a field of a record about them:
 *
 * - `kept`: it reveals nothing about who the person was.
 * - `emptied`: it gets a value that reveals nothing, such as an empty text or the pseudonym.
 * - `removed`: the record no longer has it.
 *
 * In the history, `emptied` and `removed` are the same: the value is removed, but not that there was one.
 */
type FateOf<Value, Optional extends boolean> =
  | 'emptied'
  | (Optional extends true ? 'removed' : never)
  | (NonNullable<Value> extends Single
      ? 'kept'
      : NonNullable<Value> extends readonly (infer Element)[]
        ? Element extends Single
          ? 'kept'
          : DeletionRules<Element>
        : DeletionRules<NonNullable<Value>>);

/**
 * The fate of every field of a record, nested ones included. A missing field doesn't compile, so that nobody adds one
 * without deciding what a deletion does with it.
 */
export type DeletionRules<Stored> = {
  readonly [Field in keyof Stored as Named<Field>]-?: FateOf<
    Stored[Field],
    undefined extends Stored[Field] ? true : false
  >;
};

/** Why a field, or a whole record, isn't in the copy of a person's data. */
export interface NotInCopy {
  readonly internal: string;
}

/** Leaves a field out of the copy of a person's data. @param why - for readers of the declaration */
export const internal = (why: string): NotInCopy => ({ internal: why });

/** The name of every field in the copy of a person's data, or why it isn't in it. */
export type CopyRules<Stored> = { readonly [Field in keyof Stored as Named<Field>]-?: string | NotInCopy };

/** What happens to a kind of record when a person it is about is deleted, or requests a copy of their data. */
export interface PersonalRecord<Stored> {
  /**
   * Filters for a person's records, by their role in them; each with its index. Exports and deletions go by them: a record
   * belongs to its account, and counts under an address only without one, from the time when the address was theirs.
   */
  readonly whose: Readonly<Record<string, (person: Person) => readonly Filter<Stored>[]>>;
  /** By the deleted person's role in the record, e.g. `patient`. */
  readonly whenDeleted: Readonly<Record<string, DeletionRules<Stored>>>;
  readonly inCopy: CopyRules<Stored> | NotInCopy;
}

/** A declaration for each collection: a new one without it doesn't compile. */
export type PersonalRecords<Collections> = {
  readonly [Name in keyof Collections]: Collections[Name] extends Collection<infer Stored>
    ? PersonalRecord<Stored>
    : never;
};

type Fields = Readonly<Record<string, unknown>>;
type AnyRules = Readonly<Record<string, unknown>>;

/** The value without its content. */
function blank(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return false;
  if (Array.isArray(value)) return [];
  if (value instanceof Date) return new Date(0);
  if (isPlain(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, blank(inner)]));
  return null;
}

function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * A record without what reveals a person: fields are kept, emptied or left out by the rules.
 *
 * @param instead - what emptied fields get, if an empty text, 0 or an empty list isn't right
 */
export function withoutPersonalFields<Stored extends object>(
  record: Stored,
  rules: DeletionRules<Stored>,
  instead: Partial<Stored> = {},
): Stored {
  return forget(record as Fields, rules, instead as Fields) as Stored;
}

function forget(record: Fields, rules: AnyRules, instead: Fields): Fields {
  const left: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const rule = rules[name];
    if (rule === 'kept') left[name] = value;
    else if (rule === 'emptied') left[name] = Object.hasOwn(instead, name) ? instead[name] : blank(value);
    else if (isPlain(rule)) left[name] = forgetInside(value, rule);
    // Otherwise removed, or a field of another release.
  }
  return left;
}

function forgetInside(value: unknown, rules: AnyRules): unknown {
  if (Array.isArray(value)) return value.map((element) => forgetInside(element, rules));
  return isPlain(value) ? forget(value, rules, {}) : value;
}

/** The update that erases a record in the database. */
export function erasingUpdate<Stored extends object>(
  record: Stored,
  rules: DeletionRules<Stored>,
  instead: Partial<Stored> = {},
): { readonly $set: Partial<Stored>; readonly $unset: Record<string, ''> } {
  const left = withoutPersonalFields(record, rules, instead);
  const changed = Object.entries(left).filter(([name]) => (rules as AnyRules)[name] !== 'kept');
  return { $set: Object.fromEntries(changed) as Partial<Stored>, $unset: absentFields(record, left) };
}

/** For `$unset`: the fields of a record that another version of it doesn't have. */
export function absentFields<Stored extends object>(record: Stored, left: Stored): Record<string, ''> {
  return Object.fromEntries(
    Object.keys(record)
      .filter((name) => left[name as keyof Stored] === undefined)
      .map((name) => [name, ''] as const),
  );
}

/** How the history of a record names its fields. */
export interface HistoryFields<Stored> {
  /** The rules for the deleted person's role in the record. */
  readonly rules: DeletionRules<Stored>;
  /** The history uses the same names as the copy of a person's data. */
  readonly inCopy: CopyRules<Stored> | NotInCopy;
  /** What emptied fields get, as in {@link withoutPersonalFields}. */
  readonly instead?: Partial<Stored>;
  /**
   * Texts, numbers and lists that the history has besides the record's fields, if they reveal nobody. All others are
   * emptied.
   */
  readonly alsoKept: readonly string[];
}

/** The fields of a history entry about a person, without what reveals them. Undeclared fields are emptied, too. */
export function withoutPersonInHistory<Stored>(
  fields: Fields,
  { rules, inCopy, instead = {}, alsoKept }: HistoryFields<Stored>,
): Fields {
  const kept = new Set(alsoKept);
  const replacement = new Map<string, unknown>();
  for (const [field, fate] of Object.entries(rules as AnyRules)) {
    const copied = 'internal' in inCopy ? field : (inCopy as Readonly<Record<string, unknown>>)[field];
    const names = [field, ...(typeof copied === 'string' ? [copied] : [])];
    for (const name of names) {
      if (fate === 'kept' || isPlain(fate)) kept.add(name);
      else if (!alsoKept.includes(name)) kept.delete(name);
      if (Object.hasOwn(instead, field)) replacement.set(name, instead[field as keyof Stored]);
    }
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (kept.has(name) && !(alsoKept.includes(name) && isPlain(value))) return [name, value];
      return [name, replacement.has(name) ? replacement.get(name) : blank(value)];
    }),
  );
}
