import fc from 'fast-check';
import { z } from 'zod';
import { hostileText } from './hostile.ts';

/** Values for fields with these names, wherever they are: values that a schema can't express, such as existing ids. */
export type KnownFields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Hostile texts that are valid as a name or an address: they get stored, and readers see them later. */
const storable = hostileText.filter((text) => text.trim() !== '' && text.length <= 40);

/** Longest generated list; hostile values test the limits themselves. */
const maxList = 6;

/**
 * Input that is valid for a contract schema, generated from the schema's own JSON Schema, so that a call added to
 * the contracts is tested without a line here.
 */
export function inputOf(schema: z.ZodType, known: KnownFields): fc.Arbitrary<unknown> {
  return arbitraryOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, known);
}

function arbitraryOf(schema: JsonSchema, known: KnownFields): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => arbitraryOf(each, known)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(
        ([name, field]) => [name, known[name] ?? arbitraryOf(field, known)] as const,
      );
      return fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] });
    }
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, known), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? maxList, maxList),
      });
    case 'string':
      if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
      return fc.oneof(
        fc.string({
          unit: 'grapheme',
          minLength: schema.minLength ?? 0,
          maxLength: Math.min(schema.maxLength ?? 60, 60),
        }),
        fc.constantFrom(...storable),
      );
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 2_147_483_647) });
    case 'number':
      // Amounts of money have two decimals.
      return fc
        .integer({ min: Math.ceil((schema.minimum ?? 0) * 100), max: Math.min(schema.maximum ?? 1_000, 1_000) * 100 })
        .map((cents) => cents / 100);
    case 'boolean':
      return fc.boolean();
    case undefined:
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}
