import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import webpack, { type Compilation, type Compiler } from 'webpack';
import { emitHashes, integrityOf } from './integrity-plugin.ts';

const firstScriptName = 'first';

export interface HtmlTemplateOptions {
  /** Absolute path of the template, which has the marker `<!-- assets -->` in its head. */
  readonly template: string;
  readonly publicPath: string;
  /** Absolute path of a folder whose files are copied to the build unchanged. */
  readonly publicFolder: string;
  /** Absolute path of a small script that runs before the first paint; it isn't bundled. */
  readonly firstScript: string;
  /**
   * Named lazy chunks to preload with the entry, by their use: a path of the shell's own pages, `remotes` for all pages of
   * remotes, or a library for those that need it. The gateway leaves out those that the requested address doesn't need.
   */
  readonly preloadChunks: Readonly<Record<string, string>>;
  /** Named lazy chunks that first pages load without a preload: their digests are in the HTML, not in the file of all. */
  readonly firstChunks: readonly string[];
  /** Named lazy chunks that pages as HTML preload with the application: of parts that their HTML has. */
  readonly htmlChunks: readonly string[];
  /** Renders the frame of pages that come as HTML; absent while developers change it. */
  readonly frame?: (() => Promise<HtmlFrame>) | undefined;
}

/** A frame as HTML, and the files that it was made of. */
export interface HtmlFrame {
  readonly html: string;
  readonly sources: readonly string[];
}

/**
 * Writes `index.html` with the scripts and styles of the build; the gateway completes it for each address. The script that
 * starts a page which arrives as HTML is named by the first link `data-for="html"`, which other pages leave out.
 */
export class HtmlTemplatePlugin {
  readonly #options: HtmlTemplateOptions;

  constructor(options: HtmlTemplateOptions) {
    this.#options = options;
  }

  apply(compiler: Compiler): void {
    const { template, publicFolder, firstScript } = this.#options;
    compiler.hooks.thisCompilation.tap('HtmlTemplatePlugin', (compilation) => {
      compilation.hooks.additionalTreeRuntimeRequirements.tap('HtmlTemplatePlugin', (chunk) => {
        if (chunk.name === 'main') compilation.addRuntimeModule(chunk, new NamesOfOthers());
      });
      compilation.fileDependencies.add(template);
      compilation.contextDependencies.add(publicFolder);
      compilation.fileDependencies.add(firstScript);
      // Runs before the plugins that minify and compress it.
      compilation.hooks.processAssets.tap(
        { name: 'HtmlTemplatePlugin', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL },
        () => this.emitFirstScript(compilation),
      );
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tapPromise({ name: 'HtmlTemplatePlugin', stage }, async () => {
        const frame = await this.#options.frame?.();
        if (frame) compilation.fileDependencies.addAll(frame.sources);
        const html = readFileSync(template, 'utf8')
          .replace('<!-- assets -->', () => this.tags(compilation).join('\n    '))
          // A template shows nothing where a gateway of an earlier release leaves it.
          .replace(/ *<!-- frame -->\n/, () => (frame ? `    <template id="frame">${frame.html}</template>\n` : ''));
        compilation.emitAsset('index.html', new webpack.sources.RawSource(html));
        for (const file of readdirSync(publicFolder))
          compilation.emitAsset(file, new webpack.sources.RawSource(readFileSync(path.join(publicFolder, file))));
      });
    });
  }

  private emitFirstScript(compilation: Compilation): void {
    const code = readFileSync(this.#options.firstScript);
    const digest = createHash('sha256').update(code).digest('hex').slice(0, 20);
    compilation.emitAsset(`${firstScriptName}.${digest}.js`, new webpack.sources.RawSource(code));
  }

  private tags(compilation: Compilation): string[] {
    const { publicPath, preloadChunks, firstChunks, htmlChunks } = this.#options;
    const isScript = (file: string) => file.endsWith('.js');
    const isStyle = (file: string) => file.endsWith('.css');
    const entryFiles = compilation.entrypoints.get('main')?.getFiles() ?? [];
    const lazyFiles = (chunk: string) =>
      (compilation.namedChunkGroups.get(chunk)?.getFiles() ?? []).filter(
        (file) => isScript(file) && !entryFiles.includes(file),
      );
    const integrity = integrityOf(compilation);
    const checked = (file: string): string => ` integrity="${integrity[file] ?? ''}"`;
    const preload = (file: string, use: string): string =>
      `<link rel="preload" href="${publicPath}${file}" as="script"${checked(file)} data-for="${use}">`;
    const first = Object.fromEntries(
      [...Object.values(preloadChunks), ...firstChunks, ...htmlChunks]
        .flatMap(lazyFiles)
        .map((file) => [file, integrity[file]]),
    );
    const hashes = emitHashes(compilation);
    const fonts = compilation
      .getAssets()
      .map(({ name }) => name)
      // With the letters that all pages have.
      .filter((name) => /-basic\.[^/]*\.woff2$/.test(name));
    return [
      ...fonts.map(
        (file) => `<link rel="preload" href="${publicPath}${file}" as="font" type="font/woff2" crossorigin>`,
      ),
      ...entryFiles
        .filter(isStyle)
        .map((file) => `<link rel="stylesheet" href="${publicPath}${file}"${checked(file)}>`),
      ...Object.keys(integrity)
        .filter((file) => file.startsWith(`${firstScriptName}.`))
        .map((file) => `<script src="${publicPath}${file}"${checked(file)}></script>`),
      ...entryFiles
        .filter(isScript)
        .map((file) => `<script defer src="${publicPath}${file}"${checked(file)}></script>`),
      // For the loader of lazy files.
      `<script type="application/json" id="integrity" data-hashes="${hashes.file}" data-integrity="${hashes.integrity}">${JSON.stringify(first)}</script>`,
      ...Object.entries(preloadChunks).flatMap(([use, chunk]) => lazyFiles(chunk).map((file) => preload(file, use))),
      ...(compilation.entrypoints.get('start')?.getFiles() ?? []).map((file) => preload(file, 'html')),
      ...htmlChunks.flatMap(lazyFiles).map((file) => preload(file, 'html')),
    ];
  }
}

/** Makes the main script's name, which is the shell's version, change with each of the scripts that are loaded with it. */
class NamesOfOthers extends webpack.RuntimeModule {
  constructor() {
    super('names of others');
    this.dependentHash = true;
  }

  override generate(): string {
    const others = this.compilation?.entrypoints.get('main')?.chunks.filter((chunk) => chunk !== this.chunk) ?? [];
    const hashes = others.map(({ contentHash, renderedHash }) => contentHash['javascript'] ?? renderedHash);
    return `${webpack.RuntimeGlobals.require}.others = ${JSON.stringify(hashes.join())};`;
  }
}
