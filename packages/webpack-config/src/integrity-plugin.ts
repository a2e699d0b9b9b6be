import { createHash } from 'node:crypto';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { HashFile } from '@clinic/contracts/remotes';
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
      compilation.hooks.runtimeRequirementInTree
        .for(webpack.RuntimeGlobals.ensureChunkHandlers)
        .tap('IntegrityPlugin', (chunk) => compilation.addRuntimeModule(chunk, new WaitForHashes()));
      MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap(
        'IntegrityPlugin',
        (source, { tag }) => `${source}\n${tag}.integrity = ${digestOf(`${tag}.href`)};`,
      );
    });
  }
}

/**
 * Makes a build's loader wait for the hashes of files that the page's HTML doesn't name. Whether they arrive or not, what the
 * map says of a file then decides. A chunk of styles has no script, whose hash nobody would know.
 */
class WaitForHashes extends webpack.RuntimeModule {
  constructor() {
    super('wait for hashes', webpack.RuntimeModule.STAGE_TRIGGER);
  }

  override generate(): string {
    const { ensureChunk, getChunkScriptFilename, publicPath } = webpack.RuntimeGlobals;
    const { chunkGraph, compilation } = this;
    if (!chunkGraph || !compilation) throw new Error('A runtime module is written once its build has chunks');
    const { chunkHasJs } = webpack.javascript.JavascriptModulesPlugin;
    // By their ids: the loader's name for a chunk's styles is the same for every chunk if one alone has any.
    const styles = [...compilation.chunks].filter((chunk) => !chunkHasJs(chunk, chunkGraph)).map(({ id }) => id);
    return `var load = ${ensureChunk};
var styles = new Set(${JSON.stringify(styles)});
${ensureChunk} = (chunk) => {
  var known = ${known};
  var wait = known && known.wait && !styles.has(chunk) && known.wait(new URL(${publicPath} + ${getChunkScriptFilename}(chunk), location.href).href);
  return wait ? wait.then(() => load(chunk)) : load(chunk);
};`;
  }
}

/** Writes the file with the digests. */
export function emitHashes(compilation: Compilation): HashFile {
  const text = JSON.stringify(integrityOf(compilation));
  const file = `hashes.${createHash('sha256').update(text).digest('hex').slice(0, 20)}.json`;
  compilation.emitAsset(file, new webpack.sources.RawSource(text));
  return { file, integrity: digestOf(Buffer.from(text)) };
}

/** A hash as browsers check it. */
export function digestOf(content: Buffer): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}

/** Digests of a build's scripts and stylesheets, by file name. */
export function integrityOf(compilation: Compilation): Record<string, string> {
  const files = compilation.getAssets().filter(({ name }) => /\.(?:js|css)$/.test(name));
  return Object.fromEntries(files.map(({ name, source }) => [name, digestOf(source.buffer())]));
}
