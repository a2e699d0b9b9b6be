import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import type { Configuration } from 'webpack';
import { baseConfig } from './base-config.ts';
import { RemoteDescriptorPlugin, manifestFile } from './remote-descriptor-plugin.ts';
import { containerOf, type RemoteDefinition } from './remote.ts';
import { sharedLibraries } from './shared-libraries.ts';

/**
 * The build of a remote: its folder holds `remote.config.ts` and `src/module.tsx`; `dist` gets the federation container,
 * its manifest and `remote.json`.
 *
 * @param folder absolute path of the remote's folder
 */
export async function remoteConfig(folder: string): Promise<Configuration> {
  const { default: definition } = (await import(pathToFileURL(path.join(folder, 'remote.config.ts')).href)) as { default: RemoteDefinition };
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  const module = path.join(folder, 'src/module.tsx');
  const base = baseConfig(folder, definition.name);
  return {
    ...base,
    entry: {},
    output: { ...base.output, publicPath: 'auto' },
    plugins: [
      ...(base.plugins ?? []),
      new ModuleFederationPlugin({
        name: containerOf(definition.name),
        filename: 'entry.[contenthash].js',
        exposes: { './module': module },
        manifest: { fileName: manifestFile },
        dts: false,
        dev: false,
        shareStrategy: 'loaded-first',
        shared: Object.fromEntries(
          Object.entries(sharedLibraries).map(([name, requiredVersion]) => [name, { singleton: true, import: false as const, requiredVersion }]),
        ),
        // The shell carries the federation runtime; a remote that brought it again would cost 17 KB each.
        experiments: { externalRuntime: true, optimization: { disableRemote: true, target: 'web' } },
      }),
      new RemoteDescriptorPlugin(definition, version, module),
    ],
  };
}
