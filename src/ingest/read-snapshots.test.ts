import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../test/properties.ts';
import { formatBrokerTime } from '../domain/broker-time.ts';
import { SnapshotReading } from './read-snapshots.ts';
import { Rejection } from './rejection.ts';

/** Shared: its memory of one body must not show in the next. */
const reading = new SnapshotReading();

/** The rows read, or the faults named. */
function read(body: Buffer, isNdjson: boolean) {
  try {
    const { ids, rowCount, ...rest } = reading.read(body, isNdjson);
    const columns = [rest.account, rest.timeMs, rest.balance, rest.equity];
    return { ids: ids.texts, columns: columns.map((column) => column.slice(0, rowCount)) };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { kind: error.kind, faults: error.faults };
  }
}

const ids = fc.constantFrom('a', 'account-7', 'b', 'ä', 'a"b', 'x\\y', '', 'a\u0007');
const times = fc.oneof(
  fc.constantFrom('2026-11-20 10:00:00.000', '2026-11-20 10:00:00', '2026-02-30 10:00:00', ''),
  fc.integer({ min: 0, max: 4e12 }).map(formatBrokerTime),
);
const numbers = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100),
);
const lines = fc
  .tuple(ids, times, numbers, numbers, fc.constantFrom('', 'spaces', 'order', 'margin'))
  .map(([accountId, brokerTime, balance, equity, style]) => {
    if (style === 'order') return JSON.stringify({ equity, balance, brokerTime, accountId });
    const more = style === 'margin' ? { margin: 1 } : {};
    const line = JSON.stringify({ accountId, brokerTime, balance, equity, ...more });
    return style === 'spaces' ? line.replaceAll('":', '": ').replaceAll(',"', ', "') : line;
  });
const oddNumbers = fc.constantFrom('01', '-', '.5', '5.', '1.2.3', '1e3', '-0', '1'.repeat(16));

describe('reading snapshots', () => {
  it('gives equal results for lines and for an array of the same rows', () => {
    const property = fc.property(fc.array(lines, { maxLength: 8 }), fc.boolean(), (rows, end) => {
      const asLines = Buffer.from(rows.join('\n') + (end ? '\n' : ''));
      assert.deepEqual(read(asLines, true), read(Buffer.from(`[${rows.join(',')}]`), false));
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it('accepts no number that JSON refuses', () => {
    const property = fc.property(oddNumbers, fc.boolean(), (text, isFirst) => {
      const row = `{"accountId":"a","brokerTime":"2026-11-20 10:00:00","balance":${isFirst ? text : 1},"equity":${isFirst ? 1 : text}}`;
      const expected = read(Buffer.from(`[${row}]`), false);
      const isBad = 'kind' in expected;
      assert.equal('kind' in read(Buffer.from(row), true), isBad, row);
      if (!isBad) assert.deepEqual(read(Buffer.from(row), true), expected);
    });
    fc.assert(property);
  });

  it('reports a line cut anywhere, and reads the complete one', () => {
    const row =
      '{"accountId":"a","brokerTime":"2026-11-20 10:00:00.000","balance":100.25,"equity":-3}';
    assert.deepEqual(read(Buffer.from(row), true), read(Buffer.from(`[${row}]`), false));
    for (let end = 1; end < row.length; end += 1) {
      assert.deepEqual(read(Buffer.from(row.slice(0, end)), true), {
        kind: 'invalid',
        faults: [{ parameter: '[0]', message: 'is not valid JSON' }],
      });
    }
  });
});
