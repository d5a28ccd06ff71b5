import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestTime } from '../../test/servers/test-time.ts';
import { Rounds } from './rounds.ts';

const fail = (error: unknown): void => assert.fail(String(error));

/** Rounds that end on command. */
function held(): { rounds: Rounds; begun: () => number; end: () => Promise<void> } {
  const under: (() => void)[] = [];
  let begun = 0;
  const rounds = new Rounds(() => {
    begun += 1;
    return new Promise((resolve) => under.push(resolve));
  }, fail);
  const end = async (): Promise<void> => {
    assert.equal(under.length, 1, 'one round at a time');
    under.pop()?.();
    for (let turn = 0; turn < 5; turn += 1) await null;
  };
  return { rounds, begun: () => begun, end };
}

describe('rounds', () => {
  it('include every request made at any moment, even as they find none left', async () => {
    for (let turns = 0; turns < 10; turns += 1) {
      const asked = new Set(['first']);
      const rounds = new Rounds(async () => asked.clear(), fail);
      rounds.wake();
      for (let turn = 0; turn < turns; turn += 1) await null;
      asked.add('second');
      rounds.wake();
      await rounds.settle();
      assert.equal(asked.size, 0, `asked for ${turns} turns later`);
    }
  });

  it('run one at a time, with one more for all requests made during one', async () => {
    const { rounds, begun, end } = held();
    for (let asked = 0; asked < 4; asked += 1) rounds.wake();
    assert.equal(begun(), 1);
    await end();
    assert.equal(begun(), 2);
    await end();
    assert.equal(begun(), 2);
  });

  it('continue after one that failed, which is reported', async () => {
    const told: unknown[] = [];
    let left = 1;
    const rounds = new Rounds(
      async () => {
        if (left-- > 0) throw new Error('not yet');
      },
      (error) => told.push(error),
    );
    rounds.wake();
    await rounds.settle();
    rounds.wake();
    await rounds.settle();
    assert.deepEqual(told.map(String), ['Error: not yet']);
    assert.equal(left, -1);
  });

  it('run periodically, and end with the current one when stopped', async () => {
    const time = new TestTime();
    const { rounds, begun, end } = held();
    rounds.patrol(time, 1000);
    await time.pass(999);
    assert.equal(begun(), 0);
    await time.pass(1);
    assert.equal(begun(), 1);
    let isStopped = false;
    const stopped = rounds.stop().then(() => {
      isStopped = true;
    });
    rounds.wake();
    await time.pass(5000);
    assert.equal(isStopped, false);
    await end();
    await stopped;
    assert.equal(begun(), 1);
  });
});
