import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Configuration } from 'webpack';
import { baseConfig, watching } from './base-config.ts';
import { HtmlTemplatePlugin } from './html-template-plugin.ts';

const routerFolder = path.resolve(fileURLToPath(import.meta.resolve('react-router/package.json')), '../dist', watching ? 'development' : 'production');

/** Where the gateway serves the shell's files. */
const publicPath = '/shell/';

/**
 * The build of the shell, which knows no remote's address; `dist` gets `index.html` from the template of the same name.
 *
 * @param folder absolute path of the shell's folder
 */
export function shellConfig(folder: string): Configuration {
  const base = baseConfig(folder, 'shell');
  return {
    ...base,
    entry: { main: './src/index.ts' },
    output: { ...base.output, publicPath },
    resolve: {
      ...base.resolve,
      alias: {
        // The router's package offers its build with development warnings only; the one without lies beside it.
        'react-router$': path.join(routerFolder, 'index.mjs'),
        'react-router/dom$': path.join(routerFolder, 'dom-export.mjs'),
      },
    },
    optimization: {
      ...base.optimization,
      splitChunks: {
        cacheGroups: {
          // A lazy part is one file: its libraries in a second file would be a second request in a row.
          defaultVendors: false,
          // Changes with a React release only, so that a redeployed shell doesn't make visitors load it again.
          react: { test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/, name: 'react', chunks: 'all', priority: 10 },
        },
      },
    },
    plugins: [
      ...(base.plugins ?? []),
      new HtmlTemplatePlugin({
        template: path.join(folder, 'index.html'),
        publicFolder: path.join(folder, 'public'),
        publicPath,
        preloadChunks: { remotes: 'mf-host', '/login': 'login', '/register': 'register' },
      }),
    ],
  };
}
