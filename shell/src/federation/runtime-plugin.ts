import type { ModuleFederationRuntimePlugin } from '@module-federation/runtime';
import { integrityOf } from './integrity.ts';
import { loadTwice } from './remote-error.ts';
import { scriptAddress } from './script-address.ts';
import { loadLimitMs } from './time-limit.ts';

/** Addresses of an exposed module's files. */
export interface FilesOfExpose {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/**
 * What this shell adds to the federation runtime: time limits, integrity, Trusted Types, a retry, and reports.
 *
 * @param filesOf - files of an exposed module by container and expose; the runtime would look them up in a manifest
 */
export function createRuntimePlugin(
  filesOf: (container: string, expose: string) => FilesOfExpose,
): ModuleFederationRuntimePlugin {
  return {
    name: 'clinic-shell',

    createScript({ url }) {
      const script = document.createElement('script');
      // Without it, errors of a script from a developer's machine would be unreadable.
      if (new URL(url).origin !== location.origin) script.crossOrigin = 'anonymous';
      script.integrity = integrityOf(url.split('?', 1)[0] ?? '');
      script.src = scriptAddress(url);
      return { script, timeout: loadLimitMs };
    },

    createLink({ url, attrs }) {
      const link = document.createElement('link');
      for (const [name, value] of Object.entries(attrs ?? {})) link.setAttribute(name, String(value));
      link.href = url;
      if (new URL(link.href).origin !== location.origin) link.crossOrigin = 'anonymous';
      // Without a matching hash, the browser would load the file again for the tag that has one.
      link.setAttribute('integrity', integrityOf(link.href));
      return { link, timeout: loadLimitMs };
    },

    generatePreloadAssets: async ({ remoteInfo, preloadOptions }) => {
      const [expose = ''] = preloadOptions.preloadConfig.exposes ?? [];
      const { scripts, styles } = filesOf(remoteInfo.name, `./${expose}`);
      return { jsAssetsWithoutEntry: [...scripts], cssAssets: [...styles], entryAssets: [] };
    },

    /** Requests the chunks of an exposed module a second time if a file didn't arrive. */
    getModuleFactory: ({ remoteEntryExports, expose }) =>
      // The runtime's types omit that containers answer with a promise.
      loadTwice(async () => remoteEntryExports.get(expose)),

    // Only a report: what this hook returns would be taken for the module.
    async errorLoadRemote({ id, error }) {
      console.warn(`${id} did not load`, error);
    },
  };
}
