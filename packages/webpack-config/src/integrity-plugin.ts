import { createHash } from 'node:crypto';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Compilation, type Compiler } from 'webpack';

/** Global map of digests by full URL; maintained by the shell (`federation/integrity.ts`). */
const known = 'self.clinicIntegrity';

/**
 * Makes a build's loader check what it loads (https://www.w3.org/TR/SRI/), so that an altered file isn't run. The
 * digests are kept outside the build, in the page and the registry, because a loader can't contain digests of files
 * that refer to it.
 */
export class IntegrityPlugin {
  apply(compiler: Compiler): void {
    compiler.hooks.compilation.tap('IntegrityPlugin', (compilation) => {
      const digestOf = (address: string): string => `${known} && ${known}.get(${address}) || ""`;
      webpack.runtime.LoadScriptRuntimeModule.getCompilationHooks(compilation).createScript.tap(
        'IntegrityPlugin',
        (source) => `${source}\nscript.integrity = ${digestOf('script.src')};`,
      );
      MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap(
        'IntegrityPlugin',
        (source, { tag }) => `${source}\n${tag}.integrity = ${digestOf(`${tag}.href`)};`,
      );
    });
  }
}

/** Digests of a build's scripts and stylesheets, by file name. */
export function integrityOf(compilation: Compilation): Record<string, string> {
  const files = compilation.getAssets().filter(({ name }) => /\.(?:js|css)$/.test(name));
  return Object.fromEntries(
    files.map(({ name, source }) => [name, `sha384-${createHash('sha384').update(source.buffer()).digest('base64')}`]),
  );
}
