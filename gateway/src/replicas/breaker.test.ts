import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Breaker } from './breaker.ts';

/** Opened by five consecutive failures at time 0. */
function failing(): Breaker {
  const breaker = new Breaker();
  for (let i = 0; i < 5; i += 1) breaker.failed(0);
  return breaker;
}

describe('circuit breaker', () => {
  it('stays closed while failures are not consecutive', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 20; i += 1) {
      for (let failures = 0; failures < 4; failures += 1) breaker.failed(0);
      breaker.succeeded();
    }
    assert.equal(breaker.state, 'closed');
    assert.ok(breaker.allows(0));
  });

  it('opens after five failures, and allows one trial request after a second', () => {
    const breaker = failing();
    assert.equal(breaker.state, 'open');
    assert.equal(breaker.allows(999), false);
    assert.equal(breaker.waitFor(400), 600);
    assert.equal(breaker.allows(1_000), true);
    breaker.beginTrial();
    assert.equal(breaker.state, 'half-open');
    assert.equal(breaker.allows(1_001), false);
    breaker.succeeded();
    assert.equal(breaker.state, 'closed');
  });

  it('doubles the wait after each failed trial, up to 15 seconds', () => {
    const breaker = failing();
    let now = 0;
    const waits: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      waits.push(breaker.waitFor(now));
      now += breaker.waitFor(now);
      breaker.beginTrial();
      breaker.failed(now);
    }
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    breaker.beginTrial();
    breaker.succeeded();
    for (let i = 0; i < 5; i += 1) breaker.failed(now);
    assert.equal(breaker.waitFor(now), 1_000);
  });

  it('gives the trial to the next request if the client leaves', () => {
    const breaker = failing();
    breaker.beginTrial();
    breaker.abandonTrial();
    assert.ok(breaker.allows(1_000));
  });

  it('opens at once if nothing is listening, and closes when the replica responds', () => {
    const breaker = new Breaker();
    breaker.refused(0);
    assert.equal(breaker.state, 'open');
    breaker.reachable();
    assert.equal(breaker.state, 'closed');
  });

  it('stays open while requests fail, even if the health check passes', () => {
    const breaker = failing();
    breaker.reachable();
    assert.equal(breaker.state, 'open');
  });
});
