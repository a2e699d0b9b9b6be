import type { RegisteredRemote } from '@clinic/contracts';

/** Why a remote's page can't be shown. */
export type RemoteTrouble =
  /** Its files did not arrive, or failed while they started. */
  | 'away'
  /** It was built for another version of the agreement with the shell. */
  | 'incompatible'
  /** It was deployed anew since this page was opened, and the files of before are gone. */
  | 'outdated';

/** What an error says of the remote it is about. */
export type Concerned = Pick<RegisteredRemote, 'name' | 'title'> & Partial<Pick<RegisteredRemote, 'version'>>;

/** A remote that is of no use at the moment; its pages show a panel instead, everything else goes on. */
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

/** A remote wants something of the shell that this shell, which is older, doesn't have. */
export class MissingExport extends Error {
  override readonly name = 'MissingExport';
}

/** Whether a file of a build could not be had: its server is away, or a newer build has taken its place. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ChunkLoadError' || ('code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED'));
}
