import { digestOf, readBuild, signatureOf, versionOf, type Build, type BuildFile } from './build-files.ts';
import { folderOf, keepRelease, keptReleases, pinNote, readReleases, servedRelease, type Release } from './releases.ts';

export interface LiveBuild {
  /** The file at a URL path. Hashed files are also found in other releases, for pages that are still open. */
  find(urlPath: string): BuildFile | undefined;
  /** Whether a build has been read yet. */
  readonly ready: boolean;
  /** Note to operators if the served release isn't the last deployed one. */
  readonly note: string | undefined;
  close(): void;
}

export interface LiveBuildOptions {
  /** Milliseconds between polls of the directory. */
  readonly pollMs?: number;
  /** Folder of releases, so that old files survive a redeployment and operators can roll back; without it, they are only in memory. */
  readonly releases?: string | undefined;
  /** Number of builds held in memory without a folder of releases, including the current one. */
  readonly held?: number;
  /**
   * @param version - the served version
   * @param note - why it isn't the last deployed one, if it isn't
   */
  readonly onRead?: (files: number, version: string, note?: string) => void;
  readonly onError?: (error: unknown) => void;
}

/**
 * Deploys a directory's build again, whatever was deployed after it: for a deployment that is called off.
 *
 * @param releases - folder of releases
 * @returns its version
 */
export async function deployAgain(releases: string, directory: string): Promise<string> {
  const build = await readBuild(directory);
  const version = versionOf(build);
  await keepRelease(releases, directory, { version, digest: digestOf(build) });
  return version;
}

/**
 * Keeps a directory's build in memory and reloads it when it changes, so that a redeploy, a pinned release or a build in
 * watch mode needs no restart. Waits for a directory that doesn't exist yet.
 */
export async function openLiveBuild(
  directory: string,
  { pollMs = 500, releases: folder, held = keptReleases, onRead, onError }: LiveBuildOptions = {},
): Promise<LiveBuild> {
  /** The served build first, then those that are only kept. */
  let builds: readonly Build[] = [];
  let signature = '';
  let candidate = '';
  /** State of the folder of releases when it was last read. */
  let lastState = '';
  let pin: string | undefined;
  const kept = new Map<string, { readonly digest: string; readonly build: Build }>();

  async function read(next: string): Promise<void> {
    const build = await readBuild(directory);
    // A file may have vanished or grown while we were reading; then this isn't a consistent build.
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

  /** Follows changes that operators and other servers make to the folder of releases. */
  async function follow(): Promise<void> {
    if (folder === undefined) return;
    const state = await readReleases(folder);
    const served = servedRelease(state);
    const next = JSON.stringify([state, served]);
    if (next === lastState || !served) return;
    const ordered = [served, ...state.releases.filter(({ version }) => version !== served.version)];
    builds = await Promise.all(ordered.map(async (release) => load(folder, release)));
    for (const version of kept.keys())
      if (!state.releases.some((release) => release.version === version)) kept.delete(version);
    lastState = next;
    pin = pinNote(state);
    onRead?.(builds[0]?.size ?? 0, served.version, pin);
  }

  async function load(from: string, release: Release): Promise<Build> {
    const known = kept.get(release.version);
    if (known?.digest === release.digest) return known.build;
    const build = await readBuild(folderOf(from, release));
    // Another server may be writing or removing it.
    if (digestOf(build) !== release.digest) throw new Error(`The files of release ${release.version} are incomplete`);
    kept.set(release.version, { digest: release.digest, build });
    return build;
  }

  async function poll(): Promise<void> {
    const next = await signatureOf(directory);
    // The same signature twice means that writing has finished. An empty directory is a build that has only been cleaned so far.
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
      // If a file vanishes between listing and reading, the next poll reads again.
      poll()
        .catch((error: unknown) => onError?.(error))
        .finally(schedule);
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
