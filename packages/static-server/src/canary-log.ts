import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createWhole, ifPresent, readJson } from './atomic-files.ts';

/**
 * Rules by which a canary ends automatically. They are stored with it, so that all gateways decide by the same rules.
 */
export interface CanaryRules {
  /** Share of visitors who get it, 0 to 1. */
  readonly share: number;
  /** Error rate of its visits at which it is rolled back, 0 to 1. */
  readonly errorRate: number;
  /** Visits before it may be rolled back or promoted. */
  readonly minVisits: number;
  /** Minutes without an error after which it is promoted. */
  readonly quietMinutes: number;
}

/** A release of a front-end for a share of the visitors. */
export interface Canary extends CanaryRules {
  /** Number of the front-end's canary, from 1. */
  readonly id: number;
  readonly version: string;
  /** When it was started, as an ISO instant. */
  readonly since: string;
}

/** Visits of a canary, and how many of them had an error. */
export interface CanaryCounts {
  readonly visits: number;
  readonly errors: number;
}

export interface CanaryEnd extends CanaryCounts {
  readonly outcome: 'promoted' | 'rolled back' | 'stopped';
  /** As an ISO instant. */
  readonly at: string;
}

/** Canaries whose files are kept. */
const keptCanaries = 10;

// A log of small files that are created once and never changed: `3-started`, `3-ended`. Whichever process creates a
// file has decided: no other can start a second canary or end this one differently, and there is no lock to be left
// behind.

/** Folder with the state of canaries, in a folder of releases. */
export const canaryFolder = (releases: string): string => path.join(releases, 'canary');

/** Numbers of the canaries in the log, newest first. */
async function idsIn(folder: string): Promise<number[]> {
  const names = (await ifPresent(readdir(folder))) ?? [];
  return names
    .flatMap((name) => /^(\d+)-started$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => b - a);
}

/** The running canary of a front-end. @param releases - folder of releases */
export async function readCanary(releases: string): Promise<Canary | undefined> {
  const folder = canaryFolder(releases);
  const [id] = await idsIn(folder);
  if (id === undefined || (await readEnd(folder, id))) return undefined;
  return readStart(folder, id);
}

/** The canaries that have ended, newest first. @param releases - folder of releases */
export async function endedCanaries(releases: string): Promise<readonly (Canary & CanaryEnd)[]> {
  const folder = canaryFolder(releases);
  const read = (await idsIn(folder)).map(async (id) => {
    const started = await readStart(folder, id);
    const end = await readEnd(folder, id);
    return started && end ? [{ ...started, ...end }] : [];
  });
  return (await Promise.all(read)).flat();
}

const readStart = (folder: string, id: number): Promise<Canary | undefined> =>
  readJson(path.join(folder, `${id}-started`));
const readEnd = (folder: string, id: number): Promise<CanaryEnd | undefined> =>
  readJson(path.join(folder, `${id}-ended`));

/**
 * Adds the start of a canary to the log.
 *
 * @returns the canary; `undefined` if another one is running, or was started at the same moment
 */
export async function logStart(releases: string, canary: Omit<Canary, 'id' | 'since'>): Promise<Canary | undefined> {
  const folder = canaryFolder(releases);
  await mkdir(folder, { recursive: true });
  const [last = 0] = await idsIn(folder);
  if (last > 0 && !(await readEnd(folder, last))) return undefined;
  const started: Canary = { ...canary, id: last + 1, since: new Date().toISOString() };
  if (!(await createWhole(path.join(folder, `${started.id}-started`), JSON.stringify(started)))) return undefined;
  await removeOldest(folder, started.id);
  return started;
}

/** Adds the end of a canary to the log. @returns whether this call ended it */
export async function logEnd(releases: string, { id }: Canary, end: Omit<CanaryEnd, 'at'>): Promise<boolean> {
  const ended: CanaryEnd = { ...end, at: new Date().toISOString() };
  return createWhole(path.join(canaryFolder(releases), `${id}-ended`), JSON.stringify(ended));
}

/** Removes the oldest canaries, and the counts of ended ones. */
async function removeOldest(folder: string, current: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const id = Number.parseInt(name, 10);
    if (id <= current - keptCanaries || (id < current && name.includes('-counts-')))
      await rm(path.join(folder, name), { force: true });
  }
}
