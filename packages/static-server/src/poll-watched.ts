import { watch, type FSWatcher } from 'node:fs';

export interface WatchedPoll {
  readonly folders: readonly string[];
  readonly poll: () => Promise<void>;
  /** Whether the last poll left nothing to check again. */
  readonly isSettled: () => boolean;
  /** Milliseconds between polls of folders that are changing, or that the system can't watch. */
  readonly pollMs: number;
  /** Milliseconds between polls otherwise. */
  readonly quietPollMs: number;
  readonly onError: ((error: unknown) => void) | undefined;
}

/**
 * Polls folders soon after each change that the system reports, and rarely otherwise: network file systems and
 * subfolders may change without a report.
 *
 * @returns stops it
 */
export function pollWatched({ folders, poll, isSettled, pollMs, quietPollMs, onError }: WatchedPoll): () => void {
  let watchers: readonly FSWatcher[] = [];
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let polling = false;
  /** A folder has changed since the last poll began. */
  let changed = false;

  function schedule(): void {
    if (stopped) return;
    const isQuiet = !changed && isSettled() && watchers.length === folders.length;
    timer = setTimeout(() => void run(), isQuiet ? quietPollMs : pollMs).unref();
  }

  async function run(): Promise<void> {
    // A replaced folder must be watched again.
    if (changed || watchers.length < folders.length) watchAgain();
    changed = false;
    polling = true;
    try {
      await poll();
    } catch (error) {
      changed = true;
      onError?.(error);
    }
    polling = false;
    schedule();
  }

  function wake(): void {
    if (changed) return;
    changed = true;
    if (polling) return;
    clearTimeout(timer);
    schedule();
  }

  function closeAll(): void {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  }

  function watchAgain(): void {
    closeAll();
    if (!stopped) watchers = folders.flatMap((folder) => watched(folder, wake) ?? []);
  }

  watchAgain();
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
    closeAll();
  };
}

/** Watches a folder; `undefined` if the system can't, or if it doesn't exist yet. */
function watched(folder: string, changed: () => void): FSWatcher | undefined {
  try {
    // An error, e.g. because the folder was removed, triggers a poll like a change.
    return watch(folder, { persistent: false }, changed).on('error', changed);
  } catch {
    return undefined;
  }
}
