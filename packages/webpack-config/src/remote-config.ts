import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { exposeOfSlot } from '@clinic/contracts/remotes';
import webpack, { type Configuration } from 'webpack';
import { baseConfig } from './base-config.ts';
import { RemoteDescriptorPlugin } from './remote-descriptor-plugin.ts';
import { containerOf, type RemoteDefinition } from './remote.ts';
import { sharedLibraries } from './shared-libraries.ts';

/**
 * Build configuration of a remote: its folder has `remote.config.ts` and `src/module.tsx`; `dist` gets the federation container
 * and `remote.json`. What it adds to other remotes' pages is exposed separately, so that it loads without the remote's own pages.
 *
 * It uses webpack's own Module Federation: the shell would use only the share scope of `@module-federation/enhanced`, whose
 * runtime would add 22 KB (gzip) to every first visit.
 *
 * @param folder absolute path of the remote's folder
 */
export async function remoteConfig(folder: string): Promise<Configuration> {
  const { default: definition } = (await import(pathToFileURL(path.join(folder, 'remote.config.ts')).href)) as {
    default: RemoteDefinition;
  };
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  const module = path.join(folder, 'src/module.tsx');
  const container = containerOf(definition.name);
  const base = baseConfig(folder, definition.name);
  return {
    ...base,
    entry: {},
    output: { ...base.output, publicPath: 'auto' },
    plugins: [
      ...(base.plugins ?? []),
      new webpack.container.ModuleFederationPlugin({
        name: container,
        library: { type: 'var', name: container },
        filename: 'entry.[contenthash].js',
        exposes: {
          './module': { import: module, name: 'module' },
          ...Object.fromEntries(
            (definition.slots ?? []).map(({ slot, module: file }) => [
              exposeOfSlot(slot),
              { import: path.join(folder, file), name: `slot-${slot}` },
            ]),
          ),
        },
        shared: Object.fromEntries(
          Object.entries(sharedLibraries).map(([name, requiredVersion]) => [
            name,
            { singleton: true, import: false as const, requiredVersion },
          ]),
        ),
      }),
      new RemoteDescriptorPlugin(definition, version, module),
    ],
  };
}
