import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { answerBytesOf, MOST_ANSWER_BYTES } from './answer-limit.ts';
import { defineOperation, type Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { linkedPageOf, PAGE_BYTES } from './primitives.ts';

const answering = (schema: Type.TSchema): Operation =>
  defineOperation({
    ...{ operationId: 'x', method: 'GET', path: '/x', base: 'system', scope: 'read' },
    ...{ summary: '', description: '', response: { 200: schema } },
  });

test('an answer is as long as its schema allows: four bytes per character, one for an id', () => {
  const text = Type.String({ maxLength: 10 });
  assert.equal(answerBytesOf(answering(text)), 42);
  assert.equal(answerBytesOf(answering(Type.String({ maxLength: 10, isAscii: true }))), 12);
  assert.equal(answerBytesOf(answering(Type.Array(text, { maxItems: 3 }))), 3 * 43 + 2);
  const long = Type.String({ maxLength: 100_000 });
  assert.equal(answerBytesOf(answering(linkedPageOf(long))), PAGE_BYTES + 400_003 + 2);
});

test('no answer is longer than 4 MB, unless it is sent in parts or says why', () => {
  const long = OPERATIONS.filter((operation) => answerBytesOf(operation) > MOST_ANSWER_BYTES);
  const unexplained = long.filter(
    ({ longAnswer, isSentInParts = false }) => longAnswer === undefined && !isSentInParts,
  );
  assert.deepEqual(
    unexplained.map(({ operationId }) => operationId),
    [],
  );
});

test('only long answers say why they are long', () => {
  const explained = OPERATIONS.filter(
    ({ longAnswer, isSentInParts = false }) => longAnswer !== undefined || isSentInParts,
  );
  assert.ok(explained.length > 0);
  for (const operation of explained)
    assert.ok(answerBytesOf(operation) > MOST_ANSWER_BYTES, operation.operationId);
});
