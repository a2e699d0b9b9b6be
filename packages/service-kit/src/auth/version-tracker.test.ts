import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { VersionTracker } from './version-tracker.ts';

const silentFor = (t: TestContext, ms: number): VersionTracker => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_000_000 });
  const tracker = new VersionTracker();
  tracker.markCurrent();
  t.mock.timers.tick(ms);
  return tracker;
};

test('after 5 s of silence, requests wait for the feed, and continue when it is back', async (t) => {
  const tracker = silentFor(t, 5_001);
  assert.equal(tracker.isLive(), false);
  const waiting = [tracker.becomesLive(), tracker.becomesLive()];
  t.mock.timers.tick(1_000);
  tracker.markCurrent();
  assert.deepEqual(await Promise.all(waiting), [true, true]);
});

test('after 8 s of silence, waiting requests fail, and new ones fail at once', async (t) => {
  const tracker = silentFor(t, 5_001);
  const waiting = tracker.becomesLive();
  t.mock.timers.tick(3_000);
  assert.equal(await waiting, false);
  assert.equal(await tracker.becomesLive(), false);
});

test('requests don’t wait for a feed that was never connected', async () => {
  assert.equal(await new VersionTracker().becomesLive(), false);
});
