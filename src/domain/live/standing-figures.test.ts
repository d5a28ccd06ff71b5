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
  it('is an exceeded one, even if the equity came back', () => {
    const back = limit('back', { used: 0.1, toFloor: 900, exceeded: 'drawdown' });
    assert.equal(nearest(limit('used', { used: 0.9, toFloor: 10 }), back), 'back');
  });

  it('is otherwise the most used one, whatever the amounts', () => {
    const small = limit('small', { used: 0.2, toFloor: 80 });
    assert.equal(nearest(small, limit('large', { used: 0.3, toFloor: 7000 })), 'large');
  });

  it('is the one with the least room if none is used', () => {
    const wide = limit('wide', { used: 0, toFloor: 9704 });
    const narrow = limit('narrow', { used: 0, toFloor: 1940 });
    assert.equal(nearest(wide, narrow), 'narrow');
    assert.equal(nearest(narrow, wide), 'narrow');
  });

  it('is never a profit target', () => {
    assert.equal(nearest(limit('target', { toTarget: 5 })), undefined);
  });
});
