import * as appKit from '@clinic/app-kit';
import type { RegisteredRemote } from '@clinic/contracts';
import * as ui from '@clinic/ui';
import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';
import { integrityOf } from './integrity.ts';
import { MissingExport, RemoteError } from './remote-error.ts';
import type { Exposed } from './remote-loader.ts';
import { scriptAddress } from './script-address.ts';
import { loadLimitMs } from './time-limit.ts';

/** A library in a share scope (webpack, Module Federation). */
interface SharedLibrary {
  readonly get: () => Promise<() => unknown> | (() => unknown);
  readonly from: string;
  readonly eager: boolean;
}

type ShareScope = Readonly<Record<string, Readonly<Record<string, SharedLibrary>>>>;

/** The interface of a federation container (webpack, Module Federation, dynamic remotes). */
interface Container {
  readonly init: (scope: ShareScope) => Promise<void> | void;
  readonly get: (expose: string) => Promise<() => { readonly default: Exposed }>;
}

/** The libraries shared by all remotes, which bundle none of them. */
const shareScope: ShareScope = {
  react: provide(React.version, React),
  'react/jsx-runtime': provide(React.version, jsxRuntime),
  'react-dom': provide(React.version, ReactDOM),
  '@clinic/app-kit': provide('1.0.0', complete('@clinic/app-kit', appKit)),
  '@clinic/ui': provide('1.0.0', complete('@clinic/ui', ui)),
  // Only pages with a form load it.
  'react-hook-form': {
    '7.92.0': {
      get: async () => {
        const library = await import(/* webpackChunkName: "react-hook-form" */ 'react-hook-form');
        return () => library;
      },
      from: 'shell',
      eager: false,
    },
  },
  // Only pages with figures load it.
  '@clinic/ui/charts': {
    '1.0.0': {
      get: async () => {
        const library = await import(/* webpackChunkName: "charts" */ '@clinic/ui/charts');
        return () => library;
      },
      from: 'shell',
      eager: false,
    },
  },
};

function provide(version: string, library: unknown): Record<string, SharedLibrary> {
  return { [version]: { get: () => () => library, from: 'shell', eager: true } };
}

/** Properties that bundlers and promises probe on every module, whether they exist or not. */
const optional = new Set<string | symbol>(['default', 'then', '__esModule', '$$typeof']);

/**
 * A remote may have been built for a later shell. If it uses something this shell lacks, that is reported as a version
 * mismatch instead of an undefined value that breaks somewhere.
 *
 * @throws MissingExport if the library lacks the property that is read
 */
function complete<Library extends object>(name: string, library: Library): Library {
  return new Proxy(library, {
    get(target, key): unknown {
      if (!(key in target) && typeof key === 'string' && !optional.has(key))
        throw new MissingExport(`${name} has no ${key} in this shell`);
      return Reflect.get(target, key);
    },
  });
}

/** Containers that are ready, by the URL of their entry. */
const containers = new Map<string, Promise<Container>>();

/** The entry last requested of a remote, by container. */
const entries = new Map<string, string>();

/** Whether a chunk of the remote has loaded, according to webpack's list of them (its `output.uniqueName` is the remote's name). */
function hasChunks({ name }: RegisteredRemote): boolean {
  const chunks: unknown = Reflect.get(globalThis, `webpackChunk${name.replaceAll(/\W/g, '_')}`);
  return Array.isArray(chunks) && chunks.length > 0;
}

/**
 * Loads what a remote exposes.
 *
 * @param expose - name of the exposed module, e.g. `./module`
 * @param again - an earlier attempt failed: its container is discarded, whatever its state
 * @throws errors of the network or of the remote's own code; RemoteError if files of another build are already loaded
 */
export async function loadModule(remote: RegisteredRemote, expose: string, again: boolean): Promise<Exposed> {
  const { container: name, baseUrl, preload, styles } = remote;
  const [entryFile] = preload;
  if (entryFile === undefined) throw new Error(`${name} has no entry script`);
  const entry = new URL(baseUrl + entryFile, location.href);
  const before = entries.get(name);
  // Builds of one remote share the list of their chunks: the new one would take old chunks for its own.
  if (before !== undefined && before !== entry.href && hasChunks(remote)) throw new RemoteError(remote, 'outdated');
  entries.set(name, entry.href);
  // Each attempt uses a URL of its own.
  if (again) {
    containers.delete(entry.href);
    await fetchPastCache([...preload.slice(1), ...styles].map((file) => new URL(baseUrl + file, location.href).href));
  }
  let ready = containers.get(entry.href);
  if (!ready) {
    ready = openContainer(name, entry, again);
    containers.set(entry.href, ready);
  }
  const container = await ready;
  const factory = await container.get(expose);
  return factory().default;
}

async function openContainer(name: string, entry: URL, again: boolean): Promise<Container> {
  const url = new URL(entry);
  // Browsers make a second request for a URL wait for the first, which may be the one that hangs.
  if (again) url.searchParams.set('again', String(Date.now()));
  // What an earlier attempt has left must not be taken for this one's result.
  Reflect.set(globalThis, name, undefined);
  await loadScript(url.href);
  const container = Reflect.get(globalThis, name) as Container | undefined;
  if (!container) throw new Error(`${entry.href} did not define the container ${name}`);
  await container.init(shareScope);
  return container;
}

/**
 * Requests files past the browser's cache: a request that hangs would delay later ones for the same URL, and a broken
 * response would be cached for a year.
 */
async function fetchPastCache(files: readonly string[]): Promise<void> {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    // A file that never arrived must not be taken for one that did.
    if (files.includes(link.href) && !link.sheet) link.remove();
  }
  // Whatever needs the file reports what is wrong with it.
  await Promise.allSettled(
    files.map(async (file) => (await fetch(file, { cache: 'reload', credentials: 'omit' })).arrayBuffer()),
  );
}

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const timer = setTimeout(() => end(new Error(`${url} did not arrive within ${loadLimitMs} ms`)), loadLimitMs);
    function end(error?: Error): void {
      clearTimeout(timer);
      script.remove();
      if (error) reject(error);
      else resolve();
    }
    script.addEventListener('load', () => end());
    script.addEventListener('error', () => end(new Error(`${url} could not be loaded`)));
    // Without it, errors of a script from a developer's machine would be unreadable.
    if (new URL(url).origin !== location.origin) script.crossOrigin = 'anonymous';
    script.integrity = integrityOf(url.split('?', 1)[0] ?? '');
    script.src = scriptAddress(url);
    document.head.append(script);
  });
}
