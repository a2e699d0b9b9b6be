#!/usr/bin/env node
import { existsSync, globSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Configuration, Stats } from 'webpack';

const usage = 'usage: clinic-webpack build|watch, in a folder with a webpack.config.ts';

/** `clinic-webpack build` builds once, with exit code 1 on failure; `clinic-webpack watch` rebuilds on each change. */
async function main(command: string | undefined): Promise<void> {
  if (command !== 'build' && command !== 'watch') throw new Error(usage);
  // The configuration reads this, so it must be loaded afterwards.
  if (command === 'watch') process.env['WEBPACK_WATCH'] = 'true';
  const { default: webpack } = await import('webpack');
  const { default: config } = (await import(pathToFileURL(path.resolve('webpack.config.ts')).href)) as {
    default: Configuration;
  };
  const compiler = webpack(config);
  const report = (error: Error | null, stats?: Stats): boolean => {
    if (error) console.error(error);
    if (stats?.hasErrors() || stats?.hasWarnings())
      console.error(stats.toString({ preset: 'errors-warnings', colors: process.stdout.isTTY }));
    const failed = error !== null || (stats?.hasErrors() ?? true);
    const seconds = stats ? ((stats.endTime - stats.startTime) / 1000).toFixed(1) : '?';
    console.log(`${config.name ?? ''} ${failed ? 'failed' : 'built'} in ${seconds} s`);
    return failed;
  };
  if (command === 'watch') {
    const watcher = compiler.watch({}, report);
    const stop = (): void => watcher?.close(() => process.exit(0));
    for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(signal, stop);
    return;
  }
  const failed = await new Promise<boolean>((resolve) =>
    compiler.run((error, stats) => resolve(report(error, stats ?? undefined))),
  );
  // Closing the compiler writes the cache.
  await new Promise<void>((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())));
  if (!failed) forgetOldMaps();
  process.exitCode = failed ? 1 : 0;
}

/** Days for which the source maps of earlier builds are kept: longer than any page of theirs stays open. */
const mapsKeptDays = 90;

function forgetOldMaps(): void {
  for (const file of globSync('maps/**/*.map')) {
    const script = path.join('dist', path.relative('maps', file).slice(0, -'.map'.length));
    const age = Date.now() - statSync(file).mtimeMs;
    if (!existsSync(script) && age > mapsKeptDays * 86_400_000) rmSync(file);
  }
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error && error.message === usage ? usage : error);
  process.exitCode = 1;
});
