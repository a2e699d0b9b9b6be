import path from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';

export default {
  mode: 'production',
  context: import.meta.dirname,
  entry: {},
  output: {
    path: path.join(import.meta.dirname, 'dist'),
    filename: '[name].[contenthash].js',
    publicPath: 'auto',
    clean: true,
    uniqueName: 'plain-remote',
    // The clinic's pages accept script addresses only from a policy that is named like the remote.
    trustedTypes: 'plain-remote',
  },
  plugins: [
    new ModuleFederationPlugin({
      name: 'plain_remote',
      filename: 'entry.[contenthash].js',
      exposes: { './page': './src/page.js' },
      shared: { react: { singleton: true, requiredVersion: '^19.0.0' } },
      dts: false,
    }),
  ],
};
