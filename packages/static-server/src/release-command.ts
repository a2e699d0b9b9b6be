import path from 'node:path';
import { digestOf, readBuild, versionOf } from './build-files.ts';
import { deployAgain } from './live-build.ts';
import { addRelease, readReleases, ReleaseError } from './releases.ts';

const commands = ['list', 'add', 'redeploy'] as const;
/** Decided at svc-identity, for all gateways. */
const decisions = ['pin', 'rollback', 'unpin', 'canary', 'stop'] as const;

/** An operator's command for the builds that one front-end's server keeps. */
type ReleaseCommand = (typeof commands | typeof decisions)[number];

export function isReleaseCommand(text: string): text is ReleaseCommand {
  return [...commands, ...decisions].some((command) => command === text);
}

/**
 * Runs an operator's command. Servers that share the folder follow within a second, gateways within three.
 *
 * @param folder - folder of releases
 * @returns lines to print
 * @throws ReleaseError if it can't be done
 */
export async function runReleaseCommand(
  folder: string,
  command: ReleaseCommand,
  given: readonly string[],
): Promise<string[]> {
  const [argument, ...more] = given;
  if (command === 'list' && argument === undefined) return listReleases(folder);
  if (command === 'add' && argument !== undefined && more.length === 0)
    return [`${await addBuild(folder, path.resolve(argument))} is kept, and not served yet.`];
  if (command === 'redeploy' && argument === undefined)
    return [`${await deployAgain(folder, path.resolve(process.env['STATIC_DIR'] ?? 'dist'))} has been deployed again.`];
  if (decisions.some((decision) => decision === command))
    throw new ReleaseError(
      `What visitors get is decided at svc-identity: docker compose exec svc-identity node src/releases.ts ${[command, 'mf-NAME', ...given].join(' ')}`,
    );
  throw new ReleaseError('list | add <folder of a build> | redeploy');
}

/** @returns the version of the build */
async function addBuild(folder: string, directory: string): Promise<string> {
  const build = await readBuild(directory);
  if (build.size === 0) throw new ReleaseError(`There is no build in ${directory}`);
  const version = versionOf(build);
  await addRelease(folder, directory, { version, digest: digestOf(build) });
  return version;
}

async function listReleases(folder: string): Promise<string[]> {
  const { releases, deployed } = await readReleases(folder);
  if (releases.length === 0) return ['There are no releases yet.'];
  return releases.map(({ version, at }) =>
    `${version.padEnd(24)} ${at.slice(0, 16).replace('T', ' ')}  ${version === deployed ? 'deployed last' : ''}`.trimEnd(),
  );
}
