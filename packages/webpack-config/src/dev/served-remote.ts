import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ReactRefreshPlugin from '@pmmmwh/react-refresh-webpack-plugin';
import webpack, { type Configuration } from 'webpack';

const here = import.meta.dirname;

/**
 * The client that receives updates, for the page. It shows compile errors and uncaught errors over the page.
 *
 * @param port - of the server on this machine
 * @param policy - name of the Trusted Types policy that writes them
 */
export function updateClient(port: string, policy: string): string {
  const query = new URLSearchParams({
    path: `http://127.0.0.1:${port}/__webpack_hmr`,
    overlay: JSON.stringify({ errors: true, warnings: false, runtimeErrors: true, trustedTypesPolicyName: policy }),
    progress: 'false',
    logging: 'warn',
  });
  return `${fileURLToPath(import.meta.resolve('webpack-dev-middleware/client'))}?${query}`;
}

/**
 * A remote's configuration in development: changed components are replaced in the open page.
 *
 * @param folder - absolute path of the remote's folder
 * @param exposed - absolute paths of the exposed modules
 */
export function servedRemote(config: Configuration, folder: string, exposed: readonly string[]): Configuration {
  return {
    ...config,
    // Maps lines only: columns take twice as long.
    devtool: 'cheap-module-source-map',
    cache: { type: 'memory' },
    // A broken build would replace modules that work, and then the page.
    optimization: { ...config.optimization, emitOnErrors: false },
    module: {
      ...config.module,
      rules: [
        ...(config.module?.rules ?? []),
        { include: [...exposed], loader: path.join(here, 'accept-loader.ts'), enforce: 'pre' },
      ],
    },
    plugins: [
      ...(config.plugins ?? []),
      new webpack.HotModuleReplacementPlugin(),
      new ReactRefreshPlugin({ overlay: false, include: path.join(folder, 'src'), exclude: /node_modules/ }),
      new webpack.NormalModuleReplacementPlugin(/^react\/jsx-dev-runtime$/, path.join(here, 'jsx-dev-runtime.ts')),
      new webpack.NormalModuleReplacementPlugin(/react-refresh(?:\/runtime(?:\.js)?)?$/, (request) => {
        if (request.context !== here) request.request = path.join(here, 'refresh-runtime.ts');
      }),
    ],
  };
}
