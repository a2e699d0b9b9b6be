/**
 * The live line: one server-sent stream per browser, which the gateway merges from the change streams of all services.
 * It names the lists that changed, never their content. Its events:
 *
 * - `live` {@link LiveStreams}: the connected streams; sent first, and again when they change
 * - `change` {@link LiveChange}: lists to load again
 * - `session`: the session has ended, expired, or has other rights. The stream ends; the browser reopens it with a
 *   fresh session
 * - `beat`: the heartbeat, every ten seconds
 *
 * Each event's id names a position in every stream. A line opened with it (`Last-Event-ID`, or `after` in the query)
 * misses nothing: streams repeat what has changed since, or announce that everything may have.
 */
export const livePath = '/live';

/** Milliseconds between two heartbeats. */
export const liveBeatEvery = 10_000;

/** Header of the gateway's requests for change streams that it merges; the service sends fewer heartbeats. */
export const liveLineHeader = 'live-line';

export interface LiveStreams {
  /** Ids of the calls. */
  readonly streams: readonly string[];
}

export interface LiveChange {
  /** Ids of the calls whose responses may have changed. */
  readonly lists: readonly string[];
  /**
   * Ids of the requests that made the changes, if the listener's own account made them all: the page that sent one has
   * loaded the lists again already. Services and gateways of earlier releases leave it out.
   */
  readonly by?: readonly string[] | undefined;
}
