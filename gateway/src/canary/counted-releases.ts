import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  countVital,
  noFigures,
  storeFigures,
  type ReleaseFigures,
  type Vital,
} from '@clinic/static-server/release-figures';
import { readServedShell, type ServedShell } from './served-shell.ts';

/** Most versions of a remote counted in a day. Reports can only name versions that visitors get, so there are few. */
const mostVersions = 20;

/** What visitors' pages report about each release, counted by this process and stored beside the releases. */
export class CountedReleases {
  readonly #counter = randomUUID();
  readonly #folders: ReadonlyMap<string, string>;
  readonly #counts = new Map<string, Map<string, ReleaseFigures>>();
  readonly #unstored = new Set<string>();
  readonly #shellFolder: string | undefined;
  #shell: ServedShell | undefined;
  #day = '';

  /** @param releases - folder of releases, with a subfolder for each remote; without it nothing is counted */
  constructor(releases: string | undefined, remotes: readonly string[]) {
    this.#folders = new Map(
      releases === undefined ? [] : [...remotes, 'shell'].map((name) => [name, path.join(releases, name)] as const),
    );
    this.#shellFolder = this.#folders.get('shell');
  }

  /** Follows which release of the shell is served. */
  async poll(): Promise<void> {
    if (this.#shellFolder !== undefined) this.#shell = await readServedShell(this.#shellFolder);
  }

  /** Counts a visit of a release, or an error in one. @param version - of the shell, the name of its main script */
  count(remote: string, version: string, what: 'visit' | 'error'): void {
    const figures = this.#figuresOf(remote, version);
    if (!figures) return;
    if (what === 'visit') figures.visits += 1;
    else figures.errors += 1;
  }

  /** Counts a web vital. @param value - milliseconds, or CLS */
  measure(remote: string, version: string, name: Vital, value: number): void {
    const figures = this.#figuresOf(remote, version);
    if (figures) countVital(figures, name, value);
  }

  /** Stores what has changed since the last time. */
  async store(): Promise<void> {
    const day = this.#day;
    // Remotes counted meanwhile wait for the next call.
    const unstored = [...this.#unstored];
    for (const remote of unstored) {
      const folder = this.#folders.get(remote);
      const counts = this.#counts.get(remote);
      if (folder === undefined || !counts) continue;
      // Before the write: more may be counted meanwhile.
      this.#unstored.delete(remote);
      try {
        await storeFigures(folder, this.#counter, day, Object.fromEntries(counts));
      } catch (error) {
        this.#unstored.add(remote);
        throw error;
      }
    }
  }

  /** The figures to add to; `undefined` if they aren't kept. */
  #figuresOf(remote: string, reported: string): ReleaseFigures | undefined {
    const version = remote === 'shell' ? this.#shellReleaseWith(reported) : reported;
    if (version === undefined || !this.#folders.has(remote)) return undefined;
    this.#startDay();
    let counts = this.#counts.get(remote);
    if (!counts) this.#counts.set(remote, (counts = new Map()));
    let figures = counts.get(version);
    if (!figures) {
      if (counts.size >= mostVersions) return undefined;
      counts.set(version, (figures = noFigures()));
    }
    this.#unstored.add(remote);
    return figures;
  }

  #shellReleaseWith(script: string): string | undefined {
    return this.#shell?.script === script ? this.#shell.version : undefined;
  }

  /** Each day has its own files. What was counted since the last store, a few seconds at most, goes to the new day. */
  #startDay(): void {
    const today = new Date().toISOString().slice(0, 10);
    if (today === this.#day) return;
    this.#day = today;
    for (const remote of this.#counts.keys()) if (!this.#unstored.has(remote)) this.#counts.delete(remote);
  }
}
