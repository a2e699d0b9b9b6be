import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createWhole, ifPresent, readJson } from './atomic-files.ts';

/** An operator's possible decisions about a front-end's releases. */
export const actKinds = ['pin', 'unpin', 'rollback', 'canary', 'stop'] as const;
export type ActKind = (typeof actKinds)[number];

/** A decision of an operator. */
export interface ReleaseAct {
  /** Number of the front-end's act, from 1. */
  readonly id: number;
  readonly kind: ActKind;
  /** The release it concerns: the one served now, or the canary's. */
  readonly version?: string;
  /** Account of the admin; absent if it was the command line. */
  readonly account?: string;
  /** As an ISO instant. */
  readonly at: string;
}

/** Number of acts whose files are kept. */
const keptActs = 20;

// Files that are created once and never changed, like the log of canaries: whoever creates `7` has made the seventh
// decision, and anyone who decided at the same moment finds out.
const folderOf = (releases: string): string => path.join(releases, 'acts');

async function idsIn(releases: string): Promise<number[]> {
  const names = (await ifPresent(readdir(folderOf(releases)))) ?? [];
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .toSorted((a, b) => b - a);
}

/** The number of the last act; 0 if there was none. */
export async function lastActId(releases: string): Promise<number> {
  return (await idsIn(releases))[0] ?? 0;
}

/** The last act; `undefined` if there was none. */
export async function lastAct(releases: string): Promise<ReleaseAct | undefined> {
  const [id] = await idsIn(releases);
  return id === undefined ? undefined : readAct(releases, id);
}

/** The acts whose files are kept, newest first. */
export async function keptActsOf(releases: string): Promise<readonly ReleaseAct[]> {
  const acts = await Promise.all((await idsIn(releases)).map((id) => readAct(releases, id)));
  return acts.filter((act) => act !== undefined);
}

const readAct = (releases: string, id: number): Promise<ReleaseAct | undefined> =>
  readJson(path.join(folderOf(releases), String(id)));

/** Adds an act to the log. @returns whether it got its number, rather than somebody else's act */
export async function claimAct(releases: string, act: ReleaseAct): Promise<boolean> {
  const folder = folderOf(releases);
  await mkdir(folder, { recursive: true });
  if (!(await createWhole(path.join(folder, String(act.id)), JSON.stringify(act)))) return false;
  for (const id of await idsIn(releases))
    if (id <= act.id - keptActs) await rm(path.join(folder, String(id)), { force: true });
  return true;
}

/** Removes an act that couldn't be carried out. */
export async function withdrawAct(releases: string, { id }: ReleaseAct): Promise<void> {
  await rm(path.join(folderOf(releases), String(id)), { force: true });
}
