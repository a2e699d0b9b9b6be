import type { Route } from '@clinic/contracts/route';
import { contractVersion } from '@clinic/contracts/remotes';
import { routes } from '@clinic/contracts/routes';
import { type RemoteUses, type UsedCall, type UsedLibrary, usesFile } from '@clinic/contracts/uses';
import webpack, { type Compilation, type Compiler, type Module } from 'webpack';
import { callTables } from './base-config.ts';
import { includedModules, namesIn, noteNames } from './literals.ts';
import { shareKeys, sharedLibraries } from './shared-libraries.ts';

/**
 * Writes `uses.json`: the names it imports from the shell's libraries, and the calls it makes. `npm run remote --
 * check` compares it with the running clinic before the remote is deployed, and `npm run service -- check` with a
 * service's next version.
 */
export class UsesPlugin {
  readonly #calls: Readonly<Record<string, Route>>;

  /** @param calls - the domain's own calls, if they aren't in the product's contracts */
  constructor(calls: Readonly<Record<string, Route>> = {}) {
    this.#calls = { ...calls, ...routes };
  }

  apply(compiler: Compiler): void {
    noteNames(compiler);
    compiler.hooks.thisCompilation.tap('UsesPlugin', (compilation) => {
      let uses: RemoteUses | undefined;
      // Chunks are known by then, and modules aren't joined yet.
      compilation.hooks.optimizeChunks.tap('UsesPlugin', () => {
        uses = this.#usesOf(compilation);
        return undefined;
      });
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tap({ name: 'UsesPlugin', stage }, () =>
        compilation.emitAsset(usesFile, new webpack.sources.RawSource(`${JSON.stringify(uses, null, 2)}\n`)),
      );
    });
  }

  #usesOf(compilation: Compilation): RemoteUses {
    const included = includedModules(compilation);
    const own = included.filter((module) => !callTables.includes(module.nameForCondition() ?? ''));
    const names = new Set(own.flatMap(namesIn));
    const calls = Object.entries(this.#calls).flatMap(([id, { service, method, path }]): UsedCall[] =>
      names.has(id) ? [{ id, service, method, path }] : [],
    );
    return {
      contractVersion,
      libraries: librariesOf(compilation, included),
      calls: calls.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    };
  }
}

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
