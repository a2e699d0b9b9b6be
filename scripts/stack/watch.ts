import { watch } from 'node:fs';
import { join } from 'node:path';
import { log } from '../log.ts';
import { buildChanged } from './build.ts';
import { frontEnds } from './parts.ts';
import { root } from './settings.ts';
import type { Supervisor } from './supervisor.ts';
import { buildReads, codeOf, programsRunning, sources } from './uses.ts';
import { watchFolder } from './watch-folder.ts';

/** Stands for the compiler's settings in the root, which every build reads. */
const shared = '.';

/** Debounce time in milliseconds: editors write a file in several steps, and a branch switch changes many files. */
const quietFor = 150;

/** Dependencies of {@link catchUp}. */
export interface WatchTools {
  /** Builds what is stale. @returns the names of the built front-ends @throws Error if a build fails */
  readonly build: () => Promise<readonly string[]>;
  /** @throws Error with the program's last lines, if it doesn't start */
  readonly restart: (name: string) => Promise<void>;
  /** The programs to restart after a change in these folders; by default all that run their code. */
  readonly affected?: (folders: readonly string[]) => readonly string[];
  readonly log: (text: string) => void;
}

/**
 * Rebuilds and restarts what a change in some folders affects. A failure is reported with advice, and doesn't hold up
 * the rest.
 */
export async function catchUp(
  folders: readonly string[],
  { build, restart, affected = programsRunning, log: print }: WatchTools,
): Promise<void> {
  try {
    // A domain's calls are also part of its pages.
    if (folders.some((folder) => folder === shared || buildReads.has(folder) || folder.startsWith('svc-'))) {
      const built = await build();
      if (built.length > 0) print('Reload the page to see the change.');
    }
  } catch (error) {
    print((error as Error).message);
  }
  for (const name of affected(folders)) {
    print(`Restarting ${name} …`);
    try {
      await restart(name);
      print(`${name} is running the new code.`);
    } catch (error) {
      print(`${(error as Error).message}\n${name} is not running (see above). ${saveAgain('started')}`);
    }
  }
}

const saveAgain = (what: string): string => `Fix it and save: it is ${what} again automatically.`;

/** Rebuilds and restarts what each change in the sources affects, until the process exits. */
export function watchSources(supervisor: Supervisor): void {
  const note = collectChanges({
    build: () => buildChanged(frontEnds, saveAgain('built')),
    restart: (name) => supervisor.restart(name),
    log,
  });
  for (const folder of sources) watchFolder(join(root, folder), () => note(folder));
  watch(root, (_event, name) => {
    if (name !== null && /^tsconfig.*\.json$/.test(name)) note(shared);
  });
  log('Watching the sources: saved changes are built and restarted.');
}

/**
 * Restarts a service when its code or that of its packages changes, until the process exits.
 *
 * @param service - e.g. `svc-clinic`
 */
export function watchService(supervisor: Supervisor, service: string): void {
  const note = collectChanges({
    // The domain's pages are served by a program of their own.
    build: async () => [],
    restart: (name) => supervisor.restart(name),
    affected: () => [service],
    log,
  });
  for (const folder of codeOf(service)) watchFolder(join(root, folder), () => note(folder));
}

/** @returns reports a change in a folder; changes that come together are handled together */
function collectChanges(tools: WatchTools): (folder: string) => void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  const react = async (): Promise<void> => {
    const folders = [...changed];
    changed.clear();
    await catchUp(folders, tools);
  };
  return (folder) => {
    changed.add(folder);
    clearTimeout(timer);
    timer = setTimeout(() => void (work = work.then(react)), quietFor);
  };
}
