import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../say.ts';

/** Content of `running.json`: who runs a clinic on this data. */
interface Holder {
  readonly pid: number;
  readonly port: number;
  /** Process ids of the programs it started. */
  readonly programs: readonly number[];
  /** Where its embedded database is, if it has one; an address of somebody else's may have a password in it. */
  readonly embeddedUri?: string | undefined;
}

/** How long a start waits for what a killed one left behind: its programs notice, write what they have, and end. */
const patience = 15_000;

export interface Lock {
  /** Notes which programs run on this data, so that the next start can wait for them should we be killed. */
  readonly note: (programs: readonly number[]) => void;
  /** Notes where the embedded database is, for whoever wants to back it up. */
  readonly noteDatabase: (uri: string) => void;
  /** Gives the data free. */
  readonly release: () => void;
}

/**
 * One running clinic per data directory.
 *
 * @throws UserError when another clinic goes on running on this data
 */
export async function takeLock(dataDir: string, port: number): Promise<Lock> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'running.json');
  const deadline = Date.now() + patience;
  let holding: Holder = { pid: process.pid, port, programs: [] };
  const note = (more: Partial<Holder>): void => {
    holding = { ...holding, ...more };
    writeFileSync(file, JSON.stringify(holding), { mode: 0o600 });
  };
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify(holding), { flag: 'wx', mode: 0o600 });
      return { note: (programs) => note({ programs }), noteDatabase: (embeddedUri) => note({ embeddedUri }), release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    const alive = holder ? [holder.pid, ...holder.programs].filter(isAlive) : [];
    if (alive.length === 0) {
      rmSync(file, { force: true });
    } else if (Date.now() > deadline) {
      throw new UserError(
        `A clinic is already running on ${dataDir}: http://localhost:${holder?.port} (process ${alive.join(', ')}).\n` +
          `Stop it with Ctrl-C first, or start a second one with data of its own: DATA_DIR=.data-2 PORT=${port + 1} npm start`,
      );
    } else {
      await delay(100);
    }
  }
}

/** The clinic that runs on this data now, if one does. */
export function runningOn(dataDir: string): Holder | undefined {
  const holder = readHolder(join(dataDir, 'running.json'));
  return holder && isAlive(holder.pid) ? holder : undefined;
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
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process has ended and only waits to be reaped, which in a container without an init can take for ever. */
function isZombie(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  // Other systems than Linux have no such file, and an init.
  return existsSync(file) && /\) Z /.test(readFileSync(file, 'utf8'));
}
