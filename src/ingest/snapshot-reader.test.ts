import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { ServiceError } from '../errors.ts';
import { AccountDirectory } from './account-directory.ts';
import { readSnapshots } from './read-snapshots.ts';
import { SnapshotReader } from './snapshot-reader.ts';

const stored = await openTestDatabase('sqlite');
const directory = new AccountDirectory(stored.database);
after(() => stored.close());

const lines = (first: number, count: number): string[] =>
  Array.from(
    { length: count },
    (_, row) =>
      `{"accountId":"account-${first + row}","brokerTime":"2026-11-20 10:00:00.${(row % 900) + 100}","balance":${row},"equity":${row / 4}}`,
  );
const bodyOf = (rows: readonly string[]): Buffer => Buffer.from(rows.join('\n'));
/** The memory of a body that the thread took is gone. */
const isTaken = (body: Buffer): boolean => body.length === 0;

/** A reader whose thread runs. */
async function readerInThread(context: TestContext, maxWaitingBytes?: number) {
  const reader = new SnapshotReader(directory, maxWaitingBytes);
  context.after(() => reader.close());
  for (;;) {
    const body = bodyOf(lines(0, 1000));
    await reader.read(body, true);
    if (isTaken(body)) return reader;
    await setImmediate();
  }
}

describe('the reader of snapshots', () => {
  it('reads large bodies in its thread as they are read here', async (context) => {
    const reader = await readerInThread(context);
    const deals = `{"accountId":"account-7","brokerTime":"2026-11-20 10:00:01.000","balance":1,"equity":1,"deals":[{"id":"1","type":"DEAL_TYPE_BALANCE","brokerTime":"2026-11-20 10:00:00.000","profit":5}]}`;
    const bodies: [rows: string[], isNdjson: boolean][] = [
      [lines(5, 2000), true],
      [[...lines(100, 900), ...lines(50, 900)], true],
      [[...lines(0, 1000), deals], true],
      [[`[${lines(3, 1000).join(',')}]`], false],
    ];
    for (const [rows, isNdjson] of bodies) {
      const body = bodyOf(rows);
      const expected = readSnapshots(Buffer.from(body), isNdjson, directory);
      const columns = await reader.read(body, isNdjson);
      assert.ok(isTaken(body));
      assert.deepEqual(columns, expected);
    }
  });

  it('names every fault of a body, and reads the next', async (context) => {
    const reader = await readerInThread(context);
    const rows = lines(0, 400);
    rows[7] = '{"accountId":"a b","brokerTime":"never","balance":"1","equity":1}';
    const bad = reader.read(bodyOf(rows), true);
    const good = reader.read(bodyOf(lines(0, 400)), true);
    await assert.rejects(bad, (error: ServiceError) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.code, 'validation');
      const { details } = error as { details: { parameter: string }[] };
      const named = details.map(({ parameter }) => parameter);
      assert.deepEqual(named, ['[7].accountId', '[7].brokerTime', '[7].balance']);
      return true;
    });
    assert.equal((await good).account.length, 400);
  });

  it('refuses a body while too many bytes wait', async (context) => {
    const reader = await readerInThread(context, 100_000);
    const first = reader.read(bodyOf(lines(0, 1500)), true);
    const code = { code: 'unavailable' };
    await assert.rejects(reader.read(bodyOf(lines(0, 1500)), true), code);
    assert.equal((await first).account.length, 1500);
    assert.equal((await reader.read(bodyOf(lines(0, 1500)), true)).account.length, 1500);
  });

  it('refuses what waits when its thread ends, and starts another', async (context) => {
    const reader = await readerInThread(context);
    const waiting = assert.rejects(reader.read(bodyOf(lines(0, 5000)), true), {
      code: 'unavailable',
    });
    await reader.close();
    await waiting;
    assert.equal((await reader.read(bodyOf(lines(0, 400)), true)).account.length, 400);
  });

  it('goes on when it has seen more accounts than it remembers', async (context) => {
    const reader = await readerInThread(context);
    for (let first = 0; first < 230_000; first += 10_000) {
      const { accounts, account } = await reader.read(bodyOf(lines(first, 10_000)), true);
      assert.equal(accounts.length, 10_000);
      assert.equal(accounts[account[0] ?? -1]?.id, `account-${first}`);
      assert.equal(accounts[account[9_999] ?? -1]?.id, `account-${first + 9_999}`);
    }
  });
});
