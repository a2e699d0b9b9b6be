import * as appKit from '@clinic/app-kit';
import type { RegisteredRemote } from '@clinic/contracts';
import * as ui from '@clinic/ui';
import * as runtime from '@module-federation/runtime';
import * as runtimeCore from '@module-federation/runtime-core';
import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';
import { describeHost, describeRemote } from './devtools.ts';
import { MissingExport, RemoteError } from './remote-error.ts';
import type { Exposed } from './remote-loader.ts';
import { hashesOf } from './integrity.ts';
import { createRuntimePlugin, type FilesOfExpose } from './runtime-plugin.ts';
import { ownShell } from './shell-version.ts';

// Remotes use this copy of the runtime instead of bundling one each: its core by `externalRuntime`, which any team can
// set, and the rest by packages/webpack-config.
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore, clinicFederationRuntime: runtime });

/** Registered remotes by the name of their container. */
const registered = new Map<string, RegisteredRemote>();

/** The entry last requested of a remote, by container. */
const entries = new Map<string, string>();

/** The host. The registry supplies the remotes' entries, so no manifest has to be read before the first page. */
const host = runtime.createInstance({
  name: 'shell',
  version: ownShell().version ?? '',
  remotes: [],
  // The default would load every registered remote to compare versions of shared libraries.
  shareStrategy: 'loaded-first',
  shared: {
    react: provide(React.version, React),
    'react/jsx-runtime': provide(React.version, jsxRuntime),
    'react-dom': provide(React.version, ReactDOM),
    '@clinic/app-kit/basics': provide('1.0.0', complete('@clinic/app-kit', appKit)),
    '@clinic/ui/basics': provide('1.0.0', complete('@clinic/ui', ui)),
    // Only pages with lists, or that change something, load these.
    '@clinic/app-kit/records': provideOurs(
      '@clinic/app-kit/records',
      () => import(/* webpackChunkName: "records" */ '@clinic/app-kit/records'),
    ),
    '@clinic/ui/tables': provideOurs(
      '@clinic/ui/tables',
      () => import(/* webpackChunkName: "tables" */ '@clinic/ui/tables'),
    ),
    '@clinic/ui/charts': provideOurs(
      '@clinic/ui/charts',
      () => import(/* webpackChunkName: "charts" */ '@clinic/ui/charts'),
    ),
    'react-hook-form': provideLazily(
      '7.92.0',
      () => import(/* webpackChunkName: "react-hook-form" */ 'react-hook-form'),
    ),
    // Our libraries as remotes of earlier releases know them.
    '@clinic/app-kit': provideOurs(
      '@clinic/app-kit',
      () => import(/* webpackChunkName: "whole-app-kit" */ '@clinic/app-kit/whole'),
    ),
    '@clinic/ui': provideOurs('@clinic/ui', () => import(/* webpackChunkName: "whole-ui" */ '@clinic/ui/whole')),
  },
  plugins: [createRuntimePlugin((container, expose) => filesOf(registered.get(container), expose))],
});
describeHost(host);

function provide(version: string, library: unknown) {
  return {
    version,
    lib: () => library,
    shareConfig: { singleton: true, requiredVersion: false as const, eager: true },
  };
}

function provideLazily(version: string, load: () => Promise<unknown>) {
  const get = async (): Promise<() => unknown> => {
    const library = await load();
    return () => library;
  };
  return { version, get, shareConfig: { singleton: true, requiredVersion: false as const } };
}

