import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { SnapshotBody } from './read-snapshots.ts';
import { SnapshotReading } from './read-snapshots.ts';
import { Rejection } from './rejection.ts';
import { SnapshotReader } from './snapshot-reader.ts';

const USER = 'somebody';
const BUSY = { name: 'Rejection', kind: 'busy' };

const lines = (first: number, count: number): string[] =>
  Array.from(
    { length: count },
    (_, row) =>
      `{"accountId":"account-${first + row}","brokerTime":"2026-11-20 10:00:00.${(row % 900) + 100}","balance":${row},"equity":${row / 4}}`,
  );
const bodyOf = (rows: readonly string[]): Buffer => Buffer.from(rows.join('\n'));
/** The memory of a body that the thread took is gone. */
const isTaken = (body: Buffer): boolean => body.length === 0;
/** Ids as texts: they are the same, whether they came as texts or as bytes. */
const plain = ({ ids, ...columns }: SnapshotBody) => ({ ids: ids.texts, ...columns });

/** Its thread ends with the test. */
function newReader(t: TestContext, options = {}) {
  const reader = new SnapshotReader(options);
  t.after(() => reader.close());
  return reader;
}

describe('the reader of snapshots', () => {
  it('reads large bodies in its thread with equal results', async (t) => {
    const reader = newReader(t);
    const deals = `{"accountId":"account-7","brokerTime":"2026-11-20 10:00:01.000","balance":1,"equity":1,"deals":[{"id":"1","type":"DEAL_TYPE_BALANCE","brokerTime":"2026-11-20 10:00:00.000","profit":5}]}`;
    const bodies: [rows: string[], isNdjson: boolean][] = [
      [lines(5, 2000), true],
      [[...lines(100, 900), ...lines(50, 900)], true],
      [[...lines(0, 1000), deals], true],
      [[`[${lines(3, 1000).join(',')}]`], false],
    ];
    for (const [rows, isNdjson] of bodies) {
      const body = bodyOf(rows);
      const expected = new SnapshotReading().read(Buffer.from(body), isNdjson);
      const columns = await reader.read(USER, body, isNdjson);
      assert.ok(isTaken(body));
      assert.deepEqual(plain(columns), plain(expected));
    }
  });

  it('names every fault of a body, and reads the next', async (t) => {
    const reader = newReader(t);
    const rows = lines(0, 400);
    rows[7] = '{"accountId":"a b","brokerTime":"never","balance":"1","equity":1}';
    const bad = reader.read(USER, bodyOf(rows), true);
    const good = reader.read(USER, bodyOf(lines(0, 400)), true);
    await assert.rejects(bad, (error) => {
      assert.ok(error instanceof Rejection);
      assert.equal(error.kind, 'invalid');
      const named = error.faults.map(({ parameter }) => parameter);
      assert.deepEqual(named, ['[7].accountId', '[7].brokerTime', '[7].balance']);
      return true;
    });
    assert.equal((await good).rowCount, 400);
  });

  it('refuses a body while too many bytes wait', async (t) => {
    const reader = newReader(t, { maxWaitingBytes: 200_000 });
    const first = reader.read(USER, bodyOf(lines(0, 1500)), true);
    await assert.rejects(reader.read('another', bodyOf(lines(0, 1500)), true), BUSY);
    assert.equal((await first).rowCount, 1500);
    assert.equal((await reader.read(USER, bodyOf(lines(0, 1500)), true)).rowCount, 1500);
  });

  it('refuses the bodies of one user with too many bytes, and reads those of others', async (t) => {
    const reader = newReader(t);
    const spaces = Buffer.alloc(15 * 1024 * 1024, ' ');
    const notRows = { name: 'Rejection', kind: 'invalid' };
    const first = assert.rejects(reader.read(USER, Buffer.from(spaces), true), notRows);
    await assert.rejects(reader.read(USER, Buffer.from(spaces), true), BUSY);
    assert.equal((await reader.read('another', bodyOf(lines(0, 1500)), true)).rowCount, 1500);
    await first;
  });

  it('reads a small body while a large one takes its time, and bounds their deals', async (t) => {
    const reader = newReader(t);
    const deal =
      '{"id":"1","type":"DEAL_TYPE_BALANCE","brokerTime":"2026-11-20 10:00:00.000","profit":5}';
    const [row = ''] = lines(0, 1);
    const withDeals = `${row.slice(0, -1)},"deals":[${Array(1000).fill(deal).join()}]}`;
    const small = bodyOf(lines(0, 400));
    let isLargeRead = false;
    const tooManyDeals = { name: 'Rejection', kind: 'tooLarge' };
    const large = assert
      .rejects(reader.read(USER, bodyOf(Array(100).fill(withDeals)), true), tooManyDeals)
      .finally(() => {
        isLargeRead = true;
      });
    await reader.read('another', small, true);
    assert.equal(isLargeRead, false);
    await large;
  });

  it('refuses a body that takes too much memory, and reads those waiting behind it', async (t) => {
    const reader = newReader(t, { threadMemoryMb: 20, maxLargeBytes: 0 });
    const deal =
      '{"id":"1","type":"DEAL_TYPE_BALANCE","brokerTime":"2026-11-20 10:00:00.000","profit":5}';
    const [row = ''] = lines(0, 1);
    const withDeals = `${row.slice(0, -1)},"deals":[${Array(1000).fill(deal).join()}]}`;
    const heavy = reader.read(USER, bodyOf(Array(180).fill(withDeals)), true);
    const refused = assert.rejects(heavy, {
      name: 'Rejection',
      kind: 'tooLarge',
      message: /memory/,
    });
    const large = bodyOf(lines(1e15, 10_000));
    assert.ok(large.length > 1024 * 1024);
    const behind = reader.read('another', large, true);
    await refused;
    assert.equal((await behind).rowCount, 10_000);
    assert.equal(reader.waitingBytes, 0);
  });

  it('refuses waiting and later bodies when closed', async (t) => {
    const reader = newReader(t);
    const waiting = assert.rejects(reader.read(USER, bodyOf(lines(0, 5000)), true), BUSY);
    const closed = reader.close();
    await waiting;
    await closed;
    await assert.rejects(reader.read(USER, bodyOf(lines(0, 400)), true), BUSY);
  });

  it('distinguishes the accounts of more bodies than it remembers', async (t) => {
    const reader = newReader(t);
    const firsts = Array.from({ length: 100 }, (_, index) => index * 300);
    for (const first of [...firsts, ...firsts]) {
      const { ids, account } = await reader.read(USER, bodyOf(lines(first, 400)), true);
      assert.equal(ids.count, 400);
      assert.equal(ids.texts[account[0] ?? -1], `account-${first}`);
      assert.equal(ids.texts[account[399] ?? -1], `account-${first + 399}`);
    }
  });
});
