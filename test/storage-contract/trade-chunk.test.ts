import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TradeChunk, type TradeItem } from '../../src/storage/trade-store.ts';
import { fc } from '../properties.ts';
import { countedTrade } from './counted-trade.fixture.ts';

const items = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.string({ unit: 'binary' })), {
    minLength: 1,
    maxLength: 40,
  })
  .map((pairs) =>
    pairs
      .sort(([a], [b]) => a - b)
      .map(([closeTimeMs, comment], index): TradeItem => {
        const id = `+${index}+`;
        const json = Buffer.from(JSON.stringify({ _id: `a+${id}`, comment }));
        return { closeTimeMs, id, json, counted: countedTrade({ id, closeTimeMs, comment }) };
      }),
  );

it('slices any range as the JSON of just those trades, with any texts', () => {
  fc.assert(
    fc.property(items, fc.nat(40), fc.nat(40), (trades, a, b) => {
      const chunk = TradeChunk.of(3, trades);
      const from = Math.min(a, b, trades.length);
      const to = Math.min(Math.max(a, b), trades.length);
      const expected = trades.slice(from, to).map(({ json }) => JSON.parse(json.toString()));
      assert.deepEqual(JSON.parse(`[${chunk.slice(from, to)}]`), expected);
    }),
  );
});

/** Absent fields may be undefined. */
const known = (trades: TradeItem[]) =>
  trades.map(({ counted, ...trade }) => ({
    ...trade,
    counted: Object.fromEntries(Object.entries(counted).filter(([, value]) => value !== undefined)),
  }));

it('splits a chunk into its trades', () => {
  fc.assert(
    fc.property(items, (trades) => {
      const chunk = TradeChunk.of(0, trades);
      assert.equal(chunk.count, trades.length);
      assert.deepEqual(known(chunk.items()), known(trades));
      assert.deepEqual(TradeChunk.of(0, chunk.items()).encodedMarks(), chunk.encodedMarks());
    }),
  );
});

it('counts the trades before a time like a walk through all of them', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: -1, max: 11 }), (trades, timeMs) => {
      const expected = trades.filter(({ closeTimeMs }) => closeTimeMs < timeMs).length;
      assert.equal(TradeChunk.of(0, trades).countBefore(timeMs), expected);
    }),
  );
});

it('frees the memory of a body, but none that others share', () => {
  const own = new TradeChunk(0, Buffer.from(new ArrayBuffer(100_000)), new Float64Array());
  own.release();
  assert.equal(own.body.length, 0);
  const shared = Buffer.from('{"_id":"a+1"}');
  new TradeChunk(0, shared, new Float64Array()).release();
  assert.equal(shared.toString(), '{"_id":"a+1"}');
});

it('reads marks that lie anywhere', () => {
  const marks = Float64Array.of(7, 8, 0, 5);
  for (const offset of [0, 1, 8]) {
    const bytes = new Uint8Array(offset + marks.byteLength);
    bytes.set(new Uint8Array(marks.buffer), offset);
    const chunk = TradeChunk.read(0, Buffer.from('{"a":1},{"a":2}'), bytes.subarray(offset));
    assert.deepEqual([chunk.count, chunk.closeTimeMs(1)], [2, 8]);
  }
});