function provideOurs(name: string, load: () => Promise<object>) {
  return provideLazily('1.0.0', async () => complete(name, await load()));
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

/** What an exposed module needs besides the entry. */
function filesOf(remote: RegisteredRemote | undefined, expose: string): FilesOfExpose {
  if (!remote) return { scripts: [], styles: [] };
  const { baseUrl, pages, preload, pagePreload, styles } = remote;
  const page = pages.find((candidate) => candidate.expose === expose);
  const scripts = page ? (pagePreload?.[page.path] ?? []) : preload.slice(1);
  return { scripts: scripts.map((file) => baseUrl + file), styles: styles.map((file) => baseUrl + file) };
}

/**
 * Whether a chunk of the remote has loaded, according to webpack's list of them (its `output.uniqueName` is the
 * remote's name).
 */
function hasChunks({ name }: RegisteredRemote): boolean {
  const chunks: unknown = Reflect.get(globalThis, `webpackChunk${name.replaceAll(/\W/g, '_')}`);
  return Array.isArray(chunks) && chunks.length > 0;
}

/**
 * Loads what a remote exposes.
 *
 * @param expose - name of the exposed module, e.g. `./pages/about`
 * @param again - an earlier attempt failed: its container is discarded, whatever its state
 * @throws errors of the network or of the remote's own code; RemoteError if files of another build are already loaded
 */
export async function loadModule(remote: RegisteredRemote, expose: string, again: boolean): Promise<Exposed> {
  const { name, container } = remote;
  const entryFile = remote.entry ?? remote.preload[0];
  if (entryFile === undefined) throw new Error(`${name} has no entry script`);
  const entry = new URL(remote.baseUrl + entryFile, location.href).href;
  const before = entries.get(container);
  // Builds of one remote share the list of their chunks: the new one would take old chunks for its own.
  if (before !== undefined && before !== entry && hasChunks(remote)) throw new RemoteError(remote, 'outdated');
  entries.set(container, entry);
  const files = filesOf(remote, expose);
  await hashesOf([entry, ...files.scripts, ...files.styles]);
  if (again)
    await fetchPastCache([
      ...files.scripts,
      ...files.styles,
      ...remote.preload.slice(1).map((file) => remote.baseUrl + file),
    ]);
  if (again || before !== entry) await register(remote, entry, again);
  const id = container + expose.slice(1);
  // So that browsers load these files alongside the entry, not after it. loadRemote reports what fails here.
  if (!again) host.preloadRemote([{ nameOrAlias: container, exposes: [expose.slice(2)] }]).catch(() => undefined);
  const module = await host.loadRemote<{ readonly default: Exposed }>(id);
  if (!module) throw new Error(`${name} has nothing at ${expose}`);
  return module.default;
}

/**
 * Updates the host's address of a remote. The runtime drops the container, the global and the promises of an earlier
 * entry.
 */
async function register(remote: RegisteredRemote, entry: string, again: boolean): Promise<void> {
  const { container, version } = remote;
  const url = new URL(entry);
  // Browsers make a second request for a URL wait for the first, which may be the one that hangs.
  if (again) url.searchParams.set('again', String(Date.now()));
  host.registerRemotes([{ name: container, entry: url.href, version }], { force: registered.has(container) });
  // Dropping a remote also drops the shell's lazy libraries that only this remote has used.
  await Promise.all(host.initializeSharing());
  registered.set(container, remote);
  describeRemote(host, remote, url.href);
}

/**
 * Requests files past the browser's cache: a request that hangs would delay later ones for the same URL, and a broken
 * response would be cached for a year.
 */
async function fetchPastCache(addresses: readonly string[]): Promise<void> {
  const files = [...new Set(addresses)].map((address) => new URL(address, location.href).href);
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    // A file that never arrived must not be taken for one that did.
    if (files.includes(link.href) && !link.sheet) link.remove();
  }
  // A build's loader would wait for the tag of an earlier attempt, which may still hang.
  for (const script of document.querySelectorAll<HTMLScriptElement>('script[src]')) {
    if (files.includes(script.src)) script.remove();
  }
  // Whatever needs the file reports what is wrong with it.
  await Promise.allSettled(
    files.map(async (file) => (await fetch(file, { cache: 'reload', credentials: 'omit' })).arrayBuffer()),
  );
}
