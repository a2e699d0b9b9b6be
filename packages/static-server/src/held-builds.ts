import { digestOf, readBuild, versionOf, type Build } from './build-files.ts';
import { folderOf, keepRelease, pinNote, readReleases, servedRelease, type Release } from './releases.ts';

/**
 * Called when another build is served.
 *
 * @param version - the served version
 * @param note - why it isn't the last deployed one, if it isn't
 */
export type OnServed = (files: number, version: string, note?: string) => void;

/** The builds that a server holds. */
export interface HeldBuilds {
  /** The served build, then those only kept for pages that are still open. */
  readonly all: readonly Build[];
  /** Note to operators if the served release isn't the last deployed one. */
  readonly note: string | undefined;
  /** Adds a build that has just been deployed. */
  add(build: Build): Promise<void>;
  /** Applies what others have changed. */
  follow(): Promise<void>;
}

/** Holds the last builds in memory only. */
export class BuildsInMemory implements HeldBuilds {
  all: readonly Build[] = [];
  readonly note = undefined;
  readonly #most: number;
  readonly #onServed: OnServed | undefined;

  /** @param most - number of builds, including the served one */
  constructor(most: number, onServed: OnServed | undefined) {
    this.#most = most;
    this.#onServed = onServed;
  }

  async add(build: Build): Promise<void> {
    this.all = [build, ...this.all].slice(0, this.#most);
    this.#onServed?.(build.size, versionOf(build));
  }

  async follow(): Promise<void> {}
}

/** Holds the releases of a folder, which operators and other servers change too. */
export class BuildsInFolder implements HeldBuilds {
  all: readonly Build[] = [];
  note: string | undefined;
  readonly #folder: string;
  readonly #directory: string;
  readonly #onServed: OnServed | undefined;
  readonly #loaded = new Map<string, { readonly digest: string; readonly build: Build }>();
  /** State of the folder when it was last read. */
  #lastState = '';

  /** @param directory - where builds are deployed */
  constructor(folder: string, directory: string, onServed: OnServed | undefined) {
    this.#folder = folder;
    this.#directory = directory;
    this.#onServed = onServed;
  }

  async add(build: Build): Promise<void> {
    const release = { version: versionOf(build), digest: digestOf(build) };
    await keepRelease(this.#folder, this.#directory, release);
    this.#loaded.set(release.version, { digest: release.digest, build });
  }

  async follow(): Promise<void> {
    const state = await readReleases(this.#folder);
    const served = servedRelease(state);
    const next = JSON.stringify([state, served]);
    if (next === this.#lastState || !served) return;
    const ordered = [served, ...state.releases.filter(({ version }) => version !== served.version)];
    this.all = await Promise.all(ordered.map(async (release) => this.#load(release)));
    for (const version of this.#loaded.keys())
      if (!state.releases.some((release) => release.version === version)) this.#loaded.delete(version);
    this.#lastState = next;
    this.note = pinNote(state);
    this.#onServed?.(this.all[0]?.size ?? 0, served.version, this.note);
  }

  async #load(release: Release): Promise<Build> {
    const known = this.#loaded.get(release.version);
    if (known?.digest === release.digest) return known.build;
    const build = await readBuild(folderOf(this.#folder, release));
    // Another server may be writing or removing it.
    if (digestOf(build) !== release.digest) throw new Error(`The files of release ${release.version} are incomplete`);
    this.#loaded.set(release.version, { digest: release.digest, build });
    return build;
  }
}
