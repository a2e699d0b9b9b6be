import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../say.ts';

interface Holder {
  readonly pid: number;
  readonly port: number;
}

/** How long a start waits for one that was killed to finish stopping its programs. */
const patience = 10_000;

/**
 * One running clinic per data directory. A holder that is stopping is waited for: after a kill -9 of `npm start` its
 * programs need a moment to notice and to write what they have.
 *
 * @returns a function that gives the lock back
 * @throws UserError when another clinic goes on running on this data
 */
export async function takeLock(dataDir: string, port: number): Promise<() => void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'running.json');
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify({ pid: process.pid, port } satisfies Holder), { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (!holder || !isAlive(holder.pid)) {
      rmSync(file, { force: true });
    } else if (Date.now() > deadline) {
      throw new UserError(
        `A clinic is already running on ${dataDir}: http://localhost:${holder.port} (process ${holder.pid}).\n` +
          'Stop it with Ctrl-C first, or start a second one with data of its own: DATA_DIR=.data-2 PORT=8081 npm start',
      );
    } else {
      await delay(200);
    }
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    // Gone since, or cut off by a power failure: nobody holds it.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
