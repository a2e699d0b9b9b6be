import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { exposeOfPage, exposeOfSlot } from '@clinic/contracts/remotes';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import type { Configuration } from 'webpack';
import { baseConfig, watching } from './base-config.ts';
import { fileName, servedAt } from './dev/development.ts';
import { servedRemote, updateClient } from './dev/served-remote.ts';
import { HtmlPlugin } from './html-plugin.ts';
import { NoSchemasPlugin } from './no-schemas-plugin.ts';
import { RemoteDescriptorPlugin } from './remote-descriptor-plugin.ts';
import { chunkOfPage, containerOf, type RemoteDefinition } from './remote.ts';
import { shareKeys, sharedLibraries } from './shared-libraries.ts';
import { UsesPlugin } from './uses-plugin.ts';

/**
 * Build configuration of a remote: its folder has `remote.config.ts`; `dist` gets the federation container,
 * `mf-manifest.json` and `remote.json`. Each page, and what the remote adds to other remotes' pages, is exposed
 * separately.
 *
 * @param folder absolute path of the remote's folder
 * @throws Error if a page has no file in `screens`
 */
export async function remoteConfig(folder: string): Promise<Configuration> {
  const { default: definition } = (await import(pathToFileURL(path.join(folder, 'remote.config.ts')).href)) as {
    default: RemoteDefinition;
  };
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  const container = containerOf(definition.name);
  const base = baseConfig(folder, definition.name);
  // While developers change it, visitors get pages that scripts draw.
  const html =
    watching || Object.keys(definition.html ?? {}).length === 0 ? undefined : new HtmlPlugin(definition, folder);
  const config: Configuration = {
    ...base,
    entry: {},
    output: { ...base.output, publicPath: 'auto' },
    // The shell's copy; the core behind it comes by `externalRuntime`.
    externals: { '@module-federation/runtime': 'global clinicFederationRuntime' },
    // The manifest plugin warns that a publicPath of 'auto' is resolved at run time, which is intended.
    infrastructureLogging: { level: 'error' },
    optimization: {
      ...base.optimization,
      splitChunks: {
        // Of sources: a smaller file costs the first page more, with its request, than it saves the next.
        minSize: 26_000,
        cacheGroups: {
          // Pages are exposed separately and share one stylesheet.
          styles: { type: 'css/mini-extract', name: 'styles', chunks: 'all', enforce: true },
        },
      },
    },
    resolve: {
      ...base.resolve,
      // The plugin adds it to each remote's entry, where nothing uses it.
      alias: { '@module-federation/sdk$': false },
    },
    plugins: [
      ...(base.plugins ?? []),
      new ModuleFederationPlugin({
        name: container,
        library: { type: 'var', name: container },
        filename: `${fileName('entry')}.js`,
        exposes: exposesOf(definition, folder),
        shared: Object.fromEntries(
          Object.entries(sharedLibraries).map(([name, requiredVersion]) => [
            name,
            { shareKey: shareKeys[name] ?? name, singleton: true, import: false as const, requiredVersion },
          ]),
        ),
        shareStrategy: 'loaded-first',
        // Types of the contract come from packages/contracts and app-kit (docs/decisions/0009).
        dts: false,
        manifest: true,
        experiments: {
          // The shell provides the runtime's core as a global.
          externalRuntime: true,
          optimization: { disableRemote: true, target: 'web' },
        },
      }),
      ...(html ? [html] : []),
      new RemoteDescriptorPlugin(definition, version, () => html?.published),
      ...(servedAt === undefined ? [new UsesPlugin(definition.calls), new NoSchemasPlugin()] : []),
    ],
  };
  return servedAt === undefined ? config : servedRemote(config, folder, filesOf(definition, folder));
}

/** The modules that it exposes: absolute paths. */
function filesOf({ screens, slots = [] }: RemoteDefinition, folder: string): string[] {
  return [...Object.values(screens), ...slots.map(({ module }) => module)].map((file) => path.join(folder, file));
}

function exposesOf({ name, pages, screens, slots = [] }: RemoteDefinition, folder: string) {
  const exposes: Record<string, { import: string[]; name: string }> = {};
  const before = servedAt === undefined ? [] : [updateClient(servedAt, name)];
  for (const { path: route } of pages) {
    const file = screens[route];
    if (file === undefined) throw new Error(`remote.config.ts has no screen for ${route}`);
    exposes[exposeOfPage(route)] = { import: [...before, path.join(folder, file)], name: chunkOfPage(route) };
  }
  for (const { slot, module } of slots)
    exposes[exposeOfSlot(slot)] = { import: [...before, path.join(folder, module)], name: `slot-${slot}` };
  return exposes;
}
