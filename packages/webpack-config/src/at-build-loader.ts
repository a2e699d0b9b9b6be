import { pathToFileURL } from 'node:url';
import type { LoaderContext } from 'webpack';

interface AtBuildModule {
  /** Absolute paths of the folders that the values are read from: a change in them rebuilds the module. */
  readonly folders: readonly string[];
  readonly [name: string]: unknown;
}

/**
 * Runs a module, `*.at-build.ts`, during the build and replaces it with its exports, as constants: for values read from
 * files, which browsers can't do. They must be JSON values.
 */
export default async function atBuildLoader(
  this: Pick<LoaderContext<unknown>, 'resourcePath' | 'addContextDependency'>,
): Promise<string> {
  // The query makes Node run a changed module again in watch mode.
  const module = (await import(`${pathToFileURL(this.resourcePath).href}?${Date.now()}`)) as AtBuildModule;
  const { folders, ...values } = module;
  for (const folder of folders) this.addContextDependency(folder);
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}
