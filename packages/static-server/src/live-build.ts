import { readBuild, signatureOf, type Build, type BuildFile } from './build-files.ts';

/** So many builds back, hashed files are still answered: pages that are open hold on to them. */
const keptBuilds = 5;

export interface LiveBuild {
  /** The file at a URL path, also of an earlier build when its name is hashed. */
  find(urlPath: string): BuildFile | undefined;
  /** Whether a build has been read yet. */
  readonly ready: boolean;
  close(): void;
}

export interface LiveBuildOptions {
  /** Milliseconds between looks at the directory. */
  readonly pollMs?: number;
  readonly onRead?: (files: number) => void;
  readonly onError?: (error: unknown) => void;
}

/**
 * Holds a directory's build in memory and reads it again when it has changed, so that a redeploy or a watching build
 * needs no restart. A directory that isn't there yet is waited for.
 */
export async function openLiveBuild(directory: string, { pollMs = 500, onRead, onError }: LiveBuildOptions = {}): Promise<LiveBuild> {
  let builds: Build[] = [];
  let signature = '';
  let candidate = '';

  async function read(next: string): Promise<void> {
    const build = await readBuild(directory);
    // A file may have vanished or grown while we read: what was read then isn't one build.
    if ((await signatureOf(directory)) !== next) return;
    builds = [build, ...builds].slice(0, keptBuilds);
    signature = next;
    onRead?.(build.size);
  }

  async function look(): Promise<void> {
    const next = await signatureOf(directory);
    // Two equal looks: nobody is writing. An empty directory is a build that has only been cleaned yet.
    if (next !== signature && next !== '' && next === candidate) await read(next);
    candidate = next;
  }

  candidate = await signatureOf(directory);
  if (candidate !== '') await read(candidate);

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
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
