import path from 'node:path';
import { parseArgs } from 'node:util';
import { digestOf, readBuild, versionOf } from './build-files.ts';
import type { CanaryRules } from './canary-log.ts';
import { defaults, readRules } from './canary-options.ts';
import { describeCanary, describeEnded, stopCanary } from './canary-report.ts';
import { endedCanaries, readCanary, startCanary, totalCounts } from './canary.ts';
import {
  addRelease,
  isPromoted,
  pinNote,
  pinRelease,
  readReleases,
  ReleaseError,
  rollBack,
  servedRelease,
  unpinRelease,
  type Release,
} from './releases.ts';

const commands = ['list', 'pin', 'rollback', 'unpin', 'add', 'canary', 'stop'] as const;

/** An operator's command for the releases of one front-end. */
export type ReleaseCommand = (typeof commands)[number];

export function isReleaseCommand(text: string): text is ReleaseCommand {
  return (commands as readonly string[]).includes(text);
}

const usage =
  'list | pin <version> | rollback | unpin | add <folder of a build> | canary <version> --share 5% [--errors 5%] [--visits 50] [--quiet 30m] | stop';

/** Commands with one argument; the others have none. */
const withArgument: readonly ReleaseCommand[] = ['pin', 'add', 'canary'];

/**
 * Runs an operator's command. Servers that share the folder follow within a second, the gateway within three.
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
  const { argument, rules } = argumentsOf(command, given);
  switch (command) {
    case 'list':
      return listReleases(folder);
    case 'pin':
      return [
        `${(await pinRelease(folder, argument)).version} is now served, whatever is deployed, until you run 'unpin'.`,
      ];
    case 'rollback':
      return rollBackOnce(folder);
    case 'unpin':
      return [unpinned(await unpinRelease(folder))];
    case 'add':
      return [`${await addBuild(folder, path.resolve(argument))} is kept, and not served yet.`];
    case 'canary':
      return [describeCanary(await startCanary(folder, argument, rules ?? readRules({})))];
    case 'stop':
      return [await stopCanary(folder)];
    default:
      throw new ReleaseError(`'${String(command satisfies never)}' is not a command`);
  }
}

/** @throws ReleaseError if they aren't what the command takes */
function argumentsOf(
  command: ReleaseCommand,
  given: readonly string[],
): { readonly argument: string; readonly rules: CanaryRules | undefined } {
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' as const }]));
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      options: command === 'canary' ? options : {},
      allowPositionals: true,
    });
    if (positionals.length !== (withArgument.includes(command) ? 1 : 0)) throw new ReleaseError(usage);
    return {
      argument: positionals[0] ?? '',
      rules: command === 'canary' ? readRules(values as Record<string, string>) : undefined,
    };
  } catch (error) {
    // The parser's own errors name the option.
    throw error instanceof ReleaseError ? error : new ReleaseError(`${(error as Error).message}\n${usage}`);
  }
}

function unpinned(served: Release | undefined): string {
  return served === undefined
    ? 'The next release you deploy will be served.'
    : `${served.version}, the release deployed last, is now served.`;
}

async function rollBackOnce(folder: string): Promise<string[]> {
  const { version } = await rollBack(folder);
  const { rolledBackFrom } = await readReleases(folder);
  return [
    `${version} is now served, ${rolledBackFrom === undefined ? 'whatever is deployed, ' : 'until another release is deployed, or '}until you run 'unpin'.`,
  ];
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
  const state = await readReleases(folder);
  if (state.releases.length === 0) return ['There are no releases yet.'];
  const served = servedRelease(state);
  const pin = pinNote(state);
  const lines = state.releases.map(({ version, at }) => {
    const pinned =
      version === state.pinned &&
      (state.rolledBackFrom === undefined ? 'pinned' : isPromoted(state) ? 'promoted' : 'rolled back to');
    const notes = [version === served?.version && 'served', pinned, version === state.deployed && 'deployed last'];
    return `${version.padEnd(24)} ${at.slice(0, 16).replace('T', ' ')}  ${notes.filter(Boolean).join(', ')}`.trimEnd();
  });
  const canary = await readCanary(folder);
  const [ended] = await endedCanaries(folder);
  return [
    ...lines,
    ...(pin === undefined ? [] : [`${pin.charAt(0).toUpperCase()}${pin.slice(1)}.`]),
    ...(canary ? [describeCanary(canary, await totalCounts(folder, canary))] : ended ? [describeEnded(ended)] : []),
  ];
}
