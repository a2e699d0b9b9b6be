import type { AsyncDependenciesBlock, Compilation, Module } from 'webpack';

/**
 * Finds the `import()` of each page in a routes file: the first one after the page's path, as in
 * `{ path: '/about', ...lazyScreen(async () => (await import('./about/about-page.tsx')).AboutPage) }`.
 *
 * @param source text of the file
 * @param paths route paths of the pages
 * @returns import requests by path; a page whose route is written differently is left out, and just isn't preloaded
 */
export function importsOfPages(source: string, paths: readonly string[]): Map<string, string> {
  const imports = new Map<string, string>();
  for (const path of paths) {
    const at = [`'${path}'`, `"${path}"`].map((literal) => source.indexOf(literal)).find((index) => index !== -1);
    const next = paths
      .flatMap((other) => [source.indexOf(`'${other}'`), source.indexOf(`"${other}"`)])
      .filter((index) => at !== undefined && index > at);
    const route = at === undefined ? '' : source.slice(at, Math.min(...next, source.length));
    const request = /\bimport\(\s*(?:\/\*.*?\*\/\s*)?['"]([^'"]+)['"]/.exec(route)?.[1];
    if (request !== undefined) imports.set(path, request);
  }
  return imports;
}

/** The files of each page's own chunks, by route path. */
export function chunksOfPages(
  compilation: Compilation,
  file: string,
  source: string,
  paths: readonly string[],
): Map<string, string[]> {
  const chunks = new Map<string, string[]>();
  const module = [...compilation.modules].find((candidate) => resourceOf(candidate) === file);
  if (!module) return chunks;
  const blocks = module.blocks as AsyncDependenciesBlock[];
  for (const [path, request] of importsOfPages(source, paths)) {
    const block = blocks.find((candidate) =>
      candidate.dependencies.some((dependency) => 'request' in dependency && dependency.request === request),
    );
    const group = block && compilation.chunkGraph.getBlockChunkGroup(block);
    if (group) chunks.set(path, group.getFiles());
  }
  return chunks;
}

/** The file of a module; for concatenated modules, that of the root module. */
function resourceOf(module: Module): string | undefined {
  const root = 'rootModule' in module ? module.rootModule : module;
  return typeof root === 'object' && root !== null && 'resource' in root && typeof root.resource === 'string'
    ? root.resource
    : undefined;
}
