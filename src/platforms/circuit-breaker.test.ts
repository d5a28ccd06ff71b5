import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CircuitBreaker } from './circuit-breaker.ts';

function breakerAt(): { breaker: CircuitBreaker; clock: { nowMs: number } } {
  const clock = { nowMs: 1_000_000 };
  return { breaker: new CircuitBreaker(() => clock.nowMs), clock };
}

function failTimes(breaker: CircuitBreaker, times: number): void {
  for (let time = 0; time < times; time += 1) breaker.failed();
}

test('single failures between successes do not open it', () => {
  const { breaker } = breakerAt();
  for (let round = 0; round < 10; round += 1) {
    failTimes(breaker, 4);
    assert.equal(breaker.enter(), 0);
    breaker.succeeded();
  }
});

test('after five failures in a row no call passes until the pause is over', () => {
  const { breaker, clock } = breakerAt();
  failTimes(breaker, 5);
  assert.equal(breaker.enter(), 1000);
  clock.nowMs += 999;
  assert.equal(breaker.enter(), 1);
  clock.nowMs += 1;
  assert.equal(breaker.enter(), 0);
});

test('one call is tried for all, and its success lets all pass', () => {
  const { breaker, clock } = breakerAt();
  failTimes(breaker, 5);
  clock.nowMs += 1000;
  assert.equal(breaker.enter(), 0);
  assert.ok(breaker.enter() > 0);
  breaker.succeeded();
  assert.equal(breaker.enter(), 0);
  assert.equal(breaker.enter(), 0);
});

test('the pause doubles while the tries fail, up to a minute', () => {
  const { breaker, clock } = breakerAt();
  failTimes(breaker, 5);
  const pauses = Array.from({ length: 8 }, () => {
    const pauseMs = breaker.enter();
    clock.nowMs += pauseMs;
    breaker.enter();
    breaker.failed();
    return pauseMs;
  });
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

test('concurrent calls open it once when they fail together', () => {
  const { breaker } = breakerAt();
  failTimes(breaker, 40);
  assert.equal(breaker.enter(), 1000);
});

test('a failure that asks for a pause gets it at once, and again while tries fail', () => {
  const { breaker, clock } = breakerAt();
  breaker.failed(60_000);
  assert.equal(breaker.enter(), 60_000);
  clock.nowMs += 60_000;
  assert.equal(breaker.enter(), 0);
  breaker.failed(60_000);
  assert.equal(breaker.enter(), 60_000);
});

test('a trial without a result leaves the next caller to try', () => {
  const { breaker, clock } = breakerAt();
  failTimes(breaker, 5);
  clock.nowMs += 1000;
  assert.equal(breaker.enter(), 0);
  breaker.ended();
  assert.equal(breaker.enter(), 0);
  breaker.failed();
  assert.equal(breaker.enter(), 2000);
});
