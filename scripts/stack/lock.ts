import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../log.ts';

/** Content of `running.json`: the clinic that runs on this data. */
interface Holder {
  readonly pid: number;
  readonly port: number;
  /** Whether it rebuilds on change, and so keeps no releases. */
  readonly watch?: boolean | undefined;
  /** Process ids of the programs it started. */
  readonly programs: readonly number[];
  /** Address of its embedded database, if it has one; not of an external one, which may contain a password. */
  readonly embeddedUri?: string | undefined;
}

/**
 * How long a start waits for a killed clinic's programs, in milliseconds: they notice, write pending data, and exit.
 */
const patience = 15_000;

export interface Lock {
  /** Records which programs run on this data, so that the next start can wait for them if we are killed. */
  readonly note: (programs: readonly number[]) => void;
  /** Records the address of the embedded database, for backups. */
  readonly noteDatabase: (uri: string) => void;
  /** Releases the data directory. */
  readonly release: () => void;
}

/**
 * Takes the lock on a data directory: only one clinic may run on it.
 *
 * @throws UserError if another clinic keeps running on this data
 */
export async function takeLock(dataDir: string, port: number, watch = false): Promise<Lock> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'running.json');
  const deadline = Date.now() + patience;
  let holding: Holder = { pid: process.pid, port, watch, programs: [] };
  const note = (more: Partial<Holder>): void => {
    holding = { ...holding, ...more };
    writeFileSync(file, JSON.stringify(holding), { mode: 0o600 });
  };
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify(holding), { flag: 'wx', mode: 0o600 });
      return {
        note: (programs) => note({ programs }),
        noteDatabase: (embeddedUri) => note({ embeddedUri }),
        release: () => rmSync(file, { force: true }),
      };
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
          `Stop it with Ctrl-C first, or start a second one with its own data: DATA_DIR=.data-2 PORT=${port + 1} npm start`,
      );
    } else {
      await delay(100);
    }
  }
}

/** The clinic currently running on this data, if any. */
export function runningOn(dataDir: string): Holder | undefined {
  const holder = readHolder(join(dataDir, 'running.json'));
  return holder && isAlive(holder.pid) ? holder : undefined;
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    // Removed in the meantime, or truncated by a power failure: no one holds the lock.
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

/** Whether a process has exited and is waiting to be reaped, which can take forever in a container without an init. */
function isZombie(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  // Only Linux has this file; other systems have an init.
  return existsSync(file) && /\) Z /.test(readFileSync(file, 'utf8'));
}
