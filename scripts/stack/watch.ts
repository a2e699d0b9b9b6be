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

/** Rebuilds and restarts what a change in the sources concerns, until the process ends. */
export function watchSources(supervisor: Supervisor): void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  const react = async (): Promise<void> => {
    const folders = [...changed];
    changed.clear();
    try {
      // A domain's calls are part of its pages, too.
      if (folders.some((folder) => builds.includes(folder) || folder.startsWith('svc-'))) {
        const built = await buildChanged();
        if (built.length > 0) say('Reload the page to see it.');
      }
      for (const name of new Set(folders.flatMap((folder) => restarts[folder] ?? []))) {
        say(`Restarting ${name} …`);
        await supervisor.restart(name);
      }
    } catch (error) {
      // The next change may mend it: tell, and go on watching.
      console.error((error as Error).message);
    }
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
