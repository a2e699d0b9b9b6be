import webpack, { type Compiler } from 'webpack';
import { includedModules } from './literals.ts';

const zod = /[\\/]node_modules[\\/]zod[\\/]/;

/**
 * Fails a build that has zod: services check what they get. In a page it would be 20 kB, and it tries whether text may become code,
 * which the page's policy reports.
 */
export class NoSchemasPlugin {
  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('NoSchemasPlugin', (compilation) => {
      // Chunks are known by then, and modules aren't joined yet.
      compilation.hooks.optimizeChunks.tap('NoSchemasPlugin', () => {
        const graph = compilation.moduleGraph;
        const importers = includedModules(compilation)
          .filter((module) => zod.test(module.nameForCondition() ?? ''))
          .flatMap((module) => [...graph.getIncomingConnections(module)].map((by) => by.originModule))
          .map((module) => module?.nameForCondition() ?? '')
          .filter((file) => file !== '' && !zod.test(file));
        for (const file of new Set(importers))
          compilation.errors.push(
            new webpack.WebpackError(`${file} imports zod: move what pages need of it into a file without schemas.`),
          );
        return undefined;
      });
    });
  }
}
