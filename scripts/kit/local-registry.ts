// A registry on this machine that has the kit and nothing else.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { UserError } from '../log.ts';
import { root } from '../stack/settings.ts';

/** Where `npm run release -- kit --local` serves the kit, and `npm run new:domain -- … --local` expects it. */
export const localPort = 4873;

/** @returns the address of a registry on loopback */
export const localRegistry = (port: number = localPort): string => `http://127.0.0.1:${port}/`;

/** A running registry. */
export interface LocalRegistry {
  readonly url: string;
  /** For npm, to publish the kit here; all other packages are those of the registry that npm is configured for. */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** Milliseconds between attempts to reach a registry that starts. */
const askEvery = 100;

/**
 * Starts a registry. It asks no other one, so nobody else's package can take the place of one of the kit.
 *
 * @param folder - absolute path of the folder for its data
 * @throws UserError if the port is taken
 */
export async function startRegistry(folder: string, port: number = localPort): Promise<LocalRegistry> {
  await mkdir(folder, { recursive: true });
  const url = localRegistry(port);
  const config = join(folder, 'config.json');
  // YAML is a superset of JSON.
  await writeFile(
    config,
    JSON.stringify({
      storage: join(folder, 'storage'),
      packages: { '@clinic/*': { access: '$all', publish: '$all' } },
      log: { type: 'stdout', format: 'json', level: 'error' },
    }),
  );
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/verdaccio/bin/verdaccio'), '--config', config, '--listen', `127.0.0.1:${port}`],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  while ((await fetch(`${url}-/ping`).catch(() => undefined))?.ok !== true) {
    if (child.exitCode !== null)
      throw new UserError(`The registry couldn't start: is port ${port} of this machine taken?`);
    await delay(askEvery);
  }
  return {
    url,
    env: await npmEnv(folder, url),
    async close() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The user's own configuration of npm, with another registry for the kit. */
async function npmEnv(folder: string, url: string): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'userconfig']);
  const own = existsSync(stdout.trim()) ? await readFile(stdout.trim(), 'utf8') : '';
  const userconfig = join(folder, 'npmrc');
  // npm publishes nothing without a token; this registry accepts any. What npm remembers of this address may be of a registry that
  // was here before.
  const added = `@clinic:registry=${url}\n${url.replace('http:', '')}:_authToken=any\nprefer-online=true\n`;
  await writeFile(userconfig, `${own}\n${added}`, { mode: 0o600 });
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  return { ...process.env, PATH: path, npm_config_userconfig: userconfig };
}
