import { Timestamp } from 'bson';

let lastTick = 0;
let lastIncrement = 0;

/** The current cluster time, which strictly increases with each call. */
export function nextClusterTime(): Timestamp {
  const tick = Math.max(lastTick, Math.floor(Date.now() / 1000));
  lastIncrement = tick === lastTick ? lastIncrement + 1 : 1;
  lastTick = tick;
  return new Timestamp({ t: tick, i: lastIncrement });
}

/** Makes later cluster times greater than this one from before a restart. */
export function advanceClusterTime({ high, low }: Timestamp): void {
  if (high < lastTick || (high === lastTick && low <= lastIncrement)) return;
  lastTick = high;
  lastIncrement = low;
}
