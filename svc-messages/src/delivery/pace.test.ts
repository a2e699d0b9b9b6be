import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Pace } from './pace.ts';

const running = new AbortController().signal;

describe('Pace', () => {
  it('starts work one after the other, in order, at its pace', async () => {
    const pace = new Pace(100);
    const began = performance.now();
    const order: number[] = [];
    await Promise.all([0, 1, 2, 3, 4].map(async (index) => order.push(await pace.turn(running).then(() => index))));
    assert.deepEqual(order, [0, 1, 2, 3, 4]);
    // Timers may fire up to a millisecond early.
    assert.ok(performance.now() - began >= 39);
  });

  it('doesn’t hold up a stopping service', { timeout: 10_000 }, async () => {
    const pace = new Pace(0.001);
    const stop = new AbortController();
    const turns = [pace.turn(stop.signal), pace.turn(stop.signal), pace.turn(stop.signal)];
    stop.abort();
    await Promise.all(turns);
  });
});
