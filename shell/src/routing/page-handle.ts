import type { RegisteredRemote } from '@clinic/contracts';

/** What a route says about the files of its page. */
export interface PageHandle {
  readonly isHere: () => boolean;
  readonly load: () => Promise<void>;
  /**
   * The page's remote, whose files can be prefetched; not set on the shell's own pages, which would load the sign-in
   * code.
   */
  readonly remote?: RegisteredRemote;
}
