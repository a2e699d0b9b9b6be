import type { RegisteredRemote } from '@clinic/contracts';

/** What a route says about the files of its page. */
export interface PageHandle {
  readonly isHere: () => boolean;
  readonly load: () => Promise<void>;
  /** Whose page it is, so that its files can be prefetched; not set on the shell's own pages, which would bring the sign-in code. */
  readonly remote?: RegisteredRemote;
}
