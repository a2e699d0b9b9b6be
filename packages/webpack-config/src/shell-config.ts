import path from 'node:path';
import webpack, { type Configuration } from 'webpack';
import { baseConfig } from './base-config.ts';
import { HtmlTemplatePlugin } from './html-template-plugin.ts';

/** Where the gateway serves the shell's files. */
const publicPath = '/shell/';

/**
 * The build of the shell: no federation plugin (the runtime alone is smaller) and no remote's address; `dist` gets
 * `index.html` from the template of the same name.
 *
 * @param folder absolute path of the shell's folder
 */
export function shellConfig(folder: string): Configuration {
  const base = baseConfig(folder, 'shell');
  return {
    ...base,
    entry: { main: './src/index.ts' },
    output: { ...base.output, publicPath },
    optimization: {
      ...base.optimization,
      splitChunks: {
        cacheGroups: {
          // Changes with a React release only, so that a redeployed shell doesn't make visitors load it again.
          react: { test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/, name: 'react', chunks: 'all', priority: 10 },
        },
      },
    },
    plugins: [
      ...(base.plugins ?? []),
      new webpack.DefinePlugin({
        // Drops the federation runtime's parts for Node and for hosts built with the plugin.
        ENV_TARGET: JSON.stringify('web'),
        FEDERATION_ALLOW_NEW_FUNCTION: 'false',
      }),
      new HtmlTemplatePlugin({ template: path.join(folder, 'index.html'), publicPath, preloadChunks: ['bootstrap', 'mf-host'] }),
    ],
  };
}
