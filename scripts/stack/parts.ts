import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './settings.ts';

const folders = readdirSync(root).toSorted();

/** Folders of the front-ends; each is built separately, into its own `dist/`. New domains are found by name. */
export const frontEnds: readonly string[] = [
  'shell',
  ...folders.filter((name) => name.startsWith('mf-') && existsSync(join(root, name, 'remote.config.ts'))),
];

/** Names of the services, e.g. `clinic` for `svc-clinic`; identity comes first, because the others depend on it. */
export const services: readonly string[] = [
  'identity',
  ...folders
    .filter((name) => name.startsWith('svc-') && name !== 'svc-identity' && existsSync(join(root, name, 'src/main.ts')))
    .map((name) => name.slice('svc-'.length)),
];
