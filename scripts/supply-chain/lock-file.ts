import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../stack/settings.ts';

/** A package in the lock file. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression stated by its author. */
  readonly license: string | undefined;
  readonly integrity: string | undefined;
  /** Where it was downloaded from; omitted by `.npmrc`, so that every machine uses its own registry. */
  readonly resolved: string | undefined;
  /** Only needed for development and tests. */
  readonly dev: boolean;
  /** May be missing, because it is for other platforms. */
  readonly optional: boolean;
}

/** Every third-party package in the lock file, sorted by name and version. */
export function lockedPackages(): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Partial<LockedPackage> & { readonly link?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { name, version = '', license, integrity, resolved, dev = false, optional = false }]) => ({
      name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license,
      integrity,
      resolved,
      dev,
      optional,
    }))
    .toSorted((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}
