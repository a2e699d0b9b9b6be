import type { RemoteModule } from '@clinic/app-kit';
import { contractVersion, type RegisteredRemote } from '@clinic/contracts';
import { RemoteError } from './remote-error.ts';
import type { RegistryStore } from './registry.ts';

/** Milliseconds between the first failure and the second try. */
const pauseMs = 300;

/** A failure that took longer than this, in milliseconds, is told at once: the visitor has waited enough. */
const patienceMs = 4000;

/** What every module that a remote exposes says of itself. */
export type Exposed = Pick<RemoteModule, 'contractVersion'>;

/** The part of the federation runtime that loading needs; a chunk of its own. */
export type LoadModule = (remote: RegisteredRemote, expose: string, again: boolean) => Promise<Exposed>;

/** Loads what a remote exposes, by the remote's name; once it is here it stays. Unless told, that is the module with its pages. */
export type RemoteLoader = <Module extends Exposed = RemoteModule>(name: string, expose?: string) => Promise<Module>;

interface RemoteLoaderOptions {
  readonly registry: RegistryStore;
  readonly loadHost: () => Promise<{ readonly loadModule: LoadModule }>;
}

/**
 * @returns a loader that throws {@link RemoteError}; a failed load is tried once more at once, with what the registry
 * says by then, and again whenever it is asked
 */
export function createRemoteLoader({ registry, loadHost }: RemoteLoaderOptions): RemoteLoader {
  const modules = new Map<string, Promise<Exposed>>();
  const failedBefore = new Set<string>();

  async function load(name: string, expose: string): Promise<Exposed> {
    const started = performance.now();
    try {
      return await attempt(name, expose);
    } catch (error) {
      if (error instanceof RemoteError && error.trouble === 'incompatible') throw error;
      failedBefore.add(name + expose);
      if (performance.now() - started > patienceMs) throw away(name, error);
      console.warn(`${name} did not load, trying once more`, error);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    // It may have been deployed anew since this page was loaded, under other file names.
    await registry.refresh().catch((error: unknown) => console.warn('The registry could not be read', error));
    try {
      return await attempt(name, expose);
    } catch (error) {
      throw away(name, error);
    }
  }

  function away(name: string, error: unknown): RemoteError {
    return error instanceof RemoteError ? error : new RemoteError(registry.find(name) ?? { name, title: name }, 'away', error);
  }

  async function attempt(name: string, expose: string): Promise<Exposed> {
    const remote = registry.find(name);
    if (!remote) throw new RemoteError({ name, title: name }, 'away');
    if (remote.contractVersion !== contractVersion) throw new RemoteError(remote, 'incompatible');
    const { loadModule } = await loadHost();
    const module = await loadModule(remote, expose, failedBefore.has(name + expose));
    // The files may be newer than the registry that named them.
    if (module.contractVersion !== contractVersion) throw new RemoteError(remote, 'incompatible');
    return module;
  }

  return <Module extends Exposed = RemoteModule>(name: string, expose = './module') => {
    const key = name + expose;
    const loading = modules.get(key) ?? load(name, expose);
    if (!modules.has(key)) {
      modules.set(key, loading);
      loading.catch(() => modules.delete(key));
    }
    // What a name exposes is the contract's word.
    return loading as Promise<Module>;
  };
}
