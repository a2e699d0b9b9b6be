import { digestOf, readBuild, signatureOf, versionOf, type Build, type BuildFile } from './build-files.ts';
import { BuildsInFolder, BuildsInMemory, type HeldReleases, type OnServed } from './held-builds.ts';
import { pollWatched } from './poll-watched.ts';
import { keepRelease, keptReleases } from './releases.ts';

export interface LiveBuild {
  /** The file at a URL path. Hashed files are also found in other releases, for pages that are still open. */
  find(urlPath: string): BuildFile | undefined;
  /** All builds, the deployed one first. */
  readonly builds: readonly Build[];
  /** Whether a build has been read yet. */
  readonly ready: boolean;
  /** What gateways may ask about the kept releases; absent if they are only in memory. */
  readonly releases: HeldReleases | undefined;
  close(): void;
}

export interface LiveBuildOptions {
  /** Milliseconds between polls of a directory that is changing, or that the system can't watch. */
  readonly pollMs?: number;
  /** Milliseconds between polls otherwise. */
  readonly quietPollMs?: number;
  /**
   * Folder of releases, so that old files survive a redeployment and admins can roll back; without it, old files are
   * only in memory.
   */
  readonly releases?: string | undefined;
  /** Number of builds held in memory without a folder of releases, including the current one. */
  readonly held?: number;
  readonly onRead?: OnServed;
  readonly onError?: (error: unknown) => void;
}

/**
 * Deploys a directory's build again, whatever was deployed after it: to abort a deployment.
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
 * Keeps a directory's build in memory and reloads it when it changes, so that a redeploy or a build in watch
 * mode needs no restart. Waits for a directory that doesn't exist yet.
 */
export async function openLiveBuild(
  directory: string,
  { pollMs = 500, quietPollMs = 2_000, releases: folder, held = keptReleases, onRead, onError }: LiveBuildOptions = {},
): Promise<LiveBuild> {
  const builds =
    folder === undefined ? new BuildsInMemory(held, onRead) : new BuildsInFolder(folder, directory, onRead);
  let signature = '';
  let candidate = '';

  async function read(next: string): Promise<void> {
    const build = await readBuild(directory);
    // A file may have vanished or grown while we were reading; then this isn't a consistent build.
    if ((await signatureOf(directory)) !== next) return;
    await builds.add(build);
    signature = next;
  }

  async function poll(): Promise<void> {
    const next = await signatureOf(directory);
    // The same signature twice means that writing has finished. An empty directory is a build that has only been
    // cleaned so far.
    if (next !== signature && next !== '' && next === candidate) await read(next);
    candidate = next;
    await builds.follow();
  }

  candidate = await signatureOf(directory);
  if (candidate !== '') await read(candidate);
  await builds.follow();

  // If a file vanishes between listing and reading, the next poll reads again.
  const stop = pollWatched({
    folders: folder === undefined ? [directory] : [directory, folder],
    poll,
    isSettled: () => candidate === signature,
    pollMs,
    quietPollMs,
    onError,
  });
  return {
    find(urlPath) {
      const [current, ...earlier] = builds.all;
      return current?.get(urlPath) ?? earlier.map((build) => build.get(urlPath)).find((file) => file?.hashed);
    },
    get builds() {
      return builds.all;
    },
    get ready() {
      return builds.all.length > 0;
    },
    get releases() {
      return builds.releases;
    },
    close: stop,
  };
}
