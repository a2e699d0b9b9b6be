import { createHash } from 'node:crypto';
import { contractVersion, type RemoteDescriptor } from '@clinic/contracts';
import { readFileSync } from 'node:fs';
import webpack, { type Compilation, type Compiler } from 'webpack';
import { chunksOfPages } from './page-chunks.ts';
import { containerOf, type RemoteDefinition } from './remote.ts';

export const manifestFile = 'mf-manifest.json';

/** The part of a federation manifest that we read. */
interface Manifest {
  metaData: { remoteEntry: { name: string; path: string } };
  exposes: { assets: { js: { sync: string[] }; css: { sync: string[] } } }[];
}

/** Writes `remote.json`: what the remote publishes about itself, from which the gateway composes the registry. */
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
      // After the last stage that touches names or the manifest.
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'RemoteDescriptorPlugin', stage }, () => {
        const manifest = compilation.getAsset(manifestFile);
        // Without a manifest the compilation has failed and says why itself.
        if (!manifest) return;
        const descriptor = this.describe(JSON.parse(manifest.source.source().toString()) as Manifest, compilation);
        compilation.emitAsset('remote.json', new webpack.sources.RawSource(`${JSON.stringify(descriptor, null, 2)}\n`));
      });
    });
  }

  private describe(manifest: Manifest, compilation: Compilation): RemoteDescriptor {
    const { name, title, pages, redirects } = this.#definition;
    const { remoteEntry } = manifest.metaData;
    const exposed = manifest.exposes.map((expose) => expose.assets);
    const digest = createHash('sha256');
    for (const asset of compilation.getAssets().toSorted((a, b) => (a.name < b.name ? -1 : 1))) digest.update(asset.name);
    digest.update(JSON.stringify([pages, redirects]));
    return {
      name,
      container: containerOf(name),
      version: `${this.#packageVersion}+${digest.digest('hex').slice(0, 8)}`,
      contractVersion,
      title,
      pages,
      redirects,
      manifest: manifestFile,
      preload: [remoteEntry.path + remoteEntry.name, ...exposed.flatMap(({ js }) => js.sync)],
      pagePreload: this.pagePreload(compilation, new Set(exposed.flatMap(({ js, css }) => [...js.sync, ...css.sync]))),
      styles: exposed.flatMap(({ css }) => css.sync),
    };
  }

  private pagePreload(compilation: Compilation, known: ReadonlySet<string>): Record<string, string[]> {
    const source = readFileSync(this.#module, 'utf8');
    const chunks = chunksOfPages(compilation, this.#module, source, this.#definition.pages.map(({ path }) => path));
    return Object.fromEntries([...chunks].map(([path, files]) => [path, files.filter((file) => !known.has(file))]));
  }
}
