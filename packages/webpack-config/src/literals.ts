import type { Compilation, Compiler, Module } from 'webpack';

/** Texts that could be the name of a call. */
const nameLike = /^[a-z]\w{2,99}$/;

/** Key of `buildInfo`, which webpack's cache keeps, for the names in a module's code. */
const key = 'clinicNames';

/** Whether a module belongs to a library. The kit's modules are ours, even if installed. */
const isForeign = (module: Module): boolean =>
  /[\\/]node_modules[\\/](?!@clinic[\\/])/.test(module.nameForCondition() ?? '');

/** Records the texts in each module's code that could be the name of a call. */
export function noteNames(compiler: Compiler): void {
  compiler.hooks.compilation.tap('noteNames', (_compilation, { normalModuleFactory }) => {
    for (const type of ['javascript/auto', 'javascript/esm'] as const)
      normalModuleFactory.hooks.parser.for(type).tap('noteNames', (parser) => {
        parser.hooks.program.tap('noteNames', (program) => {
          const { module } = parser.state;
          if (!module.buildInfo || isForeign(module)) return;
          const found = new Set<string>();
          collect(program, found);
          Object.assign(module.buildInfo, { [key]: [...found] });
        });
      });
  });
}

/** @returns the recorded names of a module */
export function namesIn({ buildInfo }: Module): readonly string[] {
  return (buildInfo?.[key] as readonly string[] | undefined) ?? [];
}

/** @returns the modules that are in the build, before webpack joins them */
export function includedModules({ modules, chunkGraph }: Compilation): Module[] {
  return [...modules].filter((module) => chunkGraph.getNumberOfModuleChunks(module) > 0);
}

/** Walks a syntax tree (https://github.com/estree/estree). Property names don't count. */
function collect(node: unknown, found: Set<string>): void {
  if (Array.isArray(node)) return node.forEach((one) => collect(one, found));
  if (typeof node !== 'object' || node === null) return;
  const { type, value, computed } = node as { type?: unknown; value?: unknown; computed?: unknown };
  if (type === 'Literal' && typeof value === 'string' && nameLike.test(value)) found.add(value);
  for (const [name, child] of Object.entries(node))
    if (!(type === 'Property' && name === 'key' && computed !== true)) collect(child, found);
}
