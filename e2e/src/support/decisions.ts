import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ReleaseError } from '@clinic/static-server/releases';

const identity = join(import.meta.dirname, '..', '..', '..', 'svc-identity');
const node = join(identity, '..', 'node_modules/node/bin/node');

/** Decides about a test environment's releases: those of the clinic it borrows its services from are another matter. */
export interface Decisions {
  /** Where gateways report. */
  readonly url: string;
  /**
   * Runs an operator's command, e.g. `rollback mf-public`.
   *
   * @returns its output
   * @throws ReleaseError with its message, if the gateways haven't done it
   */
  operate(...args: string[]): Promise<string>;
}

/** Starts it for as long as `closing` is open. */
export async function openDecisions(closing: AsyncDisposableStack): Promise<Decisions> {
  const child = spawn(node, ['src/testing/decisions-main.ts'], {
    cwd: identity,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  closing.defer(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url, uri } = JSON.parse(line) as { url: string; uri: string };
  const env = { ...process.env, DEMO_MODE: 'true', MONGODB_URI: uri, MONGODB_DATABASE: 'identity' };
  return {
    url,
    async operate(...args) {
      try {
        return (await promisify(execFile)(node, ['src/releases.ts', ...args], { cwd: identity, env })).stdout;
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new ReleaseError(`${stdout}${stderr}`.trim());
      }
    },
  };
}
