import type { RemoteModule } from '@clinic/app-kit';
import { contractVersion, type RegisteredRemote } from '@clinic/contracts';
import { RemoteError } from './remote-error.ts';
import type { RegistryStore } from './registry.ts';

/** Milliseconds between the first failure and the second try. */
const pauseMs = 300;

/** A failure that took longer than this, in milliseconds, is told at once: the visitor has waited enough. */
const patienceMs = 4000;

/** The part of the federation runtime that loading needs; a chunk of its own. */
export type LoadModule = (remote: RegisteredRemote, again: boolean) => Promise<RemoteModule>;

/** Loads a remote's module by the remote's name; once it is here it stays. */
export type RemoteLoader = (name: string) => Promise<RemoteModule>;

interface RemoteLoaderOptions {
  readonly registry: RegistryStore;
  readonly loadHost: () => Promise<{ readonly loadModule: LoadModule }>;
}

/**
 * @returns a loader that throws {@link RemoteError}; a failed load is tried once more at once, with what the registry
 * says by then, and again whenever it is asked
 */
export function createRemoteLoader({ registry, loadHost }: RemoteLoaderOptions): RemoteLoader {
  const modules = new Map<string, Promise<RemoteModule>>();
  const failedBefore = new Set<string>();

  async function load(name: string): Promise<RemoteModule> {
    const started = performance.now();
    try {
      return await attempt(name);
    } catch (error) {
      if (error instanceof RemoteError && error.trouble === 'incompatible') throw error;
      failedBefore.add(name);
      if (performance.now() - started > patienceMs) throw away(name, error);
      console.warn(`${name} did not load, trying once more`, error);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    // It may have been deployed anew since this page was loaded, under other file names.
    await registry.refresh().catch((error: unknown) => console.warn('The registry could not be read', error));
    try {
      return await attempt(name);
    } catch (error) {
      throw away(name, error);
    }
  }

  function away(name: string, error: unknown): RemoteError {
    return error instanceof RemoteError ? error : new RemoteError(registry.find(name) ?? { name, title: name }, 'away', error);
  }

  async function attempt(name: string): Promise<RemoteModule> {
    const remote = registry.find(name);
    if (!remote) throw new RemoteError({ name, title: name }, 'away');
    if (remote.contractVersion !== contractVersion) throw new RemoteError(remote, 'incompatible');
    const { loadModule } = await loadHost();
    const module = await loadModule(remote, failedBefore.has(name));
    // The files may be newer than the registry that named them.
    if (module.contractVersion !== contractVersion) throw new RemoteError(remote, 'incompatible');
    return module;
  }

  return (name) => {
    const known = modules.get(name);
    if (known) return known;
    const loading = load(name);
    modules.set(name, loading);
    loading.catch(() => modules.delete(name));
    return loading;
  };
}
