import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SharedLookups } from './shared-lookups.ts';

/** A lookup that ends when it is told to, with what was true when it began. */
function controlled() {
  const state = { value: 'old', lookups: 0 };
  const ends: (() => void)[] = [];
  const lookups = new SharedLookups((_key: string) => {
    const { value } = state;
    state.lookups += 1;
    return new Promise<string>((resolve) => ends.push(() => resolve(value)));
  });
  return { state, lookups, end: () => ends.shift()?.() };
}

describe('shared lookups', () => {
  it('never give the result of one that began before it was asked for', async () => {
    const { state, lookups, end } = controlled();
    const first = lookups.find('a');
    state.value = 'new';
    const second = lookups.find('a');
    end();
    assert.equal(await first, 'old');
    end();
    assert.equal(await second, 'new');
  });

  it('are made once for all who ask while another one runs', async () => {
    const { state, lookups, end } = controlled();
    const first = lookups.find('a');
    const others = [lookups.find('a'), lookups.find('a'), lookups.find('a')];
    end();
    await first;
    end();
    await Promise.all(others);
    assert.equal(state.lookups, 2);
  });

  it('go on after one that failed', async () => {
    let isDown = true;
    const lookups = new SharedLookups(async () => {
      if (isDown) throw new Error('down');
      return 'up';
    });
    const first = lookups.find('a');
    const second = lookups.find('a');
    await assert.rejects(first, /down/);
    isDown = false;
    await second.catch(() => {});
    assert.equal(await lookups.find('a'), 'up');
  });
});
