import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { holdPort } from '@clinic/service-kit/testing/hold-port';

const root = join(import.meta.dirname, '../../..');

/** A registry on loopback that only has the kit. */
export interface LocalRegistry {
  /**
   * For npm: the kit is published to, and installed from, this registry, and all else from the one that npm is
   * configured for.
   */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** Starts a registry with its data in a temporary folder. */
export async function startRegistry(): Promise<LocalRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-registry-'));
  const port = await holdPort();
  const url = `http://127.0.0.1:${port}/`;
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
  await waitUntil(async () => (await fetch(`${url}-/ping`).catch(() => undefined))?.ok === true);
  return {
    env: await npmEnv(folder, url),
    async close() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The user's own configuration of npm, with another registry for the kit. */
async function npmEnv(folder: string, url: string): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'userconfig']);
  const own = existsSync(stdout.trim()) ? await readFile(stdout.trim(), 'utf8') : '';
  const userconfig = join(folder, 'npmrc');
  // npm publishes nothing without a token; this registry accepts any.
  const added = `@clinic:registry=${url}\n${url.replace('http:', '')}:_authToken=any\nprefer-offline=true\n`;
  await writeFile(userconfig, `${own}\n${added}`, { mode: 0o600 });
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  return { ...process.env, PATH: path, npm_config_userconfig: userconfig };
}

/** @returns why npm reaches no registry; `undefined` if it does */
export async function whyNoRegistry(): Promise<string | undefined> {
  const args = ['view', 'zod', 'version', '--fetch-retries=0', '--fetch-timeout=10000', '--prefer-online'];
  try {
    await promisify(execFile)('npm', args, { timeout: 20_000 });
    return undefined;
  } catch {
    return 'npm reaches no registry';
  }
}
