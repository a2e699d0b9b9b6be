import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Expression, ModuleItem } from '@swc/core';
import { readModule, type ModuleText } from './module-text.ts';

/** The code of each example, by component and state. */
export type ExampleSources = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Cuts the code of the catalogue's examples out of the modules that show them. A module exports one object: components with
 * their states, each an arrow function without parameters or the name of a function of that module.
 *
 * @param folder - absolute path of the folder with these modules
 */
export async function exampleSources(folder: string): Promise<ExampleSources> {
  const files = globSync('*.tsx', { cwd: folder }).toSorted();
  const found = await Promise.all(files.map(async (file) => sourcesIn(await readModule(join(folder, file)))));
  return Object.fromEntries(found.flat());
}

function sourcesIn(module: ModuleText): [string, Record<string, string>][] {
  return module.body.flatMap((item) => {
    if (item.type !== 'ExportDeclaration' || item.declaration.type !== 'VariableDeclaration') return [];
    return item.declaration.declarations.flatMap(({ init }) =>
      entriesOf(init).map(([component, states]): [string, Record<string, string>] => [
        component,
        Object.fromEntries(entriesOf(states).map(([state, example]) => [state, codeOf(example, module)])),
      ]),
    );
  });
}

/** The entries of an object that is written out. */
function entriesOf(value: Expression | undefined): [string, Expression][] {
  if (value?.type === 'TsSatisfiesExpression') return entriesOf(value.expression);
  if (value?.type !== 'ObjectExpression') return [];
  return value.properties.flatMap((property): [string, Expression][] => {
    if (property.type !== 'KeyValueProperty') return [];
    const { key } = property;
    return key.type === 'Identifier' || key.type === 'StringLiteral' ? [[key.value, property.value]] : [];
  });
}

function codeOf(example: Expression, module: ModuleText): string {
  if (example.type === 'ArrowFunctionExpression') {
    const { body } = example;
    const shown = body.type === 'ParenthesisExpression' ? body.expression : body;
    return dedent(module.textOf(shown as { span: { start: number; end: number } }));
  }
  if (example.type !== 'Identifier') throw new Error(`An example can't be a ${example.type}`);
  const found = module.body.find((item) => nameOf(item) === example.value);
  if (!found) throw new Error(`The example ${example.value} isn't in its module`);
  return module.textOf(found as { span: { start: number; end: number } });
}

function nameOf(item: ModuleItem): string | undefined {
  return item.type === 'FunctionDeclaration' ? item.identifier.value : undefined;
}

/** Removes the indentation that a text has from the second line on. */
function dedent(text: string): string {
  const [first = '', ...others] = text.split('\n');
  const indents = others.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const least = Math.min(...indents, Infinity);
  return [first, ...others.map((line) => line.slice(Number.isFinite(least) ? least : 0))].join('\n');
}
