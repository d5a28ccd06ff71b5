import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../test/properties.ts';
import { formatBrokerTime, parseBrokerTime } from '../domain/broker-time.ts';
import { BrokerTimeReader } from './read-snapshots.ts';

const anyTime = fc
  .integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 })
  .map(formatBrokerTime);
const nearTime = fc.integer({ min: 0, max: 86_400_000 * 3 }).map(formatBrokerTime);
const damaged = fc
  .tuple(nearTime, fc.nat(22), fc.constantFrom('x', ' ', ':', '9', '/', '-', '.', ''))
  .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1));
const texts = fc.oneof(
  anyTime,
  nearTime,
  nearTime.map((text) => text.slice(0, 19)),
  damaged,
  fc.string(),
);

it('reads every sequence of texts as the domain does one by one', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 40 }), (sequence) => {
      const reader = new BrokerTimeReader();
      for (const text of sequence) assert.equal(reader.read(text), parseBrokerTime(text), text);
    }),
    { numRuns: 500 },
  );
});
