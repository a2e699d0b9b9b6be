import type { RegisteredRemote } from '@clinic/contracts';

/** Why a remote's page can't be shown. */
export type RemoteTrouble =
  /** Its files didn't arrive, or failed while starting. */
  | 'away'
  /** It was built for another contract version. */
  | 'incompatible'
  /** It was deployed again since this page was opened, and the earlier files are gone. */
  | 'outdated';

/** The remote that an error concerns. */
export type Concerned = Pick<RegisteredRemote, 'name' | 'title'> & Partial<Pick<RegisteredRemote, 'version'>>;

/** A remote that can't be used now; its pages show a panel, everything else continues. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly trouble: RemoteTrouble;
  readonly remote: Concerned;

  constructor(remote: Concerned, trouble: RemoteTrouble, cause?: unknown) {
    super(`${remote.name} is ${trouble}`, { cause });
    this.trouble = trouble;
    this.remote = remote;
  }

  /** The remote's name for people. */
  get title(): string {
    return this.remote.title;
  }
}

/** A remote uses something that this older shell lacks. */
export class MissingExport extends Error {
  override readonly name = 'MissingExport';
}

/** Whether a file of a build couldn't be loaded: its server is unavailable, or a newer build has replaced it. */
export function isMissingFile(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'ChunkLoadError' || ('code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED'))
  );
}

/** Milliseconds before files are requested again: loading fails with the first file, and the others need a moment to fail too. */
const pauseMs = 300;

/** Loads something, and once more if a file of it didn't arrive. */
export async function loadTwice<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  return load();
}
