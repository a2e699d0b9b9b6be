import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { startRegistry, type LocalRegistry } from '../../../scripts/kit/local-registry.ts';

/** Starts a registry that only has the kit, with its data in a temporary folder. */
export async function startTestRegistry(): Promise<LocalRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-registry-'));
  const registry = await startRegistry(folder, await holdPort());
  return {
    ...registry,
    async close() {
      await registry.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
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
