#!/usr/bin/env node
import { existsSync, globSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Configuration, Stats } from 'webpack';

const usage = `usage, in a folder with a webpack.config.ts:
  clinic-webpack build                        builds once
  clinic-webpack watch                        builds on each change
  clinic-webpack serve PORT                   serves a remote on 127.0.0.1, and sends each change to open pages
  clinic-webpack develop FOLDER NAME=URL …    builds a shell for remotes that are served so`;

/** The command line; the exit code is 1 if a build fails. */
async function main(command: string | undefined, args: readonly string[]): Promise<void> {
  setUp(command, args);
  const { default: webpack } = await import('webpack');
  const { default: config } = (await import(pathToFileURL(path.resolve('webpack.config.ts')).href)) as {
    default: Configuration;
  };
  if (command === 'serve') {
    const { serve } = await import('./dev/serve.ts');
    const stop = await serve(config, Number(args[0]));
    for (const signal of stopSignals) process.once(signal, () => void stop().then(() => process.exit(0)));
    return;
  }
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
    for (const signal of stopSignals) process.once(signal, stop);
    return;
  }
  const failed = await new Promise<boolean>((resolve) =>
    compiler.run((error, stats) => resolve(report(error, stats ?? undefined))),
  );
  // Closing the compiler writes the cache.
  await new Promise<void>((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())));
  if (!failed && command === 'build') forgetOldMaps();
  process.exitCode = failed ? 1 : 0;
}

const stopSignals = ['SIGINT', 'SIGTERM', 'disconnect'];

/** Sets the environment for the configuration, which is loaded afterwards. @throws Error for a wrong command */
function setUp(command: string | undefined, args: readonly string[]): void {
  const [first = '', ...rest] = args;
  if (command === 'serve' && /^\d+$/.test(first) && rest.length === 0) {
    process.env['WEBPACK_SERVE'] = first;
  } else if (command === 'develop' && first !== '' && rest.every((remote) => /^[a-z0-9-]+=http/.test(remote))) {
    const remotes = Object.fromEntries(
      rest.map((remote) => remote.split('=', 2)).map(([name, url = '']) => [name, new URL(url).href]),
    );
    process.env['WEBPACK_DEVELOP'] = JSON.stringify({ output: path.resolve(first), remotes });
  } else if ((command !== 'build' && command !== 'watch') || args.length > 0) {
    throw new Error(usage);
  }
  if (command !== 'build') process.env['WEBPACK_WATCH'] = 'true';
}

/** Days for which the source maps of earlier builds are kept: longer than pages stay open. */
const mapsKeptDays = 90;

function forgetOldMaps(): void {
  for (const file of globSync('maps/**/*.map')) {
    const script = path.join('dist', path.relative('maps', file).slice(0, -'.map'.length));
    const age = Date.now() - statSync(file).mtimeMs;
    if (!existsSync(script) && age > mapsKeptDays * 86_400_000) rmSync(file);
  }
}

main(process.argv[2], process.argv.slice(3)).catch((error: unknown) => {
  console.error(error instanceof Error && error.message === usage ? usage : error);
  process.exitCode = 1;
});
