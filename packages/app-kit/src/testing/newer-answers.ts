import type { Route } from '@clinic/contracts';
import type { CallSchemas } from '@clinic/contracts/calls';
import { z } from 'zod';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
}

/** A word that no release knows. */
export const newerWord = 'newer-word';

/** What a field says whose schema asks for no form. */
export const plainText = 'Some words';

/** Texts for fields with a format or pattern: the first that fits. */
const texts = [
  plainText,
  '2026-12-01T09:00:00.000Z',
  '2026-12-01',
  '2026-12',
  '09:00',
  '10:00 AM',
  'a'.repeat(24),
  'ann@mail.example',
  'https://clinic.example/x',
  'Asia/Dhaka',
  '+8801711000000',
  '1',
];

/** Texts for fields whose schema is a plain text, by their name and that of the field they stand in: `slots.until`. */
const named: readonly (readonly [RegExp, string])[] = [
  [/\.daysOff$|date$|\.holiday$|\.bookableUntil$/i, '2026-12-01'],
  [/times?$|\.ends$|^(hours|off|slots|blocks|exception)\.(from|until)$/i, '09:00'],
  [/At$|\.at$|\.since$|\.(held|change)Until$/, '2026-12-01T09:00:00.000Z'],
  [/\.(from|until)$/, '2026-12-01'],
  [/email$/i, 'ann@mail.example'],
  [/id$/i, 'a'.repeat(24)],
];

/** Texts of formats whose pattern is too wide to choose by. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-12-01T09:00:00.000Z',
  date: '2026-12-01',
  time: '09:00:00',
  email: 'ann@mail.example',
  uri: 'https://clinic.example/x',
};

/**
 * A response as a newer service could send it: of the contract's form, but with a word in the place of each of its closed
 * lists (statuses, roles, kinds, units, actions) that this build doesn't know.
 *
 * @param newer - `false`: with the words of this release
 */
export function answerOf({ response }: Pick<CallSchemas, 'response'>, newer: boolean): unknown {
  return sampleOf(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }) as JsonSchema, newer);
}

function sampleOf(schema: JsonSchema, newer: boolean, name = '.'): unknown {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return sampleOf(choices.find(({ type }) => type !== 'null') ?? {}, newer, name);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, newer))) as unknown;
  const closed = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  if (closed) return newer && typeof closed[0] === 'string' ? newerWord : closed[0];
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return {
        ...Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([field, value]) => [
            field,
            sampleOf(value, newer, `${name.slice(name.indexOf('.') + 1)}.${field}`),
          ]),
        ),
        ...(typeof schema.additionalProperties === 'object' && {
          [String(sampleOf(schema.propertyNames ?? { type: 'string' }, newer))]: sampleOf(
            schema.additionalProperties,
            newer,
          ),
        }),
      };
    case 'array': {
      if (schema.prefixItems) return schema.prefixItems.map((item) => sampleOf(item, newer));
      const { items = {} } = schema;
      // One of each kind, where items differ.
      return (items.anyOf ?? items.oneOf ?? [items]).map((item) => sampleOf(item, newer, name));
    }
    case 'string': {
      if (schema.format !== undefined && schema.format in formats) return formats[schema.format];
      if (schema.pattern === undefined) return named.find(([names]) => names.test(name))?.[1] ?? plainText;
      const pattern = new RegExp(schema.pattern, 'u');
      return texts.find((text) => pattern.test(text)) ?? '';
    }
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

/** The call that answers an address. */
export function callAt<Call extends Pick<Route, 'method' | 'path'>>(
  calls: readonly Call[],
  method: string,
  path: string,
): Call | undefined {
  const fits = (call: Call): boolean =>
    call.method === method &&
    new RegExp(`^${call.path.replace(/\/:\w+/g, '/[^/]+').replaceAll('.', '\\.')}$`).test(path);
  // A fixed path before one with parameters.
  return calls.find((call) => call.path === path && call.method === method) ?? calls.find(fits);
}
