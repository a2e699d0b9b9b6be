// `npm run licences`: which licence each package in use has; fails when one is not on the list.
import { lockedPackages, type LockedPackage } from './lock-file.ts';

/** Licences that allow use in a program that is not given away, with what is to be kept: the notice in the package. */
const allowed = new Set([
  '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0', 'Python-2.0',
  // Files of the package itself stay under it when they are changed; nobody changes them here.
  'MPL-2.0',
  // Data and fonts: named in the package that goes with them.
  'CC-BY-4.0', 'OFL-1.1',
  'public domain',
]);

/** What packages that state none say in their licence file. */
const stated: Readonly<Record<string, string>> = { fuzzy: 'MIT', limiter: 'MIT' };

/** The licence of a package; `undefined` where nobody has said one. */
export function licenceOf({ name, license }: LockedPackage): string | undefined {
  return license ?? stated[name];
}

/** Whether one may use what is under this SPDX expression: every part joined by AND, one of those joined by OR. */
export function isAllowed(expression: string): boolean {
  const bare = expression.replaceAll(/[()]/g, '');
  return bare.split(' OR ').some((choice) => choice.split(' AND ').every((part) => allowed.has(part.trim())));
}

/** Packages whose licence isn't on the list. Those for other machines than this are not installed, and state none. */
export function notAllowed(packages: readonly LockedPackage[]): LockedPackage[] {
  return packages.filter((one) => !isAllowed(licenceOf(one) ?? (one.optional && one.integrity === undefined ? 'MIT' : 'none')));
}

if (import.meta.main) {
  const packages = lockedPackages();
  for (const one of packages) console.log(`${one.name}@${one.version}  ${licenceOf(one) ?? '–'}${one.dev ? '  (development)' : ''}`);
  const refused = notAllowed(packages);
  if (refused.length > 0) console.error(`\nNot on the list of licences: ${refused.map(({ name, license }) => `${name} (${license ?? 'none stated'})`).join(', ')}`);
  process.exitCode = refused.length > 0 ? 1 : 0;
}
