// Builds and runs the whole clinic on this machine; called by `npm start`.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { demoAccounts, demoPassword } from '@clinic/demo-data';
import { log, UserError } from '../log.ts';
import { buildChanged } from './build.ts';
import { currentCommit } from './commit.ts';
import { buildMissing, buildShellFor, serviceOf } from './domain.ts';
import { takeLock } from './lock.ts';
import { frontEnds, services } from './parts.ts';
import { embeddedUri, foundations, programsOf, served, servedAddress, type Ports } from './programs.ts';
import { readSettings, root, type StackSettings } from './settings.ts';
import { showError } from './show-error.ts';
import { Supervisor } from './supervisor.ts';
import { watchService, watchSources } from './watch.ts';

/** Starts with other ports if a program that isn't ours takes a chosen one. */
const mostTries = 3;

try {
  await main();
} catch (error) {
  console.error(`\n${error instanceof UserError ? error.message : (error as Error).stack}`);
  process.exit(1);
}

async function main(): Promise<void> {
  const settings = readSettings(process.env, process.argv.slice(2));
  // Programs and builds report their commit.
  process.env['COMMIT'] ||= currentCommit();
  const lock = await takeLock(settings.dataDir, settings.port, settings.watch);
  const supervise = (): Supervisor =>
    new Supervisor(join(settings.dataDir, 'logs'), lock.note, settings.watch ? showError : undefined);
  let supervisor = supervise();
  let stopping: Promise<void> | undefined;
  const stop = (why: string, code: number): Promise<void> =>
    (stopping ??= (async () => {
      // Writing fails if the terminal was closed; that must not prevent the stop.
      process.stdout.on('error', () => undefined);
      log(`${why}: stopping everything …`);
      await supervisor.stop();
      lock.release();
      log('Stopped.');
      process.exit(code);
    })());
  process.on('SIGINT', () => void stop('Ctrl-C', 0));
  process.on('SIGTERM', () => void stop('Asked to stop', 0));
  process.on('SIGHUP', () => void stop('The terminal closed', 0));
  process.on('disconnect', () => void stop('npm exited', 1));

  try {
    await assertFree(settings.port);
    await build(settings);
    for (let tries = 1; ; tries += 1) {
      const ports = await choosePorts(settings, tries === 1);
      if (settings.mongodbUri === undefined) lock.noteDatabase(embeddedUri(ports));
      if (settings.domain !== undefined) await buildShellFor(settings.domain, servedAddress(ports));
      try {
        await startPrograms(supervisor, programsOf(settings, ports));
        break;
      } catch (error) {
        if (stopping || tries === mostTries || !isInnerPortTaken(error as Error, settings.port)) throw error;
        log('Another program took one of the chosen ports; starting again with others …');
        await supervisor.stop();
        if (stopping) return stopping;
        supervisor = supervise();
      }
    }
    welcome(settings);
    if (settings.watch) watchChanges(supervisor, settings);
  } catch (error) {
    // A requested stop makes the start fail; that isn't an error.
    if (stopping) return stopping;
    console.error(
      `\n${error instanceof UserError ? error.message : `Couldn't start the clinic: ${(error as Error).message}`}`,
    );
    await stop('Not started', 1);
  }
}

async function build({ domain }: StackSettings): Promise<void> {
  if (domain !== undefined) return buildMissing(domain);
  const built = await buildChanged();
  if (built.length === 0) log('The front-ends are up to date.');
}

function watchChanges(supervisor: Supervisor, { domain }: StackSettings): void {
  if (domain === undefined) return watchSources(supervisor);
  const service = serviceOf(domain);
  if (service !== undefined) watchService(supervisor, service);
  log(
    `Working on ${service === undefined ? domain : `${domain} and ${service}`}: a saved screen changes in the open page, which keeps what was typed.`,
  );
}

/** Checks that the public port is free on every address that localhost can resolve to. */
async function assertFree(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::']) {
    await new Promise<void>((resolve, reject) => {
      const probe = createServer();
      probe.once('error', (error: NodeJS.ErrnoException) => {
        // The machine has no IPv6.
        if (error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL') resolve();
        else if (error.code === 'EADDRINUSE')
          reject(
            new UserError(
              `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=${port + 1} npm start`,
            ),
          );
        else if (error.code === 'EACCES')
          reject(
            new UserError(
              `Port ${port} can't be used without more privileges. Choose another port: PORT=8080 npm start`,
            ),
          );
        else reject(error);
      });
      probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve()));
    });
  }
}

/** Whether a program's port was taken after it was chosen. The public one is the user's choice. */
function isInnerPortTaken({ message }: Error, publicPort: number): boolean {
  return /EADDRINUSE|is taken by another program/.test(message) && !new RegExp(`:${publicPort}\\b`).test(message);
}

async function startPrograms(supervisor: Supervisor, layers: ReturnType<typeof programsOf>): Promise<void> {
  for (const layer of layers) {
    log(`Starting ${layer.map(({ name }) => name).join(', ')} …`);
    await Promise.all(layer.map((program) => supervisor.start(program)));
  }
}

/**
 * Uses ports right after the public one if they are free, so that developers can find them; otherwise any free ones.
 *
 * @param nearby - false: any free ones
 */
async function choosePorts(settings: StackSettings, nearby: boolean): Promise<Ports> {
  const names = [...foundations, ...services, ...frontEnds, ...(settings.domain === undefined ? [] : [served])];
  const chosen = new Map([['gateway', settings.port]]);
  for (const [index, name] of names.entries())
    chosen.set(name, await holdPort(nearby ? Math.min(settings.port + 100 + index, 65_535) : undefined));
  return chosen;
}

function welcome(settings: StackSettings): void {
  const accounts = Object.values(demoAccounts).map((email) => `    ${email}`);
  console.log(
    [
      '',
      `  The clinic is open: http://localhost:${settings.port}`,
      '',
      `  Demo accounts (password ${demoPassword}):`,
      ...accounts,
      '',
      `  Data and logs: ${settings.dataDir.replace(`${root}/`, '')}   Stop: Ctrl-C   Start over with fresh data: npm run reset`,
      '',
    ].join('\n'),
  );
  log('Ready.');
}
