import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SharedAnswers } from './shared-answers.ts';

function makeWorld(maxBytes: number) {
  const answers = new SharedAnswers<string>(maxBytes, ({ length }) => length);
  const made: string[] = [];
  const ask = (key: string, make: () => Promise<string> = async () => 'answer') =>
    answers.of(key, '1', () => {
      made.push(key);
      return make();
    });
  return { ask, made };
}

it('makes an answer once for all who request it, during and after', async () => {
  const { ask, made } = makeWorld(10_000);
  const slow = Promise.withResolvers<string>();
  const [one, two] = [ask('a', () => slow.promise), ask('a')];
  slow.resolve('slow');
  assert.deepEqual([await one, await two, await ask('a')], ['slow', 'slow', 'slow']);
  assert.deepEqual(made, ['a']);
});

it('keeps neither errors nor answers of no bytes', async () => {
  const { ask, made } = makeWorld(10_000);
  await assert.rejects(ask('a', () => Promise.reject(new Error('not now'))));
  await ask('b', async () => '');
  assert.equal(await ask('a'), 'answer');
  assert.equal(await ask('b'), 'answer');
  assert.deepEqual(made, ['a', 'b', 'a', 'b']);
});

it('drops the least recently requested answers, counting long keys as well', async () => {
  const { ask, made } = makeWorld(11_000);
  await ask('old');
  await ask('newer');
  await ask('old');
  await ask('k'.repeat(2300));
  await ask('old');
  await ask('l'.repeat(2300));
  await ask('old');
  assert.equal(made.length, 4, 'it stays');
  await ask('newer');
  assert.equal(made.length, 5, 'the other one went');
});

it('keeps the answer of one version, and does not share one being made for another', async () => {
  const answers = new SharedAnswers<string>(10_000, ({ length }) => length);
  const slow = Promise.withResolvers<string>();
  const old = answers.of('a', '1', () => slow.promise);
  const own = answers.of('a', '2', async () => 'two');
  slow.resolve('one');
  assert.deepEqual([await old, await own], ['one', 'two']);
  await answers.of('b', '1', async () => 'one');
  const { bytes } = answers;
  await answers.of('b', '2', async () => 'two');
  assert.equal(answers.bytes, bytes);
});
