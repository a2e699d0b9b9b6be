import assert from 'node:assert/strict';
import type { ObjectId } from 'mongodb';
import type { CopyRules, DeletionRules, NotInCopy } from '../privacy/personal-fields.ts';

type Single = string | number | boolean | bigint | null | Date | ObjectId;

/**
 * A record with a value in every field, nested ones included: a test that builds one doesn't compile without a new
 * field.
 */
export type Filled<Stored> = {
  readonly [Field in keyof Stored]-?: NonNullable<Stored[Field]> extends Single
    ? NonNullable<Stored[Field]>
    : NonNullable<Stored[Field]> extends readonly (infer Element)[]
      ? readonly (Element extends Single ? Element : Filled<Element>)[]
      : Filled<NonNullable<Stored[Field]>>;
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks a deletion's effect on a record that had a value in every field.
 *
 * @param recomputed - fields that the deletion sets itself, e.g. to cancel an appointment
 */
export function assertErased<Stored extends object>(
  stored: Filled<Stored>,
  left: Fields | null,
  rules: DeletionRules<Stored>,
  recomputed: readonly (keyof Stored & string)[] = [],
): void {
  assert.ok(left, 'the record is gone');
  compare(stored as Fields, left, rules as Fields, recomputed, '');
  const unknown = Object.keys(left).filter((name) => !Object.hasOwn(rules, name));
  assert.deepEqual(unknown, [], 'fields that nobody declared');
}

function compare(stored: Fields, left: Fields, rules: Fields, skip: readonly string[], path: string): void {
  for (const [name, fate] of Object.entries(rules)) {
    if (skip.includes(name)) continue;
    const at = `${path}${name}`;
    const before = stored[name];
    assert.notEqual(before, undefined, `the test has no value for ${at}`);
    if (fate === 'kept') assert.deepEqual(left[name], before, `${at} is to be kept`);
    else if (fate === 'removed') assert.ok(!Object.hasOwn(left, name), `${at} is to be removed`);
    else if (fate === 'emptied') assertEmptied(before, left[name], at);
    else for (const [was, is] of pairs(before, left[name])) compare(was, is, fate as Fields, [], `${at}.`);
  }
}

function assertEmptied(before: unknown, left: unknown, at: string): void {
  assert.notDeepEqual(left, before, `${at} is to be emptied`);
  const kept = JSON.stringify(left) ?? '';
  for (const text of [before].flat())
    if (typeof text === 'string') assert.ok(!kept.includes(text), `${at} still has ${text}`);
}

function pairs(before: unknown, left: unknown): [Fields, Fields][] {
  const [was, is] = [[before].flat(), [left].flat()] as [Fields[], Fields[]];
  assert.equal(is.length, was.length);
  return was.map((each, index) => [each, is[index] ?? {}]);
}

/**
 * Checks that the copy of a person's data has every field of a record that isn't declared internal, with its texts.
 *
 * @param inOtherForm - fields that the copy represents differently, e.g. only as whether there is a value
 */
export function assertCopied<Stored extends object>(
  stored: Filled<Stored>,
  copy: Fields | undefined,
  rules: CopyRules<Stored> | NotInCopy,
  inOtherForm: readonly (keyof Stored & string)[] = [],
): void {
  assert.ok(copy, 'the record isn’t in the copy');
  for (const [field, name] of Object.entries(rules as Readonly<Record<string, unknown>>)) {
    if (typeof name !== 'string') continue;
    assert.ok(Object.hasOwn(copy, name), `the copy lacks ${name}`);
    if (inOtherForm.some((one) => one === field)) continue;
    for (const text of textsOf((stored as Fields)[field]))
      assert.ok(JSON.stringify(copy[name]).includes(JSON.stringify(text).slice(1, -1)), `${name} lacks ${text}`);
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return [];
  return Object.values(value).flatMap(textsOf);
}
