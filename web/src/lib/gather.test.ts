import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gather } from './gather.ts';

it('starts nothing while running, and runs once more for calls in between', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout'] });
  const answers: (() => void)[] = [];
  const refresh = gather(
    () => new Promise<void>((resolve) => answers.push(resolve)),
    () => 250,
  );
  const answer = async (): Promise<void> => {
    answers.at(-1)?.();
    await setImmediate();
  };
  refresh.call();
  refresh.call();
  test.mock.timers.tick(250);
  assert.equal(answers.length, 1, 'calls that come together are one');
  for (let event = 0; event < 10; event += 1) {
    refresh.call();
    test.mock.timers.tick(250);
  }
  assert.equal(answers.length, 1, 'an answer is under way');
  await answer();
  test.mock.timers.tick(250);
  assert.equal(answers.length, 2, 'what came meanwhile is asked for');
  await answer();
  test.mock.timers.tick(250);
  assert.equal(answers.length, 2, 'and once');
  refresh.call();
  refresh.stop();
  test.mock.timers.tick(250);
  assert.equal(answers.length, 2, 'nothing is done after the end');
});
