import { globSync } from 'node:fs';
import path from 'node:path';
import type { RemoteDefinition } from '@clinic/webpack-config/remote';

const root = path.join(import.meta.dirname, '../../..');

/** What each remote's `remote.config.ts` defines. */
export const remotes: readonly RemoteDefinition[] = await Promise.all(
  globSync('mf-*/remote.config.ts', { cwd: root }).map(
    async (file) => ((await import(path.join(root, file))) as { readonly default: RemoteDefinition }).default,
  ),
);
