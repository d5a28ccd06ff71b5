import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestTime } from '../../test/servers/test-time.ts';
import { Membership } from './membership.ts';

const PATIENCE_MS = 5000;
const BEAT_MS = 1000;
const LIVING = { isLeaving: false, mark: null };

describe('a process that looks at the others', () => {
  const time = new TestTime();
  const membership = new Membership(time, PATIENCE_MS);
  const look = (beats: Record<string, number>) =>
    membership.look(Object.entries(beats).map(([id, beat]) => ({ id, beat, ...LIVING })));

  it('knows that one lives when its beat has moved, not when it is seen first', async () => {
    const first = look({ own: 1, other: 1 });
    assert.deepEqual([first.sharing, [...first.beating]], [['own', 'other'], []]);
    await time.pass(BEAT_MS);
    assert.deepEqual([...look({ own: 2, other: 2 }).beating], ['own', 'other']);
  });

  it('takes one for dead whose beat stands still, and for living for a while when it was itself away', async () => {
    for (let beat = 3; beat <= 7; beat += 1) {
      await time.pass(BEAT_MS);
      look({ own: beat, other: 2 });
    }
    assert.deepEqual(look({ own: 7, other: 2 }).sharing, ['own']);
    await time.pass(2 * PATIENCE_MS);
    const after = look({ own: 8, other: 2 });
    // It may have been on its way, so nothing of it is taken; but nothing is given to it either.
    assert.deepEqual([after.sharing, [...after.beating]], [['own', 'other'], ['own']]);
    await time.pass(BEAT_MS);
    assert.deepEqual([...look({ own: 9, other: 3 }).beating], ['own', 'other']);
  });

  it('waits for none of its machine that has ended, though it sees it for the first time', () => {
    const hasEnded = (mark: string): boolean => mark === 'of the one that was killed';
    const local = { own: 'of this one', hasEnded };
    const { living, sharing, gone } = new Membership(time, PATIENCE_MS, local).look([
      { id: 'killed', beat: 7, isLeaving: false, mark: 'of the one that was killed' },
      { id: 'paused', beat: 7, isLeaving: false, mark: 'of the one that is paused' },
      { id: 'elsewhere', beat: 7, ...LIVING },
      { id: 'own', beat: 1, isLeaving: false, mark: local.own },
    ]);
    assert.deepEqual(living, ['paused', 'elsewhere', 'own']);
    assert.deepEqual([sharing, gone], [living, ['killed']]);
  });
});
