#!/usr/bin/env node
import { hostname } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { startStaticServer } from './index.ts';
import { isReleaseCommand, runReleaseCommand } from './release-command.ts';
import { ReleaseError } from './releases.ts';

const commit = process.env['COMMIT'] || undefined;
const log = pino({
  level: process.env['LOG_LEVEL'] ?? 'info',
  base: {
    pid: process.pid,
    hostname: hostname(),
    name: process.env['SERVICE_NAME'] ?? 'static-server',
    ...(commit !== undefined && { commit }),
  },
});

/** Milliseconds that a stop may take before responses in flight are cut off. */
const stopLimitMs = 9500;

async function main(): Promise<void> {
  const releases = process.env['RELEASES_DIR'] || undefined;
  const [command = '', ...rest] = process.argv.slice(2);
  if (isReleaseCommand(command)) {
    if (releases === undefined)
      throw new ReleaseError('RELEASES_DIR must name the folder where releases are kept, e.g. RELEASES_DIR=/releases');
    for (const line of await runReleaseCommand(releases, command, rest)) console.log(line);
    return;
  }
  const port = Number(process.env['PORT']);
  if (!process.env['PORT'] || !Number.isInteger(port) || port < 0 || port > 65_535) {
    console.error('PORT must be a port number between 0 and 65535, e.g. PORT=4101');
    process.exitCode = 1;
    return;
  }
  const directory = path.resolve(process.env['STATIC_DIR'] ?? process.argv[2] ?? 'dist');
  const server = await startStaticServer({
    directory,
    port,
    host: process.env['HOST'] ?? '127.0.0.1',
    releases,
    sourceMaps: process.env['SOURCE_MAPS_DIR'] || undefined,
    onRead: (files, version) => log.info({ files, directory, version }, 'build read'),
    onError: (error) => log.warn({ err: error }, 'reading the build failed, will retry'),
    onHtmlError: (error) => log.warn({ err: error }, 'a page could not be rendered as HTML'),
  });
  log.info({ url: server.url }, 'listening');

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), stopLimitMs).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, stop);
}

main().catch((error: unknown) => {
  if (error instanceof ReleaseError) console.error(error.message);
  else log.fatal({ err: error }, 'start failed');
  process.exitCode = 1;
});
