import { digestOf, readBuild, versionOf, type Build } from './build-files.ts';
import { folderOf, keepRelease, noteUse, readReleases, type Release, type ReleaseState } from './releases.ts';

/** Called when another build has been deployed. */
export type OnServed = (files: number, version: string) => void;

/** What gateways may ask about the kept releases. */
export interface HeldReleases {
  /** The kept releases and the last deployed one, as `keptReleases` of `@clinic/service-kit` describes them. */
  readonly listing: string;
  /** A release's build, which gateways give to visitors; `undefined` if it isn't kept. */
  use(version: string): Build | undefined;
}

/** The builds that a server holds. */
export interface HeldBuilds {
  /** The deployed build, then those only kept for pages that are still open. */
  readonly all: readonly Build[];
  /** Absent if they are only in memory, or nothing has been deployed. */
  readonly releases: HeldReleases | undefined;
  /** Adds a build that has just been deployed. */
  add(build: Build): Promise<void>;
  /** Applies what others have changed. */
  follow(): Promise<void>;
}

/** Holds the last builds in memory only. */
export class BuildsInMemory implements HeldBuilds {
  all: readonly Build[] = [];
  readonly releases = undefined;
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
  releases: HeldReleases | undefined;
  readonly #folder: string;
  readonly #directory: string;
  readonly #onServed: OnServed | undefined;
  readonly #loaded = new Map<string, { readonly digest: string; readonly build: Build }>();
  /** State of the folder when it was last read. */
  #lastState = '';
  #deployed: Release | undefined;
  /** When the use of a release was last noted, in milliseconds since 1970. */
  readonly #noted = new Map<string, number>();

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
    const deployed = state.releases.find(({ version }) => version === state.deployed);
    const next = JSON.stringify(state);
    if (next === this.#lastState || !deployed) return;
    const ordered = [deployed, ...state.releases.filter((release) => release !== deployed)];
    this.all = await Promise.all(ordered.map(async (release) => this.#load(release)));
    for (const version of this.#loaded.keys())
      if (!state.releases.some((release) => release.version === version)) this.#loaded.delete(version);
    const isNew = JSON.stringify(deployed) !== JSON.stringify(this.#deployed);
    this.#deployed = deployed;
    this.#lastState = next;
    this.releases = {
      listing: this.#list(state, deployed),
      use: (version) => this.#use(version),
    };
    if (isNew) this.#onServed?.(this.all[0]?.size ?? 0, deployed.version);
  }

  #list({ releases, pinned }: ReleaseState, { version, at }: Release): string {
    const listed = releases.map((release) => ({
      version: release.version,
      at: release.at,
      main: mainScriptIn(this.#loaded.get(release.version)?.build),
    }));
    return JSON.stringify({ deployed: { version, at }, releases: listed, pinned });
  }

  #use(version: string): Build | undefined {
    const found = this.#loaded.get(version);
    const now = Date.now();
    if (found && now - (this.#noted.get(version) ?? 0) > noteEveryMs) {
      this.#noted.set(version, now);
      // If it fails, the next question notes it.
      noteUse(this.#folder, version).catch(() => this.#noted.delete(version));
    }
    return found?.build;
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

/** Milliseconds between notes that a release is in use. */
const noteEveryMs = 60_000;

/** Name of the shell's main script, which is all that a page knows about its own release. */
function mainScriptIn(build: Build | undefined): string | undefined {
  return [...(build?.keys() ?? [])].find((name) => /^\/main\.[0-9a-f]+\.js$/.test(name))?.slice(1);
}
