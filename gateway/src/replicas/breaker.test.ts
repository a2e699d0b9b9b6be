import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Breaker } from './breaker.ts';

/** Opened by five failures one after the other, at the time 0. */
function failing(): Breaker {
  const breaker = new Breaker();
  for (let i = 0; i < 5; i += 1) breaker.failed(0);
  return breaker;
}

describe('circuit breaker', () => {
  it('stays closed while failures are not one after the other', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 20; i += 1) {
      for (let failures = 0; failures < 4; failures += 1) breaker.failed(0);
      breaker.succeeded();
    }
    assert.equal(breaker.state, 'closed');
    assert.ok(breaker.allows(0));
  });

  it('opens after five failures, and lets one request try after a second', () => {
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

  it('waits twice as long after each trial that fails, up to a quarter of a minute', () => {
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

  it('gives the trial to the next one when its client has gone', () => {
    const breaker = failing();
    breaker.beginTrial();
    breaker.abandonTrial();
    assert.ok(breaker.allows(1_000));
  });

  it('opens at once where nobody listens, and closes when somebody is heard there', () => {
    const breaker = new Breaker();
    breaker.refused(0);
    assert.equal(breaker.state, 'open');
    breaker.heard();
    assert.equal(breaker.state, 'closed');
  });

  it('is not closed by a sign of life of one whose work fails', () => {
    const breaker = failing();
    breaker.heard();
    assert.equal(breaker.state, 'open');
  });
});
