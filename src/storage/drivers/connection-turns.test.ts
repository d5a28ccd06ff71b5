import assert from 'node:assert/strict';
import { stat } from 'node:fs';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable } from '../database.ts';
import { ConnectionTurns } from './connection-turns.ts';

const LONG_MS = 60_000;
const { signal: never } = new AbortController();

/** Takes turns by name, and notes the order in which they begin. */
function watched(turns: ConnectionTurns, signal = never) {
  const log: string[] = [];
  const take = async (name: string, owner?: string): Promise<() => void> => {
    const end = await turns.take(owner, signal);
    log.push(name);
    return end;
  };
  return { log, take };
}

it('gives an owner its share, and unused shares of others', async () => {
  const { log, take } = watched(new ConnectionTurns(4, 2, LONG_MS));
  const [first] = await Promise.all([take('a', 'one'), take('b', 'one')]);
  const third = take('c', 'one');
  await Promise.all([take('other', 'another'), take('nobody')]);
  assert.deepEqual(log, ['a', 'b', 'other', 'nobody']);
  first();
  await third;
  assert.equal(log.at(-1), 'c');
});

it('gives a free connection to the owner with the fewest, then to the longest waiting one', async () => {
  const { log, take } = watched(new ConnectionTurns(2, 2, LONG_MS));
  const [first, second] = await Promise.all([take('a', 'one'), take('b')]);
  const waiting = [take('c', 'one'), take('d', 'two'), take('e'), take('f', 'two')];
  second();
  (await waiting[1])?.();
  (await waiting[2])?.();
  (await waiting[3])?.();
  first();
  await Promise.all(waiting);
  assert.deepEqual(log, ['a', 'b', 'd', 'e', 'f', 'c']);
});

it('asks callers that waited too long to retry, and keeps nothing for them', async () => {
  const turns = new ConnectionTurns(1, 1, 1);
  const end = await turns.take('one', never);
  await assert.rejects(turns.take('two', never), DatabaseUnavailable);
  assert.equal(turns.waiting, 0);
  end();
  (await turns.take('three', never))();
});

it('gives a connection that became free while the process was held up', async () => {
  const turns = new ConnectionTurns(1, 1, 100);
  const end = await turns.take('one', never);
  await nextTurn();
  const waiting = turns.take('two', never);
  // Blocks the process, so that the waiting call's timer and this are due together.
  stat('.', end);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
  (await waiting)();
});

it('does not let aborted callers wait', async () => {
  const turns = new ConnectionTurns(1, 1, LONG_MS);
  const end = await turns.take(undefined, never);
  const silence = new AbortController();
  const waiting = turns.take(undefined, silence.signal);
  silence.abort(new DatabaseUnavailable('silent'));
  await assert.rejects(waiting, /silent/);
  end();
  (await turns.take(undefined, never))();
});
