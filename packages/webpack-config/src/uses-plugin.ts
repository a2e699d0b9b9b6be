import type { Route } from '@clinic/contracts/route';
import { contractVersion } from '@clinic/contracts/remotes';
import { type RemoteUses, type UsedCall, type UsedLibrary, usesFile } from '@clinic/contracts/uses';
import { fileURLToPath } from 'node:url';
import webpack, { type Compilation, type Compiler, type Module } from 'webpack';
import { callTables } from './base-config.ts';
import { tablesOf } from './call-table-loader.ts';
import { includedModules, namesIn, noteNames } from './literals.ts';
import { shareKeys, sharedLibraries } from './shared-libraries.ts';

/** The calls that the shell adds for everybody. */
const sessionTable = fileURLToPath(import.meta.resolve('@clinic/contracts/session/calls'));

/**
 * Writes `uses.json`: the names it imports from the shell's libraries, and the calls it makes. `npm run remote --
 * check` compares it with the running clinic before the remote is deployed, and `npm run service -- check` with a
 * service's next version.
 */
export class UsesPlugin {
  readonly #added: Readonly<Record<string, Route>>;

  /** @param added - calls beside those of the tables in the build */
  constructor(added: Readonly<Record<string, Route>> = {}) {
    this.#added = added;
  }

  apply(compiler: Compiler): void {
    noteNames(compiler);
    compiler.hooks.thisCompilation.tap('UsesPlugin', (compilation) => {
      let uses: RemoteUses | undefined;
      let calls = this.#added;
      compilation.hooks.finishModules.tapPromise('UsesPlugin', async (modules) => {
        const files = [...modules].map(fileOf).filter((file) => callTables.test(file));
        const tables = (await Promise.all([sessionTable, ...files].map(tablesOf))).flatMap(Object.values);
        calls = Object.assign({}, ...tables, this.#added) as Readonly<Record<string, Route>>;
      });
      // Chunks are known by then, and modules aren't joined yet.
      compilation.hooks.optimizeChunks.tap('UsesPlugin', () => {
        uses = usesOf(compilation, calls);
        return undefined;
      });
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tap({ name: 'UsesPlugin', stage }, () =>
        compilation.emitAsset(usesFile, new webpack.sources.RawSource(`${JSON.stringify(uses, null, 2)}\n`)),
      );
    });
  }
}

function usesOf(compilation: Compilation, known: Readonly<Record<string, Route>>): RemoteUses {
  const included = includedModules(compilation);
  const names = new Set(included.filter((module) => !callTables.test(fileOf(module))).flatMap(namesIn));
  const calls = Object.entries(known).flatMap(([id, { service, method, path }]): UsedCall[] =>
    names.has(id) ? [{ id, service, method, path }] : [],
  );
  return {
    contractVersion,
    libraries: librariesOf(compilation, included),
    calls: calls.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

const fileOf = (module: Module): string => module.nameForCondition() ?? '';

/** The names that the included modules import from each shared library. */
function librariesOf(compilation: Compilation, included: readonly Module[]): Record<string, UsedLibrary> {
  const names = new Map<string, Set<string>>();
  for (const module of included) {
    for (const { dependency } of compilation.moduleGraph.getOutgoingConnections(module)) {
      const library = dependency && 'request' in dependency ? String(dependency.request) : '';
      if (!dependency || !Object.hasOwn(sharedLibraries, library)) continue;
      const used = names.get(library) ?? new Set<string>();
      names.set(library, used);
      for (const reference of dependency.getReferencedExports(compilation.moduleGraph, undefined)) {
        const path = Array.isArray(reference) ? reference : reference.name;
        if (path[0] !== undefined) used.add(path[0]);
        else if (dependency.type.startsWith('harmony import specifier') || dependency.type === 'import()')
          used.add('*');
      }
    }
  }
  return Object.fromEntries(
    [...names]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([library, used]) => {
        const range = sharedLibraries[library];
        return [shareKeys[library] ?? library, { ...(range && { range }), names: [...used].toSorted() }];
      }),
  );
}
