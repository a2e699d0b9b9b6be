import { createHash } from 'node:crypto';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Compilation, type Compiler } from 'webpack';

/** Where scripts find what a file must be, by its whole address; the shell keeps it (`federation/integrity.ts`). */
const known = 'self.clinicIntegrity';

/**
 * Lets the loader of a build check what it loads (https://www.w3.org/TR/SRI/): an altered file is not run. What each file
 * must be is known beside the build, in the page and the registry, because a loader can't hold the digests of files that
 * name the loader.
 */
export class IntegrityPlugin {
  apply(compiler: Compiler): void {
    compiler.hooks.compilation.tap('IntegrityPlugin', (compilation) => {
      const digestOf = (address: string): string => `${known} && ${known}.get(${address}) || ""`;
      webpack.runtime.LoadScriptRuntimeModule.getCompilationHooks(compilation).createScript.tap('IntegrityPlugin', (source) => `${source}\nscript.integrity = ${digestOf('script.src')};`);
      MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap('IntegrityPlugin', (source, { tag }) => `${source}\n${tag}.integrity = ${digestOf(`${tag}.href`)};`);
    });
  }
}

/** What the scripts and stylesheets of a build must be, by their names. */
export function integrityOf(compilation: Compilation): Record<string, string> {
  const files = compilation.getAssets().filter(({ name }) => /\.(?:js|css)$/.test(name));
  return Object.fromEntries(files.map(({ name, source }) => [name, `sha256-${createHash('sha256').update(source.buffer()).digest('base64')}`]));
}
