// Builds the shell of a release that raises the contract by one: build-next-shell.ts FOLDER
import { join } from 'node:path';
import { shellConfig } from '@clinic/webpack-config';
import webpack from 'webpack';

const [folder = ''] = process.argv.slice(2);
const config = shellConfig(join(import.meta.dirname, '../../../shell'));
const compiler = webpack({
  ...config,
  output: { ...config.output, path: folder },
  cache: false,
  // Neither changes what the shell does, and both take most of the build's time.
  optimization: { ...config.optimization, minimize: false },
  plugins: config.plugins?.filter((plugin) => plugin?.constructor.name !== 'CompressionPlugin'),
  module: {
    rules: [
      ...(config.module?.rules ?? []),
      {
        test: /[\\/]contracts[\\/]src[\\/]/,
        enforce: 'pre',
        loader: join(import.meta.dirname, 'next-contract-loader.ts'),
      },
    ],
  },
});
compiler.run((error, stats) => {
  if (error || stats?.hasErrors()) {
    console.error(error ?? stats?.toString('errors-only'));
    process.exitCode = 1;
  }
});
