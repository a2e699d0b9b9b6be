import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, type ModuleItem } from '@swc/core';
import { contractVersion } from '@clinic/contracts/remotes';
import { remoteWindow } from '@clinic/contracts/window/remotes';
import { root } from '../stack/settings.ts';

/** The modules that the shell provides to remotes. */
const provided = {
  '@clinic/app-kit': 'packages/app-kit/src/whole.ts',
  '@clinic/app-kit/records': 'packages/app-kit/src/records.ts',
  '@clinic/ui': 'packages/ui/src/whole.ts',
  '@clinic/ui/tables': 'packages/ui/src/tables.ts',
  '@clinic/ui/charts': 'packages/ui/src/charts/index.ts',
} as const;

interface Surface {
  readonly contractVersion: number;
  readonly names: Readonly<Record<string, readonly string[]>>;
}

const file = join(root, 'shell/src/federation/surface.json');

/** Names of the values exported to remotes, by library. */
export async function providedNames(): Promise<Record<string, string[]>> {
  return Object.fromEntries(
    await Promise.all(
      Object.entries(provided).map(async ([library, entry]) => [library, await valuesOf(join(root, entry))] as const),
    ),
  );
}

/**
 * Adds this release's new names to the list of names that deployed remotes may use. Names are only removed with the
 * contract version that had them: when it isn't accepted any more, the list starts over.
 *
 * @returns the new names
 */
export async function freezeSurface(): Promise<string[]> {
  const known = await promisedNames();
  const now = Object.entries(await providedNames());
  const added = now.flatMap(([library, names]) => names.filter((name) => !known[library]?.includes(name)));
  const names = Object.fromEntries(
    now.map(([library, here]) => [library, [...new Set([...(known[library] ?? []), ...here])].toSorted()]),
  );
  await writeFile(file, `${JSON.stringify({ contractVersion, names } satisfies Surface, null, 2)}\n`);
  return added;
}

/** Names that remotes of an accepted contract version may use, by library. */
export async function promisedNames(): Promise<Surface['names']> {
  const before = JSON.parse(await readFile(file, 'utf8')) as Surface;
  return before.contractVersion >= remoteWindow.oldest ? before.names : {};
}

/** Names of the values that a module exports; types don't exist at run time. */
async function valuesOf(path: string): Promise<string[]> {
  const { body } = await parse(await readFile(path, 'utf8'), { syntax: 'typescript', tsx: true });
  return (await Promise.all(body.map((item) => valuesIn(item, dirname(path))))).flat();
}

async function valuesIn(item: ModuleItem, folder: string): Promise<string[]> {
  if (item.type === 'ExportAllDeclaration') return valuesOf(join(folder, item.source.value));
  if (item.type === 'ExportNamedDeclaration') {
    if ('typeOnly' in item && item.typeOnly) return [];
    return item.specifiers.flatMap((one) =>
      one.type === 'ExportSpecifier' && !one.isTypeOnly ? [(one.exported ?? one.orig).value] : [],
    );
  }
  if (item.type !== 'ExportDeclaration') return [];
  const { declaration } = item;
  if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration')
    return [declaration.identifier.value];
  return declaration.type === 'VariableDeclaration'
    ? declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.value] : []))
    : [];
}
