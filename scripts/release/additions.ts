import type { CallSnapshot, JsonSchema } from './compatibility.ts';

/** What a call takes or sends since an earlier release, by name: fields, values, and fields that may be missing now. */
export function additionsOf(was: CallSnapshot | undefined, is: CallSnapshot): string[] {
  const parts = (['params', 'query', 'body', 'response'] as const).flatMap((part) =>
    added(was?.[part] ?? {}, is[part] ?? {}, part),
  );
  return [...new Set(parts)];
}

function added(was: JsonSchema, is: JsonSchema, at: string): string[] {
  const lines: string[] = [];
  for (const [name, schema] of Object.entries(is.properties ?? {})) {
    const before = was.properties?.[name];
    lines.push(...(before ? added(before, schema, `${at}.${name}`) : [`${at}.${name} is new`]));
  }
  for (const name of was.required ?? [])
    if (is.properties?.[name] && !is.required?.includes(name)) lines.push(`${at}.${name} may be missing`);
  const values = valuesOf(was);
  if (values) for (const value of valuesOf(is) ?? []) if (!values.has(value)) lines.push(`${at} may be ${value}`);
  if (is.items) lines.push(...added(was.items ?? {}, is.items, `${at}[]`));
  if (typeof is.additionalProperties === 'object' && typeof was.additionalProperties === 'object')
    lines.push(...added(was.additionalProperties, is.additionalProperties, `${at}.*`));
  for (const kind of ['anyOf', 'oneOf', 'allOf'] as const)
    for (const [index, one] of (is[kind] ?? []).entries()) {
      const before = was[kind]?.[index];
      if (before) lines.push(...added(before, one, at));
      else if (was[kind]) lines.push(`${at} has another form: ${JSON.stringify(one.type ?? one.const ?? 'any')}`);
    }
  return lines;
}

/** The values of an enumeration, as JSON; `undefined` if it isn't one. */
function valuesOf({ enum: values, const: only }: JsonSchema): ReadonlySet<string> | undefined {
  const listed = values ?? (only === undefined ? undefined : [only]);
  return listed && new Set(listed.map((value) => JSON.stringify(value)));
}
