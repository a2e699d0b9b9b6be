import path from 'node:path';
import webpack, { type Configuration } from 'webpack';
import type { Development } from './development.ts';

/** The shell's configuration in development, for remotes that change while served: loads React Refresh before React. */
export function developedShell(config: Configuration, { output, remotes }: Development): Configuration {
  return {
    ...config,
    entry: {
      main: [path.join(import.meta.dirname, 'refresh-shell.ts'), './src/index.ts'],
      start: './src/start/index.ts',
    },
    output: { ...config.output, path: output },
    plugins: [...(config.plugins ?? []), new webpack.DefinePlugin({ servedRemotes: JSON.stringify(remotes) })],
  };
}
