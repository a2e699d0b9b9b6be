/** Lists on screen that have to stay up to date. */
export interface Follower {
  /** Id of the call that streams their changes. */
  readonly stream: string;
  /** Loads them again. */
  readonly reload: () => void;
}

/** Everybody whose lists are on screen in this tab; the live line reads it while a stream is unavailable. */
export const followers = new Set<Follower>();
