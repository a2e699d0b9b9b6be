/** What a route says about the files of its page. */
export interface PageHandle {
  readonly isHere: () => boolean;
  readonly load: () => Promise<void>;
  /** Prefetched while the visitor reads. Not the shell's own pages, which would load the sign-in code. */
  readonly comesUnasked?: boolean;
}
