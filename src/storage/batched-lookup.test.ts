import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { BatchedLookup } from './batched-lookup.ts';

/** Lookups that end on command, with the values of when they began. */
function controlled() {
  const state = { value: 'old', lookups: [] as string[][] };
  const turns = new EventTarget();
  const lookups = new BatchedLookup<string, string>(async (keys) => {
    const values = new Map(keys.map((key) => [key, `${key} ${state.value}`]));
    state.lookups.push(keys);
    turns.dispatchEvent(new Event('began'));
    await once(turns, 'end');
    return values;
  });
  const began = () => once(turns, 'began');
  return { state, lookups, began, end: () => turns.dispatchEvent(new Event('end')) };
}

describe('shared lookups', () => {
  it('never return the result of a lookup begun before the call', async () => {
    const { state, lookups, began, end } = controlled();
    const first = lookups.find('a');
    await began();
    state.value = 'new';
    const second = lookups.find('a');
    end();
    assert.equal(await first, 'a old');
    await began();
    end();
    assert.equal(await second, 'a new');
  });

  it('run once for all calls in a turn, or during another one', async () => {
    const { state, lookups, began, end } = controlled();
    const first = [lookups.find('a'), lookups.find('b'), lookups.find('a')];
    await began();
    const others = [lookups.find('b'), lookups.find('c')];
    end();
    assert.deepEqual(await Promise.all(first), ['a old', 'b old', 'a old']);
    await began();
    end();
    await Promise.all(others);
    assert.deepEqual(state.lookups, [
      ['a', 'b'],
      ['b', 'c'],
    ]);
  });

  it('report missing values', async () => {
    const lookups = new BatchedLookup(async () => new Map<string, string>());
    assert.equal(await lookups.find('a'), undefined);
  });

  it('continue after a failed one', async () => {
    let isDown = true;
    const lookups = new BatchedLookup(async () => {
      if (isDown) throw new Error('down');
      return new Map([['a', 'up']]);
    });
    await assert.rejects(lookups.find('a'), /down/);
    isDown = false;
    assert.equal(await lookups.find('a'), 'up');
  });
});
