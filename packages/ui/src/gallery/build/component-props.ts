// What each component of the kit takes: for its catalogue, and stored with each release to tell what changed since.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type {
  FunctionDeclaration,
  Pattern,
  TsInterfaceDeclaration,
  TsType,
  TsTypeAnnotation,
  TsTypeElement,
} from '@swc/core';
import { readModule, type ModuleText } from './module-text.ts';

/** A prop as its source declares it. */
export interface Prop {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  /** Its comment; empty without one. */
  readonly about: string;
}

/** A component's props. */
export interface ComponentProps {
  /** The component's comment. */
  readonly about: string;
  readonly props: readonly Prop[];
  /** Types of other packages whose fields are props as well: `Omit<ComponentPropsWithRef<'button'>, 'children'>`. */
  readonly also: readonly string[];
}

type Taken = Pick<ComponentProps, 'props' | 'also'>;

/** A type that has a name, and the module it is in. */
interface Named {
  readonly module: ModuleText;
  readonly declaration: TsInterfaceDeclaration | TsType;
  readonly exported: boolean;
}

const none: Taken = { props: [], also: [] };
const componentName = /^[A-Z]/;

/**
 * Reads every component that other packages can import, by name.
 *
 * @param folder - absolute path of the kit's `src`
 */
export async function componentProps(folder: string): Promise<Record<string, ComponentProps>> {
  const files = [
    ...globSync('*.tsx', { cwd: folder }).filter((file) => !/\.test\.tsx$|^gallery/.test(file)),
    ...globSync('charts/*.tsx', { cwd: folder }),
  ].toSorted();
  const modules = await Promise.all(
    files.map(async (file) => ({ file, module: await readModule(join(folder, file)) })),
  );
  const charts = namesIn(await readModule(join(folder, 'charts/index.ts')));
  const types = modules.map(({ module }) => typesOf(module));
  const found = modules.flatMap(({ file, module }, place) =>
    module.body.flatMap((item): [string, ComponentProps][] => {
      if (item.type !== 'ExportDeclaration' || item.declaration.type !== 'FunctionDeclaration') return [];
      const { declaration } = item;
      const name = declaration.identifier.value;
      // Others in that folder are parts of these.
      if (!componentName.test(name) || (file.startsWith('charts') && !charts.has(name))) return [];
      const own = types[place] ?? new Map<string, Named>();
      const find = (type: string) =>
        own.get(type) ?? types.map((one) => one.get(type)).find((one) => one?.exported === true);
      const taken = takenBy(declaration, module, find);
      return [[name, { about: descriptionOf(module.commentOn(item)), ...taken }]];
    }),
  );
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A comment without its tags. */
function descriptionOf(comment: string): string {
  return comment.replace(/\s*@(?:param|returns)\b.*$/, '').replaceAll(/\{@link (\w+)\}/g, '`$1`');
}

function namesIn({ body }: ModuleText): Set<string> {
  const specifiers = body.flatMap((item) => (item.type === 'ExportNamedDeclaration' ? item.specifiers : []));
  return new Set(specifiers.flatMap((one) => (one.type === 'ExportSpecifier' ? [one.orig.value] : [])));
}

function typesOf(module: ModuleText): Map<string, Named> {
  const types = new Map<string, Named>();
  for (const item of module.body) {
    const exported = item.type === 'ExportDeclaration';
    const declaration = exported ? item.declaration : item;
    if (declaration.type === 'TsInterfaceDeclaration')
      types.set(declaration.id.value, { module, declaration, exported });
    if (declaration.type === 'TsTypeAliasDeclaration')
      types.set(declaration.id.value, { module, declaration: declaration.typeAnnotation, exported });
  }
  return types;
}

type Find = (name: string) => Named | undefined;

function takenBy({ params: [first] }: FunctionDeclaration, module: ModuleText, find: Find): Taken {
  const typeAnnotation = first?.pat.type === 'ObjectPattern' ? first.pat.typeAnnotation : annotationOf(first?.pat);
  return typeAnnotation ? fieldsOf(typeAnnotation.typeAnnotation, module, find) : none;
}

/** The type of a parameter that isn't taken apart; the parser's own types leave it out. */
function annotationOf(pattern: Pattern | undefined): TsTypeAnnotation | undefined {
  return pattern?.type === 'Identifier' && 'typeAnnotation' in pattern
    ? (pattern.typeAnnotation as TsTypeAnnotation | undefined)
    : undefined;
}

function fieldsOf(type: TsType, module: ModuleText, find: Find): Taken {
  if (type.type === 'TsTypeLiteral')
    return { props: type.members.flatMap((one) => propOf(one, module, find)), also: [] };
  if (type.type === 'TsParenthesizedType') return fieldsOf(type.typeAnnotation, module, find);
  if (type.type === 'TsIntersectionType') return together(type.types.map((one) => fieldsOf(one, module, find)));
  if (type.type === 'TsTypeReference' && type.typeName.type === 'Identifier') {
    const known = namedFields(type.typeName.value, type.typeParams?.params ?? [], module, find);
    if (known) return known;
  }
  return { props: [], also: [oneLine(module.textOf(type))] };
}

/** Fields of a type of the kit, or of one without some; `undefined` for other packages' types. */
function namedFields(name: string, params: readonly TsType[], module: ModuleText, find: Find): Taken | undefined {
  const named = find(name);
  if (named)
    return named.declaration.type === 'TsInterfaceDeclaration'
      ? interfaceFields(named.declaration, named.module, find)
      : fieldsOf(named.declaration, named.module, find);
  const [from, without] = params;
  if (name !== 'Omit' || from?.type !== 'TsTypeReference' || !without) return undefined;
  if (from.typeName.type !== 'Identifier' || !find(from.typeName.value)) return undefined;
  const { props, also } = fieldsOf(from, module, find);
  const leftOut = new Set([...module.textOf(without).matchAll(/'([\w-]+)'/g)].map(([, key]) => key));
  return { props: props.filter((prop) => !leftOut.has(prop.name)), also };
}

function interfaceFields(declaration: TsInterfaceDeclaration, module: ModuleText, find: Find): Taken {
  const own = declaration.body.body.flatMap((one) => propOf(one, module, find));
  const bases = declaration.extends.map(({ expression, typeArguments, span }): Taken => {
    const known =
      expression.type === 'Identifier' && namedFields(expression.value, typeArguments?.params ?? [], module, find);
    return known || { props: [], also: [oneLine(module.textOf({ span }))] };
  });
  return together([{ props: own, also: [] }, ...bases]);
}

function propOf(member: TsTypeElement, module: ModuleText, find: Find): Prop[] {
  if (member.type !== 'TsPropertySignature' || member.computed) return [];
  return [
    {
      name: module.textOf(member.key as { span: { start: number; end: number } }).replaceAll("'", ''),
      type: member.typeAnnotation ? typeText(member.typeAnnotation.typeAnnotation, module, find) : 'unknown',
      optional: member.optional,
      about: module.commentOn(member),
    },
  ];
}

/** A type as written; a choice that has a name is spelt out, so that another choice shows as a change. */
function typeText(type: TsType, module: ModuleText, find: Find): string {
  const named =
    type.type === 'TsTypeReference' && type.typeName.type === 'Identifier' ? find(type.typeName.value) : undefined;
  return named?.declaration.type === 'TsUnionType'
    ? oneLine(named.module.textOf(named.declaration))
    : oneLine(module.textOf(type));
}

function together(parts: readonly Taken[]): Taken {
  return { props: parts.flatMap(({ props }) => props), also: parts.flatMap(({ also }) => also) };
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
