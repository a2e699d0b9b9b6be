import {
  pinNote,
  pinRelease,
  readReleases,
  ReleaseError,
  rollBack,
  servedRelease,
  unpinRelease,
  type Release,
} from './releases.ts';

const commands = ['list', 'pin', 'rollback', 'unpin'] as const;

/** An operator's command for the releases of one front-end. */
export type ReleaseCommand = (typeof commands)[number];

export function isReleaseCommand(text: string): text is ReleaseCommand {
  return (commands as readonly string[]).includes(text);
}

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
  [version, ...rest]: readonly string[],
): Promise<string[]> {
  if (rest.length > 0 || (version !== undefined) !== (command === 'pin'))
    throw new ReleaseError('list | pin <version> | rollback | unpin');
  switch (command) {
    case 'list':
      return listReleases(folder);
    case 'pin':
      return [
        `${(await pinRelease(folder, version ?? '')).version} is now served, whatever is deployed, until you run 'unpin'.`,
      ];
    case 'rollback':
      return rollBackOnce(folder);
    case 'unpin':
      return [unpinned(await unpinRelease(folder))];
    default:
      throw new ReleaseError(`'${String(command satisfies never)}' is not a command`);
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

async function listReleases(folder: string): Promise<string[]> {
  const state = await readReleases(folder);
  if (state.releases.length === 0) return ['There are no releases yet.'];
  const served = servedRelease(state);
  const pin = pinNote(state);
  const lines = state.releases.map(({ version, at }) => {
    const pinned = version === state.pinned && (state.rolledBackFrom === undefined ? 'pinned' : 'rolled back to');
    const notes = [version === served?.version && 'served', pinned, version === state.deployed && 'deployed last'];
    return `${version.padEnd(24)} ${at.slice(0, 16).replace('T', ' ')}  ${notes.filter(Boolean).join(', ')}`.trimEnd();
  });
  return pin === undefined ? lines : [...lines, `${pin.charAt(0).toUpperCase()}${pin.slice(1)}.`];
}
