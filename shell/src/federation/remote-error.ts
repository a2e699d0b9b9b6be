import type { RegisteredRemote } from '@clinic/contracts';

/** Why a remote's page can't be shown. */
export type RemoteTrouble =
  /** Its files did not arrive, or failed while they started. */
  | 'away'
  /** It was built for another version of the agreement with the shell. */
  | 'incompatible';

/** A remote that is of no use at the moment; its pages show a panel instead, everything else goes on. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly trouble: RemoteTrouble;
  /** The remote's name for people. */
  readonly title: string;

  constructor(remote: Pick<RegisteredRemote, 'name' | 'title'>, trouble: RemoteTrouble, cause?: unknown) {
    super(`${remote.name} is ${trouble}`, { cause });
    this.trouble = trouble;
    this.title = remote.title;
  }
}
