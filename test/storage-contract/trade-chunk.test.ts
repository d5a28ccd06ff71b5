import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TradeChunk, type TradeItem } from '../../src/storage/trade-store.ts';
import { fc } from '../properties.ts';

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
        return { closeTimeMs, id, json: Buffer.from(JSON.stringify({ _id: `a+${id}`, comment })) };
      }),
  );

it('slices any range as the JSON of just those trades, whatever their texts hold', () => {
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

it('takes a chunk apart into the trades that it was made of', () => {
  fc.assert(
    fc.property(items, (trades) => {
      const chunk = TradeChunk.of(0, trades);
      assert.equal(chunk.count, trades.length);
      assert.deepEqual(chunk.items(), trades);
      assert.deepEqual(TradeChunk.of(0, chunk.items()).encodedMarks(), chunk.encodedMarks());
    }),
  );
});

it('counts the trades before a time as a walk through all of them would', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: -1, max: 11 }), (trades, timeMs) => {
      const expected = trades.filter(({ closeTimeMs }) => closeTimeMs < timeMs).length;
      assert.equal(TradeChunk.of(0, trades).countBefore(timeMs), expected);
    }),
  );
});
