import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { until } from '../../../test/servers/until.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';
import { NotInTime, type ReadLimits } from './read-limits.ts';
import { readStatementInThread, statementThreads } from './reading-threads.ts';

const DEALS = 3000;
/** They take a second of a processor. */
const MANY_DEALS = 60_000;

/** Deals as a JSON file: several pages of them. */
const file = (deals: number): Buffer =>
  Buffer.from(
    JSON.stringify(
      Array.from({ length: deals }, (_, n) => ({
        ...{ id: String(n), symbol: 'EURUSD', volume: 1, price: 1.1, profit: 0 },
        type: n % 2 === 0 ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
        entry: n % 2 === 0 ? 'DEAL_ENTRY_IN' : 'DEAL_ENTRY_OUT',
        brokerTime: `2026-01-01 10:${String(n % 60).padStart(2, '0')}:00`,
      })),
    ),
  );
const reading = (limits: Partial<ReadLimits>, deals = DEALS, onProgress = () => {}) =>
  readStatementInThread(file(deals), { moneyDigits: 2, clock: undefined, limits, onProgress });

describe('reading a statement in a thread', () => {
  // Whatever the outcome, the thread has ended and the place is free.
  afterEach(() => assert.equal(statementThreads(), 0));

  it('returns every deal', async () => {
    await using statement = await reading({});
    let deals = 0;
    for await (const page of statement.pages()) deals += page.length;
    assert.equal(deals, DEALS);
  });

  it('returns the deals of each file alone, whatever became of those before', async () => {
    const count = async (deals: number, pages = Infinity): Promise<number> => {
      await using statement = await reading({}, deals);
      let [found, left] = [0, pages];
      for await (const page of statement.pages()) {
        found += page.length;
        left -= 1;
        if (left === 0) break;
      }
      return found;
    };
    const unreadable = () =>
      readStatementInThread(Buffer.from('a page'), { moneyDigits: 2, clock: undefined });
    assert.equal(await count(5), 5);
    assert.equal(await count(DEALS), DEALS);
    assert.equal(await count(7), 7);
    await assert.rejects(unreadable(), UnreadableStatement);
    assert.equal(await count(DEALS, 1), 1000);
    assert.equal(await count(8), 8);
    assert.deepEqual(await Promise.all([count(9), count(DEALS), count(11)]), [9, DEALS, 11]);
  });

  it("is ended by the clock, which is not the file's fault", async () => {
    await assert.rejects(reading({ readMs: 1 }), NotInTime);
  });

  it('refuses a file that takes too much processor time', async () => {
    await assert.rejects(reading({ processorMs: 1 }, MANY_DEALS), (error) => {
      assert.ok(error instanceof UnreadableStatement);
      assert.match(error.message, /Export a shorter period/);
      return true;
    });
  });

  it('is ended while its deals are stored, too, if all together takes too long', async () => {
    await assert.rejects(async () => {
      await using statement = await reading({ totalMs: 3000 });
      for await (const _ of statement.pages()) {
        await until(() => statementThreads() === 0, 'the thread has ended');
      }
    }, NotInTime);
  });

  it('leaves no place taken if there is no thread for it', async () => {
    const newThread = () => {
      throw new Error('no thread is left');
    };
    const options = { moneyDigits: 2, clock: undefined, newThread };
    await assert.rejects(readStatementInThread(file(1), options), /no thread is left/);
  });

  it('ends if reporting its progress fails', async () => {
    const broken = () => {
      throw new Error('nobody to tell');
    };
    await assert.rejects(reading({}, DEALS, broken), /nobody to tell/);
  });
});
