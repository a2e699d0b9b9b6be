import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { contractVersion, exposeOfPage, type RemoteDescriptor } from '@clinic/contracts/remotes';
import webpack, { type ChunkGroup, type Compilation, type Compiler, type Module } from 'webpack';
import { servedAt } from './dev/development.ts';
import { emitHashes, integrityOf } from './integrity-plugin.ts';
import { standInOf } from './html-bundle.ts';
import { lazyLibraries } from './shared-libraries.ts';
import { chunkOfPage, containerOf, type RemoteDefinition } from './remote.ts';

/** Writes `remote.json`, the remote's publication, from which the gateway builds the registry. */
export class RemoteDescriptorPlugin {
  readonly #definition: RemoteDefinition;
  readonly #packageVersion: string;
  readonly #html: () => RemoteDescriptor['html'];

  /** @param html - the pages that were made as HTML, once they are */
  constructor(
    definition: RemoteDefinition,
    packageVersion: string,
    html: () => RemoteDescriptor['html'] = () => undefined,
  ) {
    this.#definition = definition;
    this.#packageVersion = packageVersion;
    this.#html = html;
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('RemoteDescriptorPlugin', (compilation) => {
      const renewed = containerForOlderShells(containerOf(this.#definition.name));
      compilation.hooks.processAssets.tap(
        { name: 'RemoteDescriptorPlugin', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL },
        () => compilation.emitAsset(renewed.file, new webpack.sources.RawSource(renewed.text)),
      );
      // Runs after the last stage that changes file names.
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'RemoteDescriptorPlugin', stage }, () => {
        compilation.emitAsset(
          'remote.json',
          new webpack.sources.RawSource(`${JSON.stringify(this.describe(compilation, renewed.file), null, 2)}\n`),
        );
      });
    });
  }

  private describe(compilation: Compilation, renewed: string): RemoteDescriptor {
    const { name, title, pages, redirects, slots = [] } = this.#definition;
    const contributions = slots.map(({ slot, order }) => ({ slot, order }));
    const container = containerOf(name);
    const exposed = pages.map((page) => ({ ...page, expose: exposeOfPage(page.path) }));
    const filesOf = (chunk: string): string[] => compilation.namedChunkGroups.get(chunk)?.getFiles() ?? [];
    const scriptsOf = (chunk: string): string[] => filesOf(chunk).filter((file) => file.endsWith('.js'));
    const [entry] = scriptsOf(container);
    const commit = process.env['COMMIT'] || undefined;
    const described = {
      name,
      container,
      contractVersion,
      title,
      pages: exposed,
      redirects,
      entry,
      preload: [renewed],
      pagePreload: Object.fromEntries(pages.map(({ path }) => [path, scriptsOf(chunkOfPage(path))])),
      ...partsOfPages(compilation, this.#definition),
      styles: [
        ...new Set(pages.flatMap(({ path }) => filesOf(chunkOfPage(path)).filter((file) => file.endsWith('.css')))),
      ],
      // No digest stays valid while the remote changes.
      ...(servedAt === undefined
        ? { integrity: integrityOf(compilation), hashes: emitHashes(compilation) }
        : { integrity: {} }),
      slots: contributions,
    };
    const html = this.#html();
    const digest = digestOf(compilation, { ...described, ...(html && { html }) });
    return {
      version: `${this.#packageVersion}+${digest}`,
      ...(commit !== undefined && { commit }),
      ...described,
      ...(html && { html }),
    };
  }
}

/** What the shell can load along with a page, by its path. Pages that need nothing have no entry. */
function partsOfPages(
  compilation: Compilation,
  { pages, html = {} }: RemoteDefinition,
): Pick<RemoteDescriptor, 'htmlPreload' | 'pageLibraries'> {
  const htmlPreload: Record<string, string[]> = {};
  const pageLibraries: Record<string, string[]> = {};
  for (const { path } of pages) {
    const group = compilation.namedChunkGroups.get(chunkOfPage(path));
    if (!group) continue;
    const late = html[path] === undefined ? [] : scriptsInHtml(group);
    if (late.length > 0) htmlPreload[path] = late;
    const libraries = librariesOf(compilation, group).filter((library) => lazyLibraries.includes(library));
    if (libraries.length > 0) pageLibraries[path] = libraries;
  }
  return { htmlPreload, pageLibraries };
}

/** Scripts of what a page loads late, and its HTML has: parts that a module loads whose stand-in for HTML contains them. */
function scriptsInHtml(page: ChunkGroup): string[] {
  const late = page.getChildren().filter(({ origins }) => origins.some(({ module }) => hasStandIn(module)));
  const scripts = late.flatMap((group) => group.getFiles()).filter((file) => file.endsWith('.js'));
  return [...new Set(scripts)].filter((file) => !page.getFiles().includes(file));
}

function hasStandIn(module: Module | null | undefined): boolean {
  const file = module?.nameForCondition();
  return file !== undefined && file !== null && existsSync(standInOf(file));
}

/** The shell's libraries that a page's own chunks import. */
function librariesOf({ chunkGraph }: Compilation, page: ChunkGroup): string[] {
  const modules = page.chunks.flatMap((chunk) => [...chunkGraph.getChunkModulesIterable(chunk)]);
  return modules.flatMap((module) => {
    const { options } = module as { readonly options?: { readonly shareKey?: string } };
    return module.type === 'consume-shared-module' && options?.shareKey !== undefined ? [options.shareKey] : [];
  });
}

/** Of all files and all that the remote says of itself: what differs in any of it is another version. */
function digestOf(compilation: Compilation, described: object): string {
  const digest = createHash('sha256');
  for (const asset of compilation.getAssets().toSorted((a, b) => (a.name < b.name ? -1 : 1))) digest.update(asset.name);
  return digest.update(JSON.stringify(described)).digest('hex').slice(0, 8);
}

/**
 * A container for shells from before the federation runtime, which can't run this build: it reads an export that their
 * app-kit lacks, so they show a panel about a newer shell, with a button that reloads the page.
 */
function containerForOlderShells(container: string): { readonly file: string; readonly text: string } {
  const text = `var ${container}={init(scope){scope["@clinic/app-kit"]["1.0.0"].get()().definePage},get(){}};\n`;
  return { file: `older-shells.${createHash('sha256').update(text).digest('hex').slice(0, 20)}.js`, text };
}
