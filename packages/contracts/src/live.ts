/**
 * The live line: one server-sent stream a browser, which the gateway merges from the change streams of all services. It
 * says which lists changed, never what is in them. Its events:
 *
 * - `live` {@link LiveStreams}: the streams that take part; first, and again when that changes
 * - `change` {@link LiveChange}: lists to load again
 * - `session`: the session has ended, expired, or has other rights. The stream ends; it opens again with a fresh
 *   session
 * - `beat`: the heartbeat, every ten seconds
 *
 * Each event's id names a position in every stream. A line that opens with it (`Last-Event-ID`, or `after` in the
 * query) misses nothing: streams repeat what has changed since, or announce that everything may have.
 */
export const livePath = '/live';

/** Milliseconds between two heartbeats. */
export const liveBeatEvery = 10_000;

/** Header of the gateway's requests for change streams that it merges; the service beats less often. */
export const liveLineHeader = 'live-line';

export interface LiveStreams {
  /** Ids of the calls. */
  readonly streams: readonly string[];
}

export interface LiveChange {
  /** Ids of the calls whose answers may now differ. */
  readonly lists: readonly string[];
}
