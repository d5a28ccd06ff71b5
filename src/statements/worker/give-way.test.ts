import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { restAfter } from './give-way.ts';

const milliseconds = fc.integer({ min: 0, max: 1_000_000 });

describe('a thread in the background', () => {
  it('does not rest where it worked for at least as long as it waited', () => {
    fc.assert(
      fc.property(milliseconds, milliseconds, (workedMs, waitedMs) => {
        fc.pre(waitedMs <= workedMs);
        assert.equal(restAfter(workedMs, workedMs + waitedMs), 0);
      }),
    );
  });

  it('rests for as long as it waited beyond the time that it worked', () => {
    assert.equal(restAfter(5, 5 + 5 + 7), 7);
    assert.equal(restAfter(0, 30), 30);
  });

  it('never rests for longer than 100 ms at a time', () => {
    assert.equal(restAfter(1, 10_000), 100);
  });
});
