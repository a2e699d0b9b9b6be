import { Timestamp } from 'bson';

let lastTick = 0;
let lastIncrement = 0;

/** The cluster's time now; no two calls get the same, and it only ever grows. */
export function nextClusterTime(): Timestamp {
  const tick = Math.max(lastTick, Math.floor(Date.now() / 1000));
  lastIncrement = tick === lastTick ? lastIncrement + 1 : 1;
  lastTick = tick;
  return new Timestamp({ t: tick, i: lastIncrement });
}
