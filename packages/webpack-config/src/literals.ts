import type { Compilation, Compiler, Module } from 'webpack';

/** Names as calls have them. */
const nameLike = /^[a-z]\w{2,99}$/;

/** Where a module keeps the names in its code. Part of `buildInfo`, which webpack's cache keeps. */
const key = 'clinicNames';

/** Whether a module is a library's. The kit's are ours, installed or not. */
const isForeign = (module: Module): boolean =>
  /[\\/]node_modules[\\/](?!@clinic[\\/])/.test(module.nameForCondition() ?? '');

/** Notes the texts in each module's code that could be the name of a call. */
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

/** @returns the noted names of a module */
export function namesIn({ buildInfo }: Module): readonly string[] {
  return (buildInfo?.[key] as readonly string[] | undefined) ?? [];
}

/** @returns the modules that are in the build, before webpack joins them */
export function includedModules({ modules, chunkGraph }: Compilation): Module[] {
  return [...modules].filter((module) => chunkGraph.getNumberOfModuleChunks(module) > 0);
}

/** Walks a syntax tree (https://github.com/estree/estree). Names of properties aren't texts of the code. */
function collect(node: unknown, found: Set<string>): void {
  if (Array.isArray(node)) return node.forEach((one) => collect(one, found));
  if (typeof node !== 'object' || node === null) return;
  const { type, value, computed } = node as { type?: unknown; value?: unknown; computed?: unknown };
  if (type === 'Literal' && typeof value === 'string' && nameLike.test(value)) found.add(value);
  for (const [name, child] of Object.entries(node))
    if (!(type === 'Property' && name === 'key' && computed !== true)) collect(child, found);
}
