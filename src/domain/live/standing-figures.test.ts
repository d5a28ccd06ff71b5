import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LimitRoom } from './limit-room.ts';
import { nearestLimit } from './standing-figures.ts';

const limit = (trackerId: string, rest: Partial<LimitRoom>): LimitRoom => ({
  ...{ trackerId, startTimeMs: 0 as LimitRoom['startTimeMs'] },
  ...rest,
});
const nearest = (...limits: LimitRoom[]) => nearestLimit(limits)?.trackerId;

describe('the nearest limit', () => {
  it('is one that was exceeded, though the equity came back', () => {
    const back = limit('back', { used: 0.1, toFloor: 900, exceeded: 'drawdown' });
    assert.equal(nearest(limit('used', { used: 0.9, toFloor: 10 }), back), 'back');
  });

  it('is else the one of which most is used, whatever the amounts are', () => {
    const small = limit('small', { used: 0.2, toFloor: 80 });
    assert.equal(nearest(small, limit('large', { used: 0.3, toFloor: 7000 })), 'large');
  });

  it('is of unused ones the one with the least room', () => {
    const wide = limit('wide', { used: 0, toFloor: 9704 });
    const narrow = limit('narrow', { used: 0, toFloor: 1940 });
    assert.equal(nearest(wide, narrow), 'narrow');
    assert.equal(nearest(narrow, wide), 'narrow');
  });

  it('is no target of profit', () => {
    assert.equal(nearest(limit('target', { toTarget: 5 })), undefined);
  });
});
