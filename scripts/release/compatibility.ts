// Finds what would break for a front-end built for an earlier release, from the schemas alone. Rules that schemas can't
// express (refinements) are left to the browser tests: e2e/src/federation/previous-release.e2e.ts.

/** The subset of JSON Schema that zod emits (https://json-schema.org/draft/2020-12). */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** A REST call as stored with a release. */
export interface CallSnapshot {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly paged: boolean;
  readonly idempotent: boolean;
  readonly media?: string | undefined;
  readonly params?: JsonSchema | undefined;
  readonly query?: JsonSchema | undefined;
  readonly body?: JsonSchema | undefined;
  readonly response?: JsonSchema | undefined;
}

type Calls = Readonly<Record<string, CallSnapshot>>;

/**
 * Compares the calls of an earlier release with the current ones.
 *
 * @returns one line per break for an earlier front-end; the same break always has the same wording
 */
export function breaksBetween(before: Calls, now: Calls): string[] {
  return Object.entries(before).flatMap(([id, was]) => {
    const is = now[id];
    if (!is) return [`${id}: the call is gone`];
    const lines: string[] = [];
    for (const field of ['method', 'path', 'status', 'media'] as const) {
      if (was[field] !== is[field]) lines.push(`${field} was ${was[field] ?? 'none'} and is ${is[field] ?? 'none'}`);
    }
    for (const field of ['paged', 'idempotent'] as const)
      if (was[field] && !is[field]) lines.push(`is not ${field} any more`);
    for (const part of ['params', 'query', 'body'] as const)
      lines.push(...rejections(was[part] ?? (part === 'query' ? noQuery : {}), is[part] ?? {}, part));
    lines.push(...unexpected(was.response ?? {}, is.response ?? {}, 'response'));
    return lines.map((line) => `${id}: ${line}`);
  });
}

/** What pages sent to a call that took none. */
const noQuery: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/** Upper limits reject more when lowered, lower limits when raised. */
const upper = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'] as const;
const lower = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'] as const;

/** What was accepted and is now rejected or ignored. @param at - name of the part, for the lines */
export function rejections(was: JsonSchema, is: JsonSchema, at: string): string[] {
  if (isAnything(is)) return [];
  if (isAnything(was)) return [`${at}: anything was taken, and is limited now`];
  const [wasOneOf, isOneOf] = [alternatives(was), alternatives(is)];
  // Each former alternative must match a current one.
  if (wasOneOf.length > 1 || isOneOf.length > 1) {
    return wasOneOf.flatMap((one, index) => {
      const tries = isOneOf.map((other) => rejections(one, other, at));
      if (tries.some((lines) => lines.length === 0)) return [];
      return isOneOf.length === 1
        ? (tries[0] ?? [])
        : [`${at}: alternative ${index + 1} (${nameOf(one)}) is refused now`];
    });
  }
  return refusedBy(wasOneOf[0] ?? {}, isOneOf[0] ?? {}, at);
}

function refusedBy(was: JsonSchema, is: JsonSchema, at: string): string[] {
  if (!accepts(is.type, was.type)) return [`${at}: was ${text(was.type, 'anything')} and must be ${text(is.type)}`];
  const lines: string[] = [];
  const missing = valuesOf(was)?.filter((value) => !(valuesOf(is) ?? [value]).includes(value)) ?? [];
  if (missing.length > 0)
    lines.push(`${at}: ${missing.map((value) => JSON.stringify(value)).join(', ')} is refused now`);
  if (!valuesOf(was) && valuesOf(is))
    lines.push(
      `${at}: only ${valuesOf(is)
        ?.map((value) => JSON.stringify(value))
        .join(', ')} is taken now`,
    );
  for (const limit of upper)
    if (Number(is[limit] ?? Infinity) < Number(was[limit] ?? Infinity))
      lines.push(`${at}: ${limit} was ${text(was[limit])} and is ${text(is[limit])}`);
  for (const limit of lower)
    if (Number(is[limit] ?? -Infinity) > Number(was[limit] ?? -Infinity))
      lines.push(`${at}: ${limit} was ${text(was[limit])} and is ${text(is[limit])}`);
  for (const rule of ['pattern', 'format', 'multipleOf'] as const)
    if (is[rule] !== undefined && is[rule] !== was[rule])
      lines.push(`${at}: ${rule} was ${text(was[rule])} and is ${text(is[rule])}`);
  for (const name of is.required ?? []) if (!was.required?.includes(name)) lines.push(`${at}.${name}: is required now`);
  for (const [name, schema] of Object.entries(was.properties ?? {})) {
    const other =
      is.properties?.[name] ?? (typeof is.additionalProperties === 'object' ? is.additionalProperties : undefined);
    if (other) lines.push(...rejections(schema, other, `${at}.${name}`));
    else lines.push(`${at}.${name}: was removed`);
  }
  if (was.additionalProperties !== false && is.additionalProperties === false)
    lines.push(`${at}: further fields are refused now`);
  if (was.items && is.items) lines.push(...rejections(was.items, is.items, `${at}[]`));
  const [wasRest, isRest] = [restOf(was), restOf(is)];
  if (wasRest && isRest) lines.push(...rejections(wasRest, isRest, `${at}.*`));
  return lines;
}

