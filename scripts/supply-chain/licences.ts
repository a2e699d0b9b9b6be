// `npm run licences`: lists the licence of each package in use; fails if one is not on the list.
import satisfies from 'spdx-satisfies';
import { lockedPackages, type LockedPackage } from './lock-file.ts';

/** Licences that allow use in a program that isn't distributed. The notice in the package must be kept. */
const allowed = [
  '0BSD',
  'Unlicense',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Zlib',
  // Changed files of such a package stay under its licence; we change none.
  'MPL-2.0',
  // Data and fonts: attributed in their package.
  'CC-BY-3.0',
  'CC-BY-4.0',
  'OFL-1.1',
  'LicenseRef-public-domain',
];

/** Licences of packages that state none in their package.json, or not as an SPDX expression. */
const stated: Readonly<Record<string, string>> = {
  'deep-freeze': 'LicenseRef-public-domain',
  fuzzy: 'MIT',
  limiter: 'MIT',
};

/** The licence of a package; `undefined` if it states none. */
export function licenceOf({ name, license }: LockedPackage): string | undefined {
  return stated[name] ?? license;
}

/** Whether an SPDX expression is allowed: all parts of an AND, one part of an OR. */
export function isAllowed(expression: string): boolean {
  try {
    return satisfies(expression, allowed);
  } catch {
    // Not an SPDX expression, such as UNLICENSED.
    return false;
  }
}

/** Packages whose licence isn't on the list. Packages for other platforms aren't installed and state none. */
export function notAllowed(packages: readonly LockedPackage[]): LockedPackage[] {
  return packages.filter(
    (one) => !isAllowed(licenceOf(one) ?? (one.optional && one.integrity === undefined ? 'MIT' : 'none')),
  );
}

if (import.meta.main) {
  const packages = lockedPackages();
  for (const one of packages)
    console.log(`${one.name}@${one.version}  ${licenceOf(one) ?? '–'}${one.dev ? '  (development)' : ''}`);
  const rejected = notAllowed(packages);
  if (rejected.length > 0)
    console.error(
      `\nLicences not on the allowed list: ${rejected.map(({ name, license }) => `${name} (${license ?? 'none stated'})`).join(', ')}`,
    );
  process.exitCode = rejected.length > 0 ? 1 : 0;
}
