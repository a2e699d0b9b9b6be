import type { Checked } from '@clinic/contracts/authority';
import type { CallTable } from '@clinic/contracts/calls';
import { declaredFor, requestFields, type ContractField } from '@clinic/contracts/testing/contract-fields';
import type { Request } from './request.ts';

/** A field of a call that takes part in a decision, changed. */
export interface Flip {
  readonly path: string;
  readonly checked: Checked;
  readonly value: unknown;
}

/** What flips put into requests: addresses and ids of people and records that aren't the caller's. */
export interface Strangers {
  readonly emails: readonly string[];
  readonly ids: readonly string[];
}

/** An id that nothing has. */
const unknownId = 'e'.repeat(24);

/** Every value to which each declared field of a call is changed. */
export function flipsOf(call: CallTable[string], strangers: Strangers): Flip[] {
  return requestFields(call).flatMap((field) => {
    const checked = declaredFor(call.decides, field.path);
    if (checked === undefined) return [];
    return valuesFor(field, strangers).map((value) => ({ path: field.path, checked, value }));
  });
}

const words: readonly (readonly [RegExp, (strangers: Strangers) => readonly unknown[]])[] = [
  [/email$|^person$/i, ({ emails }) => emails],
  [/^_?id$|Ids?$|^(record|appointment|order|doctor|after)$/, ({ ids }) => [...ids, unknownId]],
  [/role$/i, () => ['admin', 'doctor']],
  [/status$/i, () => ['Confirmed', 'Delivered', 'Cancelled']],
  [/dateOfBirth/, () => ['2001-01-01']],
  [/date$|^(from|until|to|daysOff)$/i, () => ['2020-01-01', '2020-01-01T00:00:00Z']],
  [/times?$/i, () => ['03:33']],
];

function valuesFor({ path, kind, choices }: ContractField, strangers: Strangers): readonly unknown[] {
  if (choices) return choices;
  if (kind === 'boolean') return [true, false];
  if (kind === 'number' || kind === 'integer') return [0.01, 1, 9_999];
  const name = path.split('.').at(-1) ?? '';
  return words.find(([pattern]) => pattern.test(name))?.[1](strangers) ?? ['flipped'];
}

/** The request with the field changed; lists change in their first element. */
export function flipped(request: Request, { path, value }: Flip): Request {
  const [part = '', ...names] = path.split('.');
  return { ...request, [part]: withValue(request[part as 'body'], names, value) };
}

function withValue(at: unknown, names: readonly string[], value: unknown): unknown {
  const [name, ...rest] = names;
  if (Array.isArray(at)) return [withValue(at[0], names, value), ...(at.slice(1) as unknown[])];
  if (name === undefined) return value;
  const object = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>) : {};
  return { ...object, [name]: withValue(object[name], rest, value) };
}
