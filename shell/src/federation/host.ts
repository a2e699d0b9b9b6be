// First: whatever is bundled first gets the shortest names, and these have the most.
import { sharedLibraries } from './shared-libraries.ts';
import type { RegisteredRemote } from '@clinic/contracts';
import * as runtime from '@module-federation/runtime';
import * as runtimeCore from '@module-federation/runtime-core';
import { fetchPastCache, filesOf, hasChunks } from './remote-files.ts';
import { describeHost, describeRemote } from './devtools.ts';
import { RemoteError } from './remote-error.ts';
import type { Exposed } from './remote-loader.ts';
import { hashesOf } from './integrity.ts';
import { createRuntimePlugin } from './runtime-plugin.ts';
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
  shared: sharedLibraries,
  plugins: [createRuntimePlugin((container, expose) => filesOf(registered.get(container), expose))],
});
describeHost(host);

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
