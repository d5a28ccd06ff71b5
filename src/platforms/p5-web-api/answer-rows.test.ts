import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { AnswerRows } from './answer-rows.ts';
import type { P5Record } from './record.ts';

/** The whole answer, joined again from pieces of the given sizes. */
function readInPieces(
  text: string,
  sizes: readonly number[],
  smallBytes: number = 0,
): { rows: P5Record[]; rest: P5Record } {
  const rows: P5Record[] = [];
  const reader = new AnswerRows((row) => rows.push(row), smallBytes);
  const bytes = Buffer.from(text);
  let place = 0;
  for (let turn = 0; place < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    reader.push(bytes.subarray(place, place + size));
    place += size;
  }
  return { rows, rest: reader.end() };
}

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('{', '}', '[]', ',"', '\\', 'ünï\\"}', ''),
  fc.array(fc.record({ AppID: fc.string() }), { maxLength: 2 }),
);
const row = fc.dictionary(fc.string({ minLength: 1 }), value, { maxKeys: 4 });

test('an answer cut anywhere gives all its rows in order, and its envelope', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(undefined, 1, 2),
      (rows, sizes, indent) => {
        const text = JSON.stringify(
          { retcode: '0 Done', answer: rows, trans_id: '7' },
          null,
          indent,
        );
        const read = readInPieces(text, sizes);
        assert.deepEqual(read.rows, JSON.parse(JSON.stringify(rows)));
        assert.deepEqual(read.rest, { retcode: '0 Done', answer: [], trans_id: '7' });
      },
    ),
  );
});

test('a small answer, parsed at once, gives the same rows', () => {
  const answer = [{ a: '1' }, { b: '{' }];
  const text = JSON.stringify({ retcode: '0 Done', answer });
  for (const smallBytes of [text.length, text.length - 1])
    assert.deepEqual(readInPieces(text, [9], smallBytes).rows, answer);
});

test('a single object, a list of words and results by id stay in the envelope or become rows', () => {
  for (const answer of [{ Login: '7' }, ['1', '2'], { 13: [{ result: {} }] }, []]) {
    const { rows, rest } = readInPieces(JSON.stringify({ retcode: '0 Done', answer }), [3]);
    assert.deepEqual(rows, []);
    assert.deepEqual(rest.answer, answer);
  }
});

test('only the rows of the answer are passed on', () => {
  const envelope = { retcode: '0 Done', 1: [{ result: { ID: '1' } }], answers: [{ a: '1' }] };
  assert.deepEqual(readInPieces(JSON.stringify(envelope), [7]), { rows: [], rest: envelope });
});

test('incomplete or invalid JSON is no answer', () => {
  const whole = JSON.stringify({ retcode: '0 Done', answer: [{ a: '1' }, { b: '2' }] });
  for (let length = 0; length < whole.length; length += 1)
    assert.throws(() => readInPieces(whole.slice(0, length), [5]), { name: 'TransportError' });
  for (const text of ['<html>', '[1]', 'null', '{"retcode":"0 Done","answer":[{"a":}]}'])
    assert.throws(() => readInPieces(text, [4]), { name: 'TransportError' });
});
