/** Name of the lock that the leading tab holds, and of the channel on which it passes on what it receives. */
export const lineName = 'clinic-live';

/** A tab, and what its browser has. */
export interface Tab {
  readonly isVisible: () => boolean;
  /** Calls back when the tab may have been shown or hidden. */
  readonly onVisibility: (changed: () => void) => void;
  /** Calls back when the page is left; the browser may keep it to come back to. */
  readonly onLeave: (left: () => void) => void;
  /** Shared by the tabs of a browser; absent on insecure pages and in older browsers. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly openChannel: () => Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;
  /** `undefined` if the browser can't. */
  readonly openSource: (url: string) => EventSource | undefined;
}

/** This tab. */
export const thisTab: Tab = {
  isVisible: () => document.visibilityState === 'visible',
  onVisibility(changed) {
    document.addEventListener('visibilitychange', changed);
    addEventListener('pageshow', changed);
  },
  onLeave: (left) => addEventListener('pagehide', left),
  // The type says that it exists.
  locks: 'BroadcastChannel' in globalThis ? (navigator as Partial<Navigator>).locks : undefined,
  openChannel: () => new BroadcastChannel(lineName),
  openSource: (url) => ('EventSource' in globalThis ? new EventSource(url) : undefined),
};
