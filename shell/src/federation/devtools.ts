import type { RegisteredRemote } from '@clinic/contracts';
import type { ModuleFederation } from '@module-federation/runtime';
import { addGlobalSnapshot, getGlobalSnapshot } from '@module-federation/runtime-core';

type Snapshot = Parameters<typeof addGlobalSnapshot>[0];

/**
 * Describes the host in `__FEDERATION__.moduleInfo`, where the Module Federation DevTools look. The runtime's snapshot plugin
 * would do it from manifests, which this shell doesn't read.
 */
export function describeHost({ options }: ModuleFederation): void {
  describe({
    [options.name]: {
      version: options.version ?? '',
      buildVersion: options.version ?? '',
      globalName: options.name,
      remoteEntry: '',
      remotesInfo: {},
      shared: Object.entries(options.shared).flatMap(([sharedName, versions]) =>
        versions.map(({ version }) => ({ sharedName, version, assets: noAssets })),
      ),
    },
  });
}

/** Describes a registered remote. @param entry - the full URL of its entry */
export function describeRemote(
  { options }: ModuleFederation,
  { container, version, pages, slots = [] }: RegisteredRemote,
  entry: string,
): void {
  const host = getGlobalSnapshot()[options.name];
  const exposed = [...pages.flatMap(({ expose }) => expose ?? []), ...slots.map(({ slot }) => `./slots/${slot}`)];
  describe({
    [`${container}:${version}`]: {
      version,
      buildVersion: version,
      globalName: container,
      remoteEntry: entry,
      remoteEntryType: 'global',
      publicPath: new URL('.', entry).href,
      remotesInfo: {},
      modules: exposed.map((modulePath) => ({ moduleName: modulePath.slice(2), modulePath, assets: noAssets })),
      shared: [],
    },
    ...(host && {
      [options.name]: {
        ...host,
        remotesInfo: {
          ...('remotesInfo' in host && host.remotesInfo),
          [container]: { matchedVersion: version },
        },
      },
    }),
  });
}

const noAssets = { js: { sync: [], async: [] }, css: { sync: [], async: [] } };

function describe(info: object): void {
  addGlobalSnapshot(info as Snapshot);
}
