#!/usr/bin/env node
import path from 'node:path';

const usage = `usage, in a folder with a webpack.config.ts:
  clinic-webpack build                        builds once
  clinic-webpack watch                        builds on each change
  clinic-webpack serve PORT                   serves a remote on 127.0.0.1, and sends each change to open pages
  clinic-webpack develop FOLDER NAME=URL …    builds a shell for remotes that are served so`;

/** The command line; the exit code is 1 if a build fails. */
async function main(command: string | undefined, args: readonly string[]): Promise<void> {
  setUp(command, args);
  // Loaded only now: they read the environment.
  const { build, configOf, reportOf } = await import('./build.ts');
  const folder = process.cwd();
  if (command === 'serve') {
    const { serve } = await import('./dev/serve.ts');
    const stop = await serve(await configOf(folder), Number(args[0]));
    for (const signal of stopSignals) process.once(signal, () => void stop().then(() => process.exit(0)));
    return;
  }
  if (command === 'watch') {
    const { default: webpack } = await import('webpack');
    const config = await configOf(folder);
    const watcher = webpack(config).watch({}, (error, stats) => console.log(reportOf(config, error, stats).text));
    const stop = (): void => watcher?.close(() => process.exit(0));
    for (const signal of stopSignals) process.once(signal, stop);
    return;
  }
  const { failed, text } = await build(folder);
  console.log(text);
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

main(process.argv[2], process.argv.slice(3)).catch((error: unknown) => {
  console.error(error instanceof Error && error.message === usage ? usage : error);
  process.exitCode = 1;
});
