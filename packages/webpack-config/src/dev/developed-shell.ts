import path from 'node:path';
import webpack, { type Configuration } from 'webpack';
import type { Development } from './development.ts';

/** The shell's configuration for remotes that are served while they change: React Refresh is there before React. */
export function developedShell(config: Configuration, { output, remotes }: Development): Configuration {
  return {
    ...config,
    entry: { main: [path.join(import.meta.dirname, 'refresh-shell.ts'), './src/index.ts'] },
    output: { ...config.output, path: output },
    plugins: [...(config.plugins ?? []), new webpack.DefinePlugin({ servedRemotes: JSON.stringify(remotes) })],
  };
}
