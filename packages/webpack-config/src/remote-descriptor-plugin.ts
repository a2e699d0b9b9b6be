import { createHash } from 'node:crypto';
import { contractVersion, type RemoteDescriptor } from '@clinic/contracts';
import { readFileSync } from 'node:fs';
import webpack, { type Compilation, type Compiler } from 'webpack';
import { integrityOf } from './integrity-plugin.ts';
import { chunksOfPages } from './page-chunks.ts';
import { containerOf, type RemoteDefinition } from './remote.ts';

/** Writes `remote.json`, the remote's publication, from which the gateway builds the registry. */
export class RemoteDescriptorPlugin {
  readonly #definition: RemoteDefinition;
  readonly #packageVersion: string;
  readonly #module: string;

  /** @param module absolute path of the file with the remote's routes */
  constructor(definition: RemoteDefinition, packageVersion: string, module: string) {
    this.#definition = definition;
    this.#packageVersion = packageVersion;
    this.#module = module;
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('RemoteDescriptorPlugin', (compilation) => {
      // After the last stage that changes file names.
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'RemoteDescriptorPlugin', stage }, () => {
        compilation.emitAsset(
          'remote.json',
          new webpack.sources.RawSource(`${JSON.stringify(this.describe(compilation), null, 2)}\n`),
        );
      });
    });
  }

  private describe(compilation: Compilation): RemoteDescriptor {
    const { name, title, pages, redirects, slots = [] } = this.#definition;
    const contributions = slots.map(({ slot, order }) => ({ slot, order }));
    const container = containerOf(name);
    const digest = createHash('sha256');
    for (const asset of compilation.getAssets().toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      digest.update(asset.name);
    digest.update(JSON.stringify([pages, redirects, contributions]));
    const filesOf = (chunk: string): string[] => compilation.namedChunkGroups.get(chunk)?.getFiles() ?? [];
    const exposed = filesOf('module');
    return {
      name,
      container,
      version: `${this.#packageVersion}+${digest.digest('hex').slice(0, 8)}`,
      contractVersion,
      title,
      pages,
      redirects,
      preload: [...filesOf(container), ...exposed].filter((file) => file.endsWith('.js')),
      pagePreload: this.pagePreload(compilation, new Set(exposed)),
      styles: exposed.filter((file) => file.endsWith('.css')),
      integrity: integrityOf(compilation),
      slots: contributions,
    };
  }

  private pagePreload(compilation: Compilation, known: ReadonlySet<string>): Record<string, string[]> {
    const source = readFileSync(this.#module, 'utf8');
    const chunks = chunksOfPages(
      compilation,
      this.#module,
      source,
      this.#definition.pages.map(({ path }) => path),
    );
    return Object.fromEntries([...chunks].map(([path, files]) => [path, files.filter((file) => !known.has(file))]));
  }
}