/** What was guaranteed and may now be missing or different. */
function unexpected(was: JsonSchema, is: JsonSchema, at: string): string[] {
  if (isAnything(was)) return [];
  if (isAnything(is)) return [`${at}: may be anything now`];
  const [wasOneOf, isOneOf] = [alternatives(was), alternatives(is)];
  // Each current alternative must match a former one.
  if (wasOneOf.length > 1 || isOneOf.length > 1) {
    return isOneOf.flatMap((one) => {
      const tries = wasOneOf.map((other) => unexpected(other, one, at));
      if (tries.some((lines) => lines.length === 0)) return [];
      return wasOneOf.length === 1 && one.type === wasOneOf[0]?.type
        ? (tries[0] ?? [])
        : [`${at}: may be ${nameOf(one)} now`];
    });
  }
  return unexpectedOf(wasOneOf[0] ?? {}, isOneOf[0] ?? {}, at);
}

function unexpectedOf(was: JsonSchema, is: JsonSchema, at: string): string[] {
  if (!accepts(was.type, is.type)) return [`${at}: was ${text(was.type)} and is ${text(is.type, 'anything')}`];
  const lines: string[] = [];
  const added = valuesOf(is)?.filter((value) => !(valuesOf(was) ?? [value]).includes(value)) ?? [];
  if (added.length > 0) lines.push(`${at}: may be ${added.map((value) => JSON.stringify(value)).join(', ')} now`);
  if (valuesOf(was) && !valuesOf(is)) lines.push(`${at}: may be any ${text(is.type, 'value')} now`);
  for (const [name, schema] of Object.entries(was.properties ?? {})) {
    const other = is.properties?.[name];
    if (!other) lines.push(`${at}.${name}: was removed`);
    else {
      if (was.required?.includes(name) && !is.required?.includes(name))
        lines.push(`${at}.${name}: may be left out now`);
      lines.push(...unexpected(schema, other, `${at}.${name}`));
    }
  }
  if (was.items && is.items) lines.push(...unexpected(was.items, is.items, `${at}[]`));
  const [wasRest, isRest] = [restOf(was), restOf(is)];
  if (wasRest && isRest) lines.push(...unexpected(wasRest, isRest, `${at}.*`));
  return lines;
}

/** Whether a schema of one type accepts values of another. */
function accepts(type: JsonSchema['type'], other: JsonSchema['type']): boolean {
  return type === undefined || type === other || (type === 'number' && other === 'integer');
}

/** The alternatives of a schema. The parts of an intersection are merged. */
function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  if (schema.allOf)
    return [
      schema.allOf.reduce<JsonSchema>(
        (all, one) => ({
          ...all,
          ...one,
          properties: { ...all.properties, ...one.properties },
          required: [...(all.required ?? []), ...(one.required ?? [])],
        }),
        {},
      ),
    ];
  const { type } = schema;
  if (Array.isArray(type)) return type.map((one: string) => ({ ...schema, type: one }));
  return schema.anyOf ?? schema.oneOf ?? [schema];
}
const valuesOf = (schema: JsonSchema): readonly unknown[] | undefined =>
  schema.enum ?? ('const' in schema ? [schema.const] : undefined);
const isAnything = (schema: JsonSchema): boolean =>
  Object.keys(schema).every((keyword) => keyword === 'description' || keyword === 'default');
/** Schema of a record's values. */
const restOf = ({ additionalProperties }: JsonSchema): JsonSchema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;
const text = (value: unknown, none = 'none'): string =>
  value === undefined ? none : typeof value === 'string' ? value : JSON.stringify(value);
const nameOf = (schema: JsonSchema): string =>
  valuesOf(schema)
    ?.map((value) => JSON.stringify(value))
    .join(', ') ?? String(schema.type ?? 'something');
