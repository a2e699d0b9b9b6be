import { createHash } from 'node:crypto';
import path from 'node:path';
import type { HashFile } from '@clinic/contracts/remotes';
import webpack, { type Compilation, type Compiler } from 'webpack';
import { bundleHtml, runHtmlBundle } from './html-bundle.ts';
import { digestOf } from './integrity-plugin.ts';
import type { RemoteDefinition } from './remote.ts';

/** The app's own copy, which its folder resolves. */
const renderer = '@clinic/app-kit/html';

/** The bundle with which the remote's server renders its pages. */
const bundleFile = 'html.cjs';

/** What the bundle of a remote exports; `pagesAsHtml` of app-kit describes it. */
type Render = (visit: object) => Promise<{ readonly html?: string; readonly needs?: readonly string[] }>;

/**
 * Makes the HTML of a remote's public pages (docs/decisions/0021): the files of those that are always the same, and the bundle
 * with which the remote's server renders the others. A page that can't be rendered without a browser fails the build.
 */
export class HtmlPlugin {
  readonly #definition: RemoteDefinition;
  readonly #folder: string;
  /** For `remote.json`, once it is built. */
  published: Readonly<Record<string, HashFile | 'rendered'>> = {};

  constructor(definition: RemoteDefinition, folder: string) {
    this.#definition = definition;
    this.#folder = folder;
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('HtmlPlugin', (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tapPromise({ name: 'HtmlPlugin', stage }, () => this.#emit(compilation));
    });
  }

  async #emit(compilation: Compilation): Promise<void> {
    const { name, html = {} } = this.#definition;
    const { code, sources } = await bundleHtml(this.#folder, name, `/mf/${name}/`, this.#entry());
    compilation.fileDependencies.addAll(sources);
    const render = runHtmlBundle(code)['render'] as Render;
    const published: Record<string, HashFile | 'rendered'> = {};
    for (const [page, how] of Object.entries(html)) {
      const visit = { page, url: page, origin: 'http://localhost', config: built, answers: {} };
      const { html: text, needs } = await render(how === 'built' ? { ...visit, config: '' } : visit);
      if (how === 'built' && text === undefined)
        throw new Error(`${page} can’t be built as HTML: it needs ${needs?.join(', ')}`);
      published[page] = how === 'built' ? emitPage(compilation, text ?? '') : 'rendered';
    }
    this.published = published;
    if (Object.values(html).includes('rendered'))
      compilation.emitAsset(bundleFile, new webpack.sources.RawSource(code));
  }

  #entry(): string {
    const { name, html = {}, screens } = this.#definition;
    const pages = Object.keys(html);
    const files = pages.map((page) => {
      const file = screens[page];
      if (file === undefined) throw new Error(`remote.config.ts has no screen for ${page}`);
      return path.join(this.#folder, file);
    });
    return [
      `import { pagesAsHtml } from ${JSON.stringify(renderer)};`,
      ...files.map((file, index) => `import page${index} from ${JSON.stringify(file)};`),
      `export const render = pagesAsHtml(${JSON.stringify(name)}, { ${pages
        .map((page, index) => `${JSON.stringify(page)}: page${index}`)
        .join(', ')} });`,
    ].join('\n');
  }
}

/** The configuration with which pages are tried at the build; those that are built read none. */
const built = JSON.stringify({ clinicTimeZone: 'UTC' });

function emitPage(compilation: Compilation, text: string): HashFile {
  const content = Buffer.from(text);
  const file = `html/page.${createHash('sha256').update(content).digest('hex').slice(0, 20)}.html`;
  if (!compilation.getAsset(file)) compilation.emitAsset(file, new webpack.sources.RawSource(content));
  return { file, integrity: digestOf(content) };
}
