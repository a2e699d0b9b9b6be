import * as appKit from '@clinic/app-kit';
import type { RemoteModule } from '@clinic/app-kit';
import type { RegisteredRemote } from '@clinic/contracts';
import * as ui from '@clinic/ui';
import { createInstance, type ModuleFederationRuntimePlugin } from '@module-federation/runtime';
import * as runtimeCore from '@module-federation/runtime-core';
import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';

/** Milliseconds until a remote's entry that doesn't arrive counts as away; the runtime would wait for 20 s. */
const entryLimitMs = 8000;

// The remotes are built without the runtime and take ours from here.
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore });

const impatience: ModuleFederationRuntimePlugin = { name: 'impatience', createScript: () => ({ timeout: entryLimitMs }) };

const federation = createInstance({
  name: 'shell',
  remotes: [],
  // The default could load every registered remote to compare versions.
  shareStrategy: 'loaded-first',
  shared: {
    react: provide(React.version, React),
    'react/jsx-runtime': provide(React.version, jsxRuntime),
    'react-dom': provide(React.version, ReactDOM),
    '@clinic/app-kit': provide('1.0.0', appKit),
    '@clinic/ui': provide('1.0.0', ui),
    // Only pages with a form pay for it.
    'react-hook-form': {
      version: '7.92.0',
      get: async () => {
        const library = await import(/* webpackChunkName: "react-hook-form" */ 'react-hook-form');
        return () => library;
      },
      shareConfig: { singleton: true, requiredVersion: false },
    },
  },
  plugins: [impatience],
});

function provide(version: string, library: unknown) {
  return { version, lib: () => library, shareConfig: { singleton: true, requiredVersion: false as const } };
}

/** Remotes that have been registered, by container, with the address of the entry they were registered with. */
const registered = new Map<string, string>();

/**
 * Loads what a remote exposes.
 *
 * @param again - whether an earlier try failed: only a forced registration makes the runtime forget it
 * @throws whatever the runtime, the network or the remote's own code throws
 */
export async function loadModule({ container, baseUrl, preload }: RegisteredRemote, again: boolean): Promise<RemoteModule> {
  const [entryFile] = preload;
  if (entryFile === undefined) throw new Error(`${container} names no entry`);
  const entry = new URL(baseUrl + entryFile, location.href);
  const changed = registered.get(container) !== entry.href;
  if (changed || again) {
    const force = again || registered.has(container);
    registered.set(container, entry.href);
    // A browser lets a second request for an address wait for the first, which may be the one that hangs.
    if (again) entry.searchParams.set('again', String(Date.now()));
    // Straight to the entry, not through the manifest: one request less in a row, and a stylesheet that is missing is an error.
    federation.registerRemotes([{ name: container, entry: entry.href, type: 'global', entryGlobalName: container }], { force });
  }
  const exposed = await federation.loadRemote<{ default: RemoteModule }>(`${container}/module`);
  if (!exposed) throw new Error(`${container} exposes no module`);
  return exposed.default;
}
