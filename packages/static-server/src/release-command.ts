import path from 'node:path';
import { parseArgs } from 'node:util';
import { digestOf, readBuild, versionOf } from './build-files.ts';
import type { CanaryRules } from './canary-log.ts';
import { defaults, readRules } from './canary-options.ts';
import { describeDecision, describeCanary, describeEnded, describeFigures } from './canary-report.ts';
import { totalCounts } from './canary.ts';
import { changeReleases, readDeployment, type ReleaseChange } from './change-releases.ts';
import {
  addRelease,
  isPromoted,
  pinNote,
  ReleaseError,
  servedRelease,
  type Release,
  type ReleaseState,
} from './releases.ts';
import { figureDays, readFigures } from './release-figures.ts';

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
  if (command === 'list') return listReleases(folder);
  if (command === 'add') return [`${await addBuild(folder, path.resolve(argument))} is kept, and not served yet.`];
  let wasPinned = false;
  await changeReleases(folder, changeOf(command, argument, rules), {
    carryOut: (_act, { state }, apply) => {
      wasPinned = state.pinned !== undefined;
      return apply();
    },
  });
  return [await describeChanged(folder, command, wasPinned)];
}

function changeOf(
  command: Exclude<ReleaseCommand, 'list' | 'add'>,
  version: string,
  rules: CanaryRules | undefined,
): ReleaseChange {
  if (command === 'pin') return { kind: command, version };
  return command === 'canary' ? { kind: command, version, rules: rules ?? readRules({}) } : { kind: command };
}

/** Describes a command's effect from the resulting state. */
async function describeChanged(folder: string, command: ReleaseChange['kind'], wasPinned: boolean): Promise<string> {
  const { state, canary, lastCanary } = await readDeployment(folder);
  const version = servedRelease(state)?.version ?? '';
  switch (command) {
    case 'pin':
      return `${version} is now served, whatever is deployed, until you run 'unpin'.`;
    case 'rollback':
      return `${version} is now served, ${state.rolledBackFrom === undefined ? 'whatever is deployed, ' : 'until another release is deployed, or '}until you run 'unpin'.`;
    case 'unpin':
      return unpinned(servedRelease(state), wasPinned);
    case 'canary':
      return canary ? describeCanary(canary) : 'The canary has ended already.';
    case 'stop':
    default:
      return `Nobody gets ${lastCanary?.version ?? 'it'} any more; open pages keep what they have loaded.`;
  }
}

/** @throws ReleaseError if they don't fit the command */
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
    // The parser's own errors name the option in their first sentence.
    const [named] = (error as Error).message.split('. ', 1);
    throw error instanceof ReleaseError ? error : new ReleaseError(`${named}\n${usage}`);
  }
}

function unpinned(served: Release | undefined, wasPinned: boolean): string {
  const effect =
    served === undefined
      ? 'The next release you deploy will be served.'
      : `${served.version}, the release deployed last, is ${wasPinned ? 'now ' : ''}served.`;
  return wasPinned ? effect : `Nothing was pinned. ${effect}`;
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
  const { state, canary, lastCanary, lastDecision } = await readDeployment(folder);
  if (state.releases.length === 0) return ['There are no releases yet.'];
  const pin = pinNote(state);
  return [
    ...state.releases.map((release) => lineOf(release, state)),
    ...(pin === undefined ? [] : [`${pin.charAt(0).toUpperCase()}${pin.slice(1)}.`]),
    ...(lastDecision ? [describeDecision(lastDecision)] : []),
    ...(await listFigures(folder, state)),
    ...(canary
      ? [describeCanary(canary, await totalCounts(folder, canary))]
      : lastCanary
        ? [describeEnded(lastCanary)]
        : []),
  ];
}

function lineOf({ version, at }: Release, state: ReleaseState): string {
  const pinned =
    version === state.pinned &&
    (state.rolledBackFrom === undefined ? 'pinned' : isPromoted(state) ? 'promoted' : 'rolled back to');
  const notes = [
    version === servedRelease(state)?.version && 'served',
    pinned,
    version === state.deployed && 'deployed last',
  ];
  return `${version.padEnd(24)} ${at.slice(0, 16).replace('T', ' ')}  ${notes.filter(Boolean).join(', ')}`.trimEnd();
}

async function listFigures(folder: string, { releases }: ReleaseState): Promise<string[]> {
  const figures = await readFigures(folder);
  const lines = releases.flatMap(({ version }) => {
    const of = figures[version];
    return of ? [`${version.padEnd(24)} ${describeFigures(of)}`] : [];
  });
  return lines.length === 0 ? [] : [`Reported by visitors' pages in the last ${figureDays} days:`, ...lines];
}
