import { z } from 'zod';
import type { CallSchemas, CallTable } from '../calls.ts';
import type { Checked, Decides } from '../authority.ts';

/** A field of a request or an answer, e.g. `seen.date`; a list's elements have the list's name. */
export interface ContractField {
  readonly path: string;
  /** As JSON Schema says it; `choice`: one of fixed values; `anything`: whatever the service puts there. */
  readonly kind: string;
  /** The fixed values of a choice. */
  readonly choices?: readonly unknown[];
}

const parts = ['params', 'query', 'body'] as const;

/** Words and kinds of fields that take part in decisions: addresses, ids, roles, states, prices, times, versions, secrets. */
const deciding =
  /(e?mail|^_?id|Ids?|by|to|from|until|since|date|time|times|day|daysOff|role|status|state|price\w*|owner|confirmed|version|revision|token|secret|code|file|manifest|user|account|patient|customer|doctor|appointment|order|record|person|after|restock|kind|kinds|specialty|url)$/i;
const paging = new Set(['limit', 'cursor', 'q', 'sort', 'specialty']);

/** Words of fields that hold something about a person. */
const personal =
  /(name|mail|phone|address|birth|patient\w*|customer\w*|doctor|actor|author|people|reason|note|invitedBy|^to|text|html)$|^(number|user)$/i;
const isPersonal = ({ path, kind }: ContractField): boolean =>
  kind === 'anything' || (kind === 'string' && personal.test(lastOf(path))) || lastOf(path) === 'age';

const lastOf = (path: string): string => path.split('.').at(-1) ?? '';

/** All fields of a schema, however they are wrapped. */
export function fieldsOf(schema: z.ZodType, io: 'input' | 'output'): ContractField[] {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const found = new Map<string, ContractField>();
  collect(root as Schema, '', (field) => found.set(JSON.stringify(field), field));
  return [...found.values()];
}

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

function collect(schema: Schema, path: string, add: (field: ContractField) => void): void {
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives) for (const one of alternatives) collect(one, path, add);
  else if (schema.items) collect(schema.items, path, add);
  else if (schema.properties)
    for (const [name, one] of Object.entries(schema.properties))
      collect(one, path === '' ? name : `${path}.${name}`, add);
  else if (typeof schema.additionalProperties === 'object') {
    if (Object.keys(schema.additionalProperties).length === 0) add({ path, kind: 'anything' });
    else collect(schema.additionalProperties, path, add);
  } else if (schema.enum || 'const' in schema) add({ path, kind: 'choice', choices: schema.enum ?? [schema.const] });
  else add({ path, kind: schema.type ?? 'nothing' });
}

/** What a call declares about a field of its request: itself, or for an object around it. */
export function declaredFor(decides: Decides | undefined, path: string): Checked | undefined {
  const stated = decides as Readonly<Record<string, Checked>> | undefined;
  for (let name = path; name.includes('.'); name = name.slice(0, name.lastIndexOf('.')))
    if (stated?.[name] !== undefined) return stated[name];
  return undefined;
}

/** The fields of a call's request, e.g. `body.seen.date`. */
export function requestFields(call: CallSchemas): ContractField[] {
  return parts.flatMap((part) =>
    call[part] ? fieldsOf(call[part], 'input').map((field) => ({ ...field, path: `${part}.${field.path}` })) : [],
  );
}

/**
 * What a table of calls doesn't say about the fields of requests: those that look as if they took part in a decision and
 * aren't in `decides`, and those in `decides` that aren't in the schemas.
 */
export function undeclaredFields(calls: CallTable): string[] {
  return Object.values(calls).flatMap((call) => {
    const fields = requestFields(call);
    const missing = fields
      .filter(({ path, kind }) => !(path.startsWith('query.') && paging.has(lastOf(path))) && looksDeciding(path, kind))
      .filter(({ path }) => declaredFor(call.decides, path) === undefined)
      .map(({ path }) => `${call.id} doesn’t declare what ${path} is checked against`);
    const unknown = Object.keys(call.decides ?? {})
      .filter((name) => !fields.some(({ path }) => path === name || path.startsWith(`${name}.`)))
      .map((name) => `${call.id} has no ${name}`);
    return [...new Set([...missing, ...unknown])];
  });
}

const looksDeciding = (path: string, kind: string): boolean =>
  path.startsWith('params.') || kind === 'boolean' || kind === 'choice' || deciding.test(lastOf(path));

/** Whether a call answers only what belongs to whoever makes it. */
const isOwn = ({ access }: CallTable[string]): boolean =>
  access.kind === 'session' ||
  access.kind === 'idToken' ||
  access.kind === 'refresh' ||
  (access.kind === 'restricted' && access.roles.length === 0 && (access.owners ?? []).every(({ role }) => !role));

/**
 * What a table of calls doesn't say about whose personal data its answers show: calls whose answers have some and that have
 * neither `shows` nor `unnoted`, and those whose `shows` names what isn't in the answer or the query.
 */
export function undeclaredAnswers(calls: CallTable): string[] {
  return Object.values(calls).flatMap((call) => {
    const { id, shows, unnoted, media } = call;
    const answered = media === 'text/event-stream' ? [] : fieldsOf(call.response, 'output');
    const held = answered.filter((field) => isPersonal(field) || media !== undefined);
    if (!shows) {
      if (unnoted !== undefined || isOwn(call) || held.length === 0) return [];
      return [`${id} doesn’t say whose ${held.map(({ path }) => path || 'file').join(', ')} it answers`];
    }
    const { whose, narrowedBy = [] } = shows;
    const query = call.query ? fieldsOf(call.query, 'input').map(({ path }) => path) : [];
    const isThere = whose === 'told' || whose === '' || answered.some(({ path }) => `${path}.`.startsWith(`${whose}.`));
    return [
      ...(isThere ? [] : [`${id} answers no ${whose}`]),
      ...narrowedBy.filter((name) => !query.includes(name)).map((name) => `${id} isn’t narrowed by ${name}`),
    ];
  });
}
