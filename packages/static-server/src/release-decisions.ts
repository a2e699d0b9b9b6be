import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createWhole, ifPresent, readJson } from './atomic-files.ts';

/** An operator's possible decisions about a front-end's releases. */
export const decisionKinds = ['pin', 'unpin', 'rollback', 'canary', 'stop'] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** A decision of an operator. */
export interface ReleaseDecision {
  /** Number of the front-end's decision, from 1. */
  readonly id: number;
  readonly kind: DecisionKind;
  /** The release it concerns: the one served now, or the canary's. */
  readonly version?: string;
  /** Account of the admin; absent if it was the command line. */
  readonly account?: string;
  /** As an ISO instant. */
  readonly at: string;
}

/** Number of decisions whose files are kept. */
const keptDecisions = 20;

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

/** The number of the last decision; 0 if there was none. */
export async function lastDecisionId(releases: string): Promise<number> {
  return (await idsIn(releases))[0] ?? 0;
}

/** The last decision; `undefined` if there was none. */
export async function lastDecision(releases: string): Promise<ReleaseDecision | undefined> {
  const [id] = await idsIn(releases);
  return id === undefined ? undefined : readDecision(releases, id);
}

/** The decisions whose files are kept, newest first. */
export async function keptDecisionsOf(releases: string): Promise<readonly ReleaseDecision[]> {
  const decisions = await Promise.all((await idsIn(releases)).map((id) => readDecision(releases, id)));
  return decisions.filter((decision) => decision !== undefined);
}

const readDecision = (releases: string, id: number): Promise<ReleaseDecision | undefined> =>
  readJson(path.join(folderOf(releases), String(id)));

/** Adds a decision to the log. @returns whether it got its number, rather than somebody else's decision */
export async function claimDecision(releases: string, decision: ReleaseDecision): Promise<boolean> {
  const folder = folderOf(releases);
  await mkdir(folder, { recursive: true });
  if (!(await createWhole(path.join(folder, String(decision.id)), JSON.stringify(decision)))) return false;
  for (const id of await idsIn(releases))
    if (id <= decision.id - keptDecisions) await rm(path.join(folder, String(id)), { force: true });
  return true;
}

/** Removes a decision that couldn't be carried out. */
export async function withdrawDecision(releases: string, { id }: ReleaseDecision): Promise<void> {
  await rm(path.join(folderOf(releases), String(id)), { force: true });
}
