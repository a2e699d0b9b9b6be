import { watch } from 'node:fs';
import { join } from 'node:path';
import { say } from '../say.ts';
import { buildChanged } from './build.ts';
import { frontEnds, services } from './parts.ts';
import { root } from './settings.ts';
import type { Supervisor } from './supervisor.ts';

/** Which programs run a folder's code, and so must start again when it changes. */
const servers = [...services.map((name) => `svc-${name}`), 'gateway'];
const restarts: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(servers.map((name) => [name, [name]])),
  'packages/service-kit': servers,
  'packages/contracts': servers,
  'packages/static-server': [...frontEnds],
  'packages/graceful-server': [...servers, ...frontEnds],
};
/** Folders whose change needs a build; which of the front-ends is stale, the build finds out. */
const builds = [...frontEnds, 'packages/contracts', 'packages/app-kit', 'packages/ui'];

/** An editor writes a file in several steps, and a branch switch changes many: wait until it is quiet. */
const quietFor = 150;

/** What {@link catchUp} works with. */
export interface Workshop {
  /** Builds what is stale. @returns the names of those that were built @throws Error when one can't be */
  readonly build: () => Promise<readonly string[]>;
  /** @throws Error with the program's last lines when it doesn't come up */
  readonly restart: (name: string) => Promise<void>;
  readonly say: (text: string) => void;
}

/** Rebuilds and restarts what a change of some folders concerns. What fails is told, with what to do, and keeps nothing else up. */
export async function catchUp(folders: readonly string[], { build, restart, say: tell }: Workshop): Promise<void> {
  try {
    // A domain's calls are part of its pages, too.
    if (folders.some((folder) => builds.includes(folder) || folder.startsWith('svc-'))) {
      const built = await build();
      if (built.length > 0) tell('Reload the page to see it.');
    }
  } catch (error) {
    tell((error as Error).message);
  }
  for (const name of new Set(folders.flatMap((folder) => restarts[folder] ?? []))) {
    tell(`Restarting ${name} …`);
    try {
      await restart(name);
      tell(`${name} runs what you saved.`);
    } catch (error) {
      tell(`${(error as Error).message}\n${name} is not running (see above). ${saveAgain('started')}`);
    }
  }
}

const saveAgain = (what: string): string => `Mend it and save: it is ${what} again by itself.`;

/** Rebuilds and restarts what a change in the sources concerns, until the process ends. */
export function watchSources(supervisor: Supervisor): void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  const workshop: Workshop = { build: () => buildChanged(frontEnds, saveAgain('built')), restart: (name) => supervisor.restart(name), say };
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
  say('Watching the sources: changes are built and started as they are saved.');
}
