import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ProvidedLibrary, providesFile, type ShellProvides } from '@clinic/contracts/uses';
import { remoteWindow } from '@clinic/contracts/window/remotes';
import webpack, { type Compilation, type Compiler } from 'webpack';
import { includedModules } from './literals.ts';
import { providedLibraries } from './shared-libraries.ts';

/** Writes `provides.json`: what this shell provides to remotes. `npm run remote -- check` compares builds with it. */
export class ProvidesPlugin {
  readonly #base: URL;

  /** @param folder - of the shell, absolute */
  constructor(folder: string) {
    this.#base = pathToFileURL(path.join(folder, 'package.json'));
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('ProvidesPlugin', (compilation) => {
      let provides: ShellProvides | undefined;
      compilation.hooks.optimizeChunks.tap('ProvidesPlugin', () => {
        provides = { contracts: remoteWindow, libraries: this.#librariesOf(compilation) };
        return undefined;
      });
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tap({ name: 'ProvidesPlugin', stage }, () =>
        compilation.emitAsset(providesFile, new webpack.sources.RawSource(`${JSON.stringify(provides, null, 2)}\n`)),
      );
    });
  }

  /** @throws Error if the shell doesn't import a library that it should provide */
  #librariesOf(compilation: Compilation): Record<string, ProvidedLibrary> {
    const names = exportsByRequest(compilation);
    return Object.fromEntries(
      Object.entries(providedLibraries).map(([shared, request]) => {
        const exported = names.get(request);
        if (exported === undefined) throw new Error(`The shell provides ${shared}, but nothing imports ${request}`);
        return [shared, { version: this.#versionOf(request), ...(exported && { names: exported }) }];
      }),
    );
  }

  #versionOf(request: string): string {
    const file = findPackageJSON(request, this.#base);
    if (file === undefined) throw new Error(`${request} has no package.json`);
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
}

/** Exports of the imported modules, by request; null for libraries whose exports are only known at run time. */
function exportsByRequest(compilation: Compilation): Map<string, readonly string[] | null> {
  const { moduleGraph } = compilation;
  const found = new Map<string, readonly string[] | null>();
  for (const module of includedModules(compilation)) {
    for (const { dependency } of moduleGraph.getOutgoingConnections(module)) {
      // By the import's request: connections lead to the module that defines a name.
      const imported = dependency && moduleGraph.getResolvedModule(dependency);
      if (!imported || !('request' in dependency)) continue;
      const names = moduleGraph.getProvidedExports(imported);
      const fixed = Array.isArray(names) && imported.buildMeta?.exportsType === 'namespace';
      found.set(String(dependency.request), fixed ? names.toSorted() : null);
    }
  }
  return found;
}
