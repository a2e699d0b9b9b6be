import type { RemoteModule } from '@clinic/app-kit';
import type { RegisteredRemote } from '@clinic/contracts';
import { acceptModule, type ExposedModule as Exposed, isAccepted } from '@clinic/contracts/window/remotes';
import { loadedVersions } from './loaded-versions.ts';
import { MissingExport, RemoteError } from './remote-error.ts';
import type { RegistryStore } from './registry.ts';
import { withinLimit } from './time-limit.ts';

/** Milliseconds between the first failure and the retry. */
const pauseMs = 300;

/** A failure that took longer than this, in milliseconds, isn't retried: the visitor has waited enough. */
const patienceMs = 4000;

/** The exposed module with the routes of remotes that don't expose each page. */
const pagesModule = './module';

export type { Exposed };

/** The part of the federation runtime that loads modules; a chunk of its own. */
export type LoadModule = (remote: RegisteredRemote, expose: string, again: boolean) => Promise<Exposed>;

/** Loads what remotes expose. A page runs one version of each remote: the one that was loaded first. */
export interface RemoteLoader {
  /**
   * Loads an exposed module by the remote's name, once. By default the module with its routes.
   *
   * @throws RemoteError within eight seconds
   */
  <Module extends Exposed = RemoteModule>(name: string, expose?: string): Promise<Module>;
  /** The loaded version of a remote; `undefined` if none is. */
  readonly versionOf: (name: string) => string | undefined;
  /**
   * Forgets an exposed module because something in it failed or hangs: the next load starts from scratch.
   *
   * @param files - to be requested past the browser's cache then
   */
  readonly forget: (name: string, expose?: string, files?: readonly string[]) => void;
}

interface RemoteLoaderOptions {
  readonly registry: RegistryStore;
  readonly loadHost: () => Promise<{ readonly loadModule: LoadModule }>;
}

/** @returns a loader; a failed load is retried once with what the registry says by then, and again at each call */
export function createRemoteLoader(options: RemoteLoaderOptions): RemoteLoader {
  const modules = new Map<string, Promise<Exposed>>();
  const attempts = new Attempts(options);
  const loader = <Module extends Exposed = RemoteModule>(name: string, expose = pagesModule): Promise<Module> => {
    const key = name + expose;
    let loading = modules.get(key);
    if (!loading) {
      const fresh = attempts.loadInTime(name, expose);
      loading = fresh;
      modules.set(key, fresh);
      fresh.catch(() => {
        if (modules.get(key) === fresh) modules.delete(key);
      });
    }
    // The contract defines what each name exposes.
    return loading as Promise<Module>;
  };
  return Object.assign(loader, {
    versionOf: (name: string) => loadedVersions.get(name),
    forget(name: string, expose = pagesModule, files?: readonly string[]) {
      attempts.forget(name, expose, files);
      modules.delete(name + expose);
    },
  });
}

/** Loads modules, and remembers for the next attempt what was loaded and what failed. */
class Attempts {
  readonly #registry: RemoteLoaderOptions['registry'];
  readonly #loadHost: RemoteLoaderOptions['loadHost'];
  /** What has been loaded, with its description at that time. */
  readonly #held = new Map<string, RegisteredRemote>();
  /** Earlier failures by remote and module, with the additional files that failed. */
  readonly #failedBefore = new Map<string, readonly string[]>();

  constructor({ registry, loadHost }: RemoteLoaderOptions) {
    this.#registry = registry;
    this.#loadHost = loadHost;
  }

  forget(name: string, expose: string, files?: readonly string[]): void {
    this.#noteFailure(name + expose, files);
    this.#held.delete(name);
  }

  #noteFailure(key: string, files: readonly string[] = []): void {
    this.#failedBefore.set(key, [...(this.#failedBefore.get(key) ?? []), ...files]);
  }

  async #load(name: string, expose: string): Promise<Exposed> {
    const started = performance.now();
    try {
      return await this.#attempt(name, expose);
    } catch (error) {
      if (error instanceof RemoteError && error.trouble !== 'away') throw error;
      this.#noteFailure(name + expose);
      if (performance.now() - started > patienceMs) throw error;
      console.warn(`${name} did not load, retrying`, error);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    // It may have been deployed again since this page was loaded, with other file names.
    const refreshed = await this.#registry.refresh().then(
      () => true,
      (error: unknown) => console.warn('The registry could not be read', error),
    );
    try {
      return await this.#attempt(name, expose);
    } catch (error) {
      const here = this.#held.get(name);
      const now = this.#registry.find(name);
      // Without a response it is unknown whether a reload would help.
      const renewed = refreshed === true && here && now && here.version !== now.version;
      throw renewed && !(error instanceof RemoteError) ? new RemoteError(here, 'outdated', error) : error;
    }
  }

  async #attempt(name: string, expose: string): Promise<Exposed> {
    const remote = this.#held.get(name) ?? this.#registry.find(name);
    if (!remote) throw new RemoteError({ name, title: name }, 'away');
    if (!isAccepted(remote.contractVersion)) throw new RemoteError(remote, 'incompatible');
    const { loadModule } = await this.#loadHost();
    const files = this.#failedBefore.get(name + expose) ?? [];
    try {
      const requested = files.length > 0 ? { ...remote, preload: [...new Set([...remote.preload, ...files])] } : remote;
      const exposed = await loadModule(requested, expose, this.#failedBefore.has(name + expose));
      this.#failedBefore.delete(name + expose);
      // The files may be newer than the registry that lists them.
      const module = acceptModule(exposed);
      if (!module) throw new RemoteError(remote, 'incompatible');
      loadedVersions.set(name, remote.version);
      this.#held.set(name, remote);
      return module;
    } catch (error) {
      throw error instanceof MissingExport ? new RemoteError(remote, 'incompatible', error) : error;
    }
  }

  async loadInTime(name: string, expose: string): Promise<Exposed> {
    try {
      return await withinLimit(name, this.#load(name, expose));
    } catch (error) {
      this.#noteFailure(name + expose);
      throw error instanceof RemoteError
        ? error
        : new RemoteError(this.#registry.find(name) ?? { name, title: name }, 'away', error);
    }
  }
}
