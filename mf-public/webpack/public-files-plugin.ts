import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import webpack, { type Compiler } from 'webpack';

/**
 * Copies a folder's files into the build under their own names: the clinic's records store the URLs of doctors' portraits,
 * so they must not change with each build as hashed names do.
 */
export class PublicFilesPlugin {
  readonly #folder: string;

  /** @param folder - absolute path */
  constructor(folder: string) {
    this.#folder = folder;
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('PublicFilesPlugin', (compilation) => {
      compilation.contextDependencies.add(this.#folder);
      // Early, so that these files are compressed too.
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tap({ name: 'PublicFilesPlugin', stage }, () => {
        for (const file of globSync('**/*', { cwd: this.#folder })) {
          const source = path.join(this.#folder, file);
          if (!statSync(source).isFile()) continue;
          compilation.emitAsset(file.replaceAll(path.sep, '/'), new webpack.sources.RawSource(readFileSync(source)));
        }
      });
    });
  }
}
