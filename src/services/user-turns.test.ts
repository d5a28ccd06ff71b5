import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserTurns } from './user-turns.ts';

/** Takes turns and notes which began, in order; `end` ends a user's oldest running one. */
function takingTurns(shares: ConstructorParameters<typeof UserTurns>[0]) {
  const turns = new UserTurns(shares);
  const begun: string[] = [];
  const ends = new Map<string, (() => void)[]>();
  return {
    turns,
    begun,
    take: (user: string): void =>
      turns.take(user, (end) => {
        begun.push(user);
        ends.set(user, [...(ends.get(user) ?? []), end]);
      }),
    end: (user: string): void => ends.get(user)?.shift()?.(),
  };
}

test('a user waits beyond its share, others begin at once', () => {
  const { turns, begun, take, end } = takingTurns({ process: 4, user: 2, waiting: 10 });
  for (const user of ['a', 'a', 'a', 'b']) take(user);
  assert.deepEqual(begun, ['a', 'a', 'b']);
  assert.deepEqual([turns.running, turns.waiting], [3, 1]);
  end('b');
  assert.deepEqual(begun, ['a', 'a', 'b'], 'the place of another is not for who has its share');
  end('a');
  assert.deepEqual(begun, ['a', 'a', 'b', 'a']);
});

test('if all places are taken, users take turns', () => {
  const { begun, take, end } = takingTurns({ process: 1, user: 1, waiting: 10 });
  for (const user of ['a', 'a', 'a', 'a', 'b', 'c']) take(user);
  for (const user of ['a', 'b', 'c', 'a']) end(user);
  assert.deepEqual(begun, ['a', 'b', 'c', 'a', 'a']);
});

test('a user with too many waiting calls is refused', () => {
  const { begun, take } = takingTurns({ process: 1, user: 1, waiting: 1 });
  take('a');
  take('a');
  assert.throws(() => take('a'), { code: 'tooManyRequests' });
  take('b');
  assert.deepEqual(begun, ['a']);
});

test('a turn ends once, and users without work are forgotten', () => {
  const { turns, begun, take } = takingTurns({ process: 1, user: 1, waiting: 9 });
  let endFirst = (): void => {};
  turns.take('a', (end) => {
    endFirst = end;
  });
  take('a');
  endFirst();
  endFirst();
  assert.deepEqual(begun, ['a']);
  assert.equal(turns.running, 1);
});
