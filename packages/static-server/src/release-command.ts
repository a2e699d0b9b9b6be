import { pinRelease, readReleases, ReleaseError, rollBack, servedRelease, unpinRelease } from './releases.ts';

const commands = ['list', 'pin', 'rollback', 'unpin'] as const;

/** What an operator can do with the releases of one front-end. */
export type ReleaseCommand = (typeof commands)[number];

export function isReleaseCommand(text: string): text is ReleaseCommand {
  return (commands as readonly string[]).includes(text);
}

/**
 * Does what an operator asks for; servers of the folder follow within a second, the gateway within three.
 *
 * @param folder - with the releases
 * @returns lines to be shown
 * @throws ReleaseError when it can't be done
 */
export async function runReleaseCommand(folder: string, command: ReleaseCommand, [version, ...rest]: readonly string[]): Promise<string[]> {
  if (rest.length > 0 || (version !== undefined) !== (command === 'pin')) throw new ReleaseError('list | pin <version> | rollback | unpin');
  switch (command) {
    case 'list':
      return listReleases(folder);
    case 'pin':
      return [`${(await pinRelease(folder, version ?? '')).version} is served from now on, whatever is deployed, until 'unpin'.`];
    case 'rollback':
      return [`${(await rollBack(folder)).version} is served from now on, whatever is deployed, until 'unpin'.`];
    case 'unpin':
      return [`${(await unpinRelease(folder))?.version ?? 'What is deployed next'} is served from now on: what was deployed last.`];
    default:
      throw new ReleaseError(`'${String(command satisfies never)}' is not understood`);
  }
}

async function listReleases(folder: string): Promise<string[]> {
  const state = await readReleases(folder);
  if (state.releases.length === 0) return ['No release yet.'];
  const served = servedRelease(state);
  return state.releases.map(({ version, at }) => {
    const notes = [version === served?.version && 'served', version === state.pinned && 'pinned', version === state.deployed && 'deployed last'];
    return `${version.padEnd(24)} ${at.slice(0, 16).replace('T', ' ')}  ${notes.filter(Boolean).join(', ')}`.trimEnd();
  });
}
