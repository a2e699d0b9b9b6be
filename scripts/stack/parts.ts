import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './settings.ts';

const folders = readdirSync(root).toSorted();

/** The front-ends, by their folders; each is built alone, into its own `dist/`. A new domain's is found by its name. */
export const frontEnds: readonly string[] = ['shell', ...folders.filter((name) => name.startsWith('mf-') && existsSync(join(root, name, 'remote.config.ts')))];

/** The services by their names, `clinic` for `svc-clinic`; identity, which the others ask, first. */
export const services: readonly string[] = [
  'identity',
  ...folders.filter((name) => name.startsWith('svc-') && name !== 'svc-identity' && existsSync(join(root, name, 'src/main.ts'))).map((name) => name.slice('svc-'.length)),
];
