// The version and the changelog's section of a release.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../log.ts';

const unreleased = '## [Unreleased]';
const numbers = /^(\d+)\.(\d+)\.(\d+)$/;

/** Whether a version comes after another. @throws UserError if one isn't three numbers, such as 0.2.0 */
export function isLater(version: string, than: string): boolean {
  const [now, before] = [version, than].map((text) => {
    const parts = numbers.exec(text);
    if (!parts) throw new UserError(`'${text}' is not a version: it must be three numbers, such as 0.2.0.`);
    return parts.slice(1).map(Number);
  });
  const differs = [0, 1, 2].find((place) => now?.[place] !== before?.[place]);
  return differs !== undefined && Number(now?.[differs]) > Number(before?.[differs]);
}

/**
 * Gives the unreleased entries their version, and starts an empty section.
 *
 * @param date - `yyyy-mm-dd`
 * @throws UserError if there is nothing unreleased, or this version has a section already
 */
export function withSection(changelog: string, version: string, date: string): string {
  const from = changelog.indexOf(`${unreleased}\n`);
  if (from < 0) throw new UserError(`CHANGELOG.md has no section ${unreleased}.`);
  if (changelog.includes(`\n## [${version}]`)) throw new UserError(`CHANGELOG.md has a section ${version} already.`);
  const start = from + unreleased.length;
  const end = changelog.indexOf('\n## [', start);
  const entries = changelog.slice(start, end < 0 ? undefined : end);
  if (!/^- /m.test(entries))
    throw new UserError('CHANGELOG.md has nothing under Unreleased: there is nothing to release.');
  return `${changelog.slice(0, start)}\n\n## [${version}] – ${date}${changelog.slice(start)}`;
}

/** The section of a version without its heading. @returns `undefined` if there is none */
export function sectionOf(changelog: string, version: string): string | undefined {
  const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\].*$`, 'm').exec(changelog);
  if (!heading) return undefined;
  const rest = changelog.slice(heading.index + heading[0].length);
  const end = rest.indexOf('\n## [');
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

/**
 * Writes the version into the repository's package.json, its lock file and the changelog. The parts keep versions of
 * their own, as each is also deployed alone.
 *
 * @throws UserError as {@link isLater} and {@link withSection}, and if the version isn't later than the current one;
 * then nothing is written
 */
export function writeVersion(folder: string, version: string, date: string): void {
  const at = (file: string): string => join(folder, file);
  const read = (file: string): string => readFileSync(at(file), 'utf8');
  const manifest = JSON.parse(read('package.json')) as { version: string };
  const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: { '': { version: string } } };
  if (!isLater(version, manifest.version))
    throw new UserError(`${version} does not come after ${manifest.version}, which is the current version.`);
  const changelog = withSection(read('CHANGELOG.md'), version, date);
  manifest.version = version;
  lock.version = version;
  lock.packages[''].version = version;
  writeFileSync(at('package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(at('package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
  writeFileSync(at('CHANGELOG.md'), changelog);
}
