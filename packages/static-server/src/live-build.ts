import { digestOf, readBuild, signatureOf, versionOf, type Build, type BuildFile } from './build-files.ts';
import { folderOf, keepRelease, keptReleases, pinNote, readReleases, servedRelease, type Release } from './releases.ts';

export interface LiveBuild {
  /** The file at a URL path, also of another release when its name is hashed: pages that are open hold on to them. */
  find(urlPath: string): BuildFile | undefined;
  /** Whether a build has been read yet. */
  readonly ready: boolean;
  /** What operators should know of what is served: that another release was deployed last. */
  readonly note: string | undefined;
  close(): void;
}

export interface LiveBuildOptions {
  /** Milliseconds between looks at the directory. */
  readonly pollMs?: number;
  /** Where releases are kept, so that old files outlive a redeployment and operators can go back; without it, only in memory. */
  readonly releases?: string | undefined;
  /** So many builds are held in memory where no releases are kept, the present one counted. */
  readonly held?: number;
  /**
   * @param version - of what is served
   * @param note - why that is not what was deployed last, where it is not
   */
  readonly onRead?: (files: number, version: string, note?: string) => void;
  readonly onError?: (error: unknown) => void;
}

/**
 * Deploys a directory's build once more, whatever was deployed after it: for a deployment that is called off.
 *
 * @param releases - where releases are kept
 * @returns its version
 */
export async function deployAgain(releases: string, directory: string): Promise<string> {
  const build = await readBuild(directory);
  const version = versionOf(build);
  await keepRelease(releases, directory, { version, digest: digestOf(build) });
  return version;
}

/**
 * Holds a directory's build in memory and reads it again when it has changed, so that a redeploy, a pinned release or a
 * watching build needs no restart. A directory that isn't there yet is waited for.
 */
export async function openLiveBuild(directory: string, { pollMs = 500, releases: folder, held = keptReleases, onRead, onError }: LiveBuildOptions = {}): Promise<LiveBuild> {
  /** What is served, then what is only kept. */
  let builds: readonly Build[] = [];
  let signature = '';
  let candidate = '';
  /** What the folder of releases said when it was last read. */
  let noted = '';
  let pin: string | undefined;
  const kept = new Map<string, { readonly digest: string; readonly build: Build }>();

  async function read(next: string): Promise<void> {
    const build = await readBuild(directory);
    // A file may have vanished or grown while we read: what was read then isn't one build.
    if ((await signatureOf(directory)) !== next) return;
    if (folder === undefined) {
      builds = [build, ...builds].slice(0, held);
      onRead?.(build.size, versionOf(build));
    } else {
      const release = { version: versionOf(build), digest: digestOf(build) };
      await keepRelease(folder, directory, release);
      kept.set(release.version, { digest: release.digest, build });
    }
    signature = next;
  }

  /** Follows what operators and other servers do to the folder of releases. */
  async function follow(): Promise<void> {
    if (folder === undefined) return;
    const state = await readReleases(folder);
    const served = servedRelease(state);
    const next = JSON.stringify([state, served]);
    if (next === noted || !served) return;
    const ordered = [served, ...state.releases.filter(({ version }) => version !== served.version)];
    builds = await Promise.all(ordered.map(async (release) => load(folder, release)));
    for (const version of kept.keys()) if (!state.releases.some((release) => release.version === version)) kept.delete(version);
    noted = next;
    pin = pinNote(state);
    onRead?.(builds[0]?.size ?? 0, served.version, pin);
  }

  async function load(from: string, release: Release): Promise<Build> {
    const known = kept.get(release.version);
    if (known?.digest === release.digest) return known.build;
    const build = await readBuild(folderOf(from, release));
    // Another server may be writing or removing it.
    if (digestOf(build) !== release.digest) throw new Error(`The files of release ${release.version} are not whole`);
    kept.set(release.version, { digest: release.digest, build });
    return build;
  }

  async function look(): Promise<void> {
    const next = await signatureOf(directory);
    // Two equal looks: nobody is writing. An empty directory is a build that has only been cleaned yet.
    if (next !== signature && next !== '' && next === candidate) await read(next);
    candidate = next;
    await follow();
  }

  candidate = await signatureOf(directory);
  if (candidate !== '') await read(candidate);
  await follow();

  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    if (closed) return;
    timer = setTimeout(() => {
      // A file that vanishes between listing and reading is looked for again at the next look.
      look().catch((error: unknown) => onError?.(error)).finally(schedule);
    }, pollMs);
    timer.unref();
  };
  schedule();

  return {
    find(urlPath) {
      const [current, ...earlier] = builds;
      return current?.get(urlPath) ?? earlier.map((build) => build.get(urlPath)).find((file) => file?.hashed);
    },
    get ready() {
      return builds.length > 0;
    },
    get note() {
      return pin;
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
