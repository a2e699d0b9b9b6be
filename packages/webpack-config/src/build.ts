import { existsSync, globSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import webpack, { type Configuration, type Stats } from 'webpack';
import { watching } from './base-config.ts';

/** Days for which the source maps of earlier builds are kept: longer than pages stay open. */
const mapsKeptDays = 90;

/** How a build went. */
export interface BuildReport {
  readonly failed: boolean;
  /** Errors, warnings and the seconds that it took. */
  readonly text: string;
}

/** @returns the configuration of the app in a folder */
export async function configOf(folder: string): Promise<Configuration> {
  const file = pathToFileURL(path.join(folder, 'webpack.config.ts')).href;
  return ((await import(file)) as { default: Configuration }).default;
}

/** Builds the app in a folder once. */
export async function build(folder: string): Promise<BuildReport> {
  const config = await configOf(folder);
  const compiler = webpack(config);
  if (!compiler) throw new Error('webpack created no compiler');
  const built = await new Promise<BuildReport>((resolve) =>
    compiler.run((error, stats) => resolve(reportOf(config, error, stats))),
  );
  // Closing the compiler writes the cache.
  await new Promise<void>((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())));
  if (!built.failed && !watching) forgetOldMaps(folder);
  return built;
}

/** @param stats - absent after an error of webpack itself */
export function reportOf(config: Configuration, error: Error | null, stats?: Stats): BuildReport {
  const failed = error !== null || (stats?.hasErrors() ?? true);
  const seconds = stats ? ((stats.endTime - stats.startTime) / 1000).toFixed(1) : '?';
  const problems = [
    error?.stack,
    stats?.hasErrors() || stats?.hasWarnings()
      ? stats.toString({ preset: 'errors-warnings', colors: process.stdout.isTTY })
      : undefined,
  ];
  const summary = `${config.name ?? ''} ${failed ? 'failed' : 'built'} in ${seconds} s`;
  return { failed, text: [...problems, summary].filter((line) => line !== undefined).join('\n') };
}

function forgetOldMaps(folder: string): void {
  for (const file of globSync('maps/**/*.map', { cwd: folder })) {
    const script = path.join(folder, 'dist', path.relative('maps', file).slice(0, -'.map'.length));
    const map = path.join(folder, file);
    const age = Date.now() - statSync(map).mtimeMs;
    if (!existsSync(script) && age > mapsKeptDays * 86_400_000) rmSync(map);
  }
}
