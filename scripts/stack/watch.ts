import { watch } from 'node:fs';
import { join } from 'node:path';
import { say } from '../say.ts';
import { buildChanged } from './build.ts';
import { frontEnds, services } from './parts.ts';
import { root } from './settings.ts';
import type { Supervisor } from './supervisor.ts';

/** The programs that run a folder's code and must restart when it changes. */
const servers = [...services.map((name) => `svc-${name}`), 'gateway'];
const restarts: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(servers.map((name) => [name, [name]])),
  'packages/service-kit': servers,
  'packages/contracts': servers,
  'packages/static-server': [...frontEnds],
  'packages/graceful-server': [...servers, ...frontEnds],
};
/** Folders whose changes need a build; the build finds out which front-ends are stale. */
const builds = [...frontEnds, 'packages/contracts', 'packages/app-kit', 'packages/ui'];

/** Debounce time in milliseconds: editors write a file in several steps, and a branch switch changes many files. */
const quietFor = 150;

/** Dependencies of {@link catchUp}. */
export interface Workshop {
  /** Builds what is stale. @returns the names of the built front-ends @throws Error if a build fails */
  readonly build: () => Promise<readonly string[]>;
  /** @throws Error with the program's last lines, if it doesn't start */
  readonly restart: (name: string) => Promise<void>;
  readonly say: (text: string) => void;
}

/** Rebuilds and restarts what a change in some folders affects. A failure is reported with advice, and doesn't hold up the rest. */
export async function catchUp(folders: readonly string[], { build, restart, say: tell }: Workshop): Promise<void> {
  try {
    // A domain's calls are also part of its pages.
    if (folders.some((folder) => builds.includes(folder) || folder.startsWith('svc-'))) {
      const built = await build();
      if (built.length > 0) tell('Reload the page to see the change.');
    }
  } catch (error) {
    tell((error as Error).message);
  }
  for (const name of new Set(folders.flatMap((folder) => restarts[folder] ?? []))) {
    tell(`Restarting ${name} …`);
    try {
      await restart(name);
      tell(`${name} is running the new code.`);
    } catch (error) {
      tell(`${(error as Error).message}\n${name} is not running (see above). ${saveAgain('started')}`);
    }
  }
}

const saveAgain = (what: string): string => `Fix it and save: it is ${what} again automatically.`;

/** Rebuilds and restarts what each change in the sources affects, until the process exits. */
export function watchSources(supervisor: Supervisor): void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  const workshop: Workshop = {
    build: () => buildChanged(frontEnds, saveAgain('built')),
    restart: (name) => supervisor.restart(name),
    say,
  };
  const react = async (): Promise<void> => {
    const folders = [...changed];
    changed.clear();
    await catchUp(folders, workshop);
  };
  for (const folder of new Set([...builds, ...Object.keys(restarts)])) {
    watch(join(root, folder, 'src'), { recursive: true }, () => {
      changed.add(folder);
      clearTimeout(timer);
      timer = setTimeout(() => void (work = work.then(react)), quietFor);
    });
  }
  say('Watching the sources: saved changes are built and restarted.');
}
