import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** How long a non-durable change waits for others before it is written, in milliseconds. */
const DEBOUNCE_MS = 200;

/** Keeps a file in sync with in-memory state. */
export interface SnapshotFile {
  /**
   * Reports a change of the state, which is then written soon.
   *
   * @param durable whether {@link settled} has to wait for this change
   */
  changed(durable: boolean): void;
  /** Resolves once all durable changes so far would survive a crash; rejects if they couldn't be written. */
  settled(): Promise<void>;
  /** Writes pending changes and stops. */
  close(): Promise<void>;
}

/**
 * Reads a snapshot.
 *
 * @returns `undefined` if there is no file yet
 * @throws Error that names the file, if it isn't JSON
 */
export async function readSnapshot(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${file} isn't a snapshot of accounts; move it away to start without accounts`, { cause: error });
  }
}

/**
 * Opens a snapshot file for writing. Each write replaces the whole file atomically. Writes never overlap: changes that
 * arrive during a write share the next one, so that a burst of sign-ups costs few writes.
 *
 * @param file its folder is created if missing
 * @param take returns the current state, which is written as JSON
 */
export function openSnapshot(file: string, take: () => unknown): SnapshotFile {
  let version = 0;
  let durableVersion = 0;
  let writtenVersion = 0;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const taken = version;
    await replaceFile(file, JSON.stringify(take()));
    writtenVersion = taken;
  };

  const writeUpTo = async (target: number): Promise<void> => {
    while (writtenVersion < target) {
      writing ??= write().finally(() => {
        writing = undefined;
      });
      await writing;
    }
  };

  return {
    changed(durable) {
      version += 1;
      if (durable) durableVersion = version;
      timer ??= setTimeout(() => {
        timer = undefined;
        // The next durable change retries and reports to its caller; here there is no caller.
        writeUpTo(version).catch((error: unknown) => process.emitWarning(`${file} can't be written: ${String(error)}`));
      }, DEBOUNCE_MS);
    },
    settled: () => writeUpTo(durableVersion),
    async close() {
      clearTimeout(timer);
      await writeUpTo(version);
    },
  };
}

/** Readable by its owner only: the emulator stores passwords in clear text. */
const OWNER_ONLY = { file: 0o600, folder: 0o700 };

async function replaceFile(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder });
  const temporary = `${file}.tmp`;
  await writeFile(temporary, text, { mode: OWNER_ONLY.file, flush: true });
  await rename(temporary, file);
  await syncFolder(folder);
}

/** Without this, a power failure can undo the rename. */
async function syncFolder(folder: string): Promise<void> {
  // Windows can't open folders.
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}
