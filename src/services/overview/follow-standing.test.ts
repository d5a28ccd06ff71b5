import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { silent } from '../../../test/servers/test-context.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { TestTime } from '../../../test/servers/test-time.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import { StandingFeed } from '../../feeds/standing-feed.ts';
import type { StandingSource } from '../../feeds/standing-source.ts';
import { Catalogue } from '../../storage/catalogue.ts';
import { noteChange } from '../../storage/change-store.ts';
import { DatabaseUnavailable } from '../../storage/database.ts';
import type { Principal } from '../context.ts';
import { followStanding, type StandingStream } from './follow-standing.ts';

const USER: Principal = {
  ...{ userId: 'user', tokenId: 'token', scopes: new Set(['read'] as const) },
  accountNumbers: undefined,
};
const NEVER = new AbortController().signal;

/** A feed over accounts whose equity a test sets, with a count of their readings. */
async function openFeed(t: TestContext, accounts: number) {
  const { database, close } = await openTestDatabase('sqlite');
  const time = new TestTime();
  const catalogue = new Catalogue(database);
  await catalogue.refresh();
  const equity = new Map(Array.from({ length: accounts }, (_, number) => [number + 1, 0]));
  const read: number[][] = [];
  let folded = (_: number): void => {};
  let isAway = false;
  const source: StandingSource = {
    onFolded: (heard) => {
      folded = heard;
    },
    isFolded: () => true,
    storedAnew: async () => [],
    accountsOf: async (_, numbers = [...equity.keys()]) =>
      new Map(numbers.map((number) => [number, `account-${number}`])),
    findAccounts: async () => [],
    readStates: async (numbers, answer) => {
      if (numbers.length > 0) read.push([...numbers]);
      if (isAway) throw new DatabaseUnavailable('away');
      for (const number of numbers) {
        const text = `"equity":${equity.get(number)}`;
        answer(number, { texts: [['standing', text]], staleAtMs: Number.POSITIVE_INFINITY });
      }
    },
    openIncidents: async () => [],
    readIncidents: async () => [],
  };
  const standings = new StandingFeed({
    ...{ database, catalogue, time, source, epoch: 'here', logger: silent },
    events: { listen() {} },
  });
  t.after(async () => {
    standings.close();
    await close();
  });
  const context = { database, catalogue, standings };
  return {
    ...{ time, read, standings },
    change: (number: number, value: number) => {
      equity.set(number, value);
      folded(number);
    },
    changeToken: async () => {
      await database.transaction(async (tx) => noteChange(tx, 'token', 'hash'));
      database.announce('plimsoll_changes', '');
    },
    setAway: (value: boolean) => {
      isAway = value;
    },
    follow: (lastId?: string) => followStanding(context, USER, {}, lastId),
    /** What a stream tells within a while, and its last id. */
    hear: async (stream: StandingStream, ms = 1000) => {
      const told: Record<string, unknown>[] = [];
      let lastId: string | undefined;
      const untilMs = time.elapsed() + ms;
      while (time.elapsed() < untilMs) {
        let items: Awaited<ReturnType<StandingStream['next']>> | 'none' = 'none';
        void stream.next(untilMs - time.elapsed(), NEVER).then((next) => {
          items = next;
        });
        await untilPassed(
          () => time.pass(10),
          () => items !== 'none',
        );
        for (const { id, data } of Array.isArray(items)
          ? (items as { id?: string; data: string }[])
          : []) {
          told.push(JSON.parse(data));
          lastId = id ?? lastId;
        }
      }
      return { told, lastId };
    },
  };
}

describe('a stream of standings', () => {
  it('reads nothing while nobody follows, and forgets a minute after the last reader', async (t) => {
    const { time, read, change, follow, standings } = await openFeed(t, 3);
    change(1, 1);
    await time.pass(5000);
    assert.deepEqual(read, []);
    const stream = await follow();
    await stream[Symbol.asyncDispose]();
    await time.pass(59_000);
    assert.equal(standings.followedAccounts, 3);
    await untilPassed(
      () => time.pass(1000),
      () => standings.followedAccounts === 0,
    );
    read.length = 0;
    change(1, 2);
    await time.pass(5000);
    assert.deepEqual(read, []);
  });

  it('reads an account four times a second, however often it changes and many follow', async (t) => {
    const { read, change, follow, hear, time } = await openFeed(t, 2);
    const streams = [await follow(), await follow(), await follow()];
    await hear(streams[0] as StandingStream);
    read.length = 0;
    const startMs = time.elapsed();
    let value = 0;
    while (time.elapsed() < startMs + 2000) {
      for (let n = 0; n < 20; n += 1) change(1, ++value);
      await time.pass(10);
    }
    await untilPassed(
      () => time.pass(50),
      () => read.length > 0,
    );
    assert.ok(read.length <= 12, `${read.length} readings`);
    assert.deepEqual(new Set(read.flat()), new Set([1]));
    for (const stream of streams.slice(1)) {
      const { told } = await hear(stream);
      assert.equal(told.findLast(({ kind }) => kind === 'account')?.equity, value);
    }
  });

  it('tells who reads slowly the newest states alone', async (t) => {
    const { time, change, follow, hear } = await openFeed(t, 3);
    const stream = await follow();
    const first = await hear(stream);
    assert.deepEqual(
      first.told.map(({ kind }) => kind),
      ['begin', 'account', 'account', 'account', 'complete'],
    );
    for (let value = 1; value <= 100; value += 1) {
      change(1 + (value % 2), value);
      await time.pass(300);
    }
    const { told } = await hear(stream);
    assert.deepEqual(
      told.map(({ accountId, equity }) => [accountId, equity]),
      [
        ['account-2', 99],
        ['account-1', 100],
      ],
    );
  });

  it('goes on from an id, and says if it cannot', async (t) => {
    const { time, change, follow, hear } = await openFeed(t, 3);
    const { lastId } = await hear(await follow());
    change(3, 7);
    await time.pass(1000);
    const { told } = await hear(await follow(lastId));
    assert.deepEqual(
      told.map(({ reason, accountId }) => reason ?? accountId),
      ['resumed', 'account-3'],
    );
    const { told: anew } = await hear(await follow(lastId?.replace('here', 'there')));
    assert.deepEqual([anew[0]?.reason, anew.length], ['unknownId', 5]);
  });

  it('tells what changed during an outage after it', async (t) => {
    const { time, change, follow, hear, setAway } = await openFeed(t, 1);
    const stream = await follow();
    await hear(stream);
    setAway(true);
    change(1, 5);
    await time.pass(3000);
    setAway(false);
    const { told } = await hear(stream, 3000);
    assert.deepEqual(told, [{ kind: 'account', accountId: 'account-1', equity: 5 }]);
  });

  it('looks at its token soon after one has changed, also between two messages', async (t) => {
    const { time, change, follow, hear, changeToken } = await openFeed(t, 1);
    const stream = await follow();
    await hear(stream);
    for (const isPacing of [false, true]) {
      if (isPacing) {
        change(1, 5);
        assert.equal((await hear(stream, 500)).told.length, 1);
      }
      await changeToken();
      let said: unknown;
      const startMs = time.elapsed();
      void stream.next(15_000, NEVER).then((next) => {
        said = next;
      });
      await untilPassed(
        () => time.pass(10),
        () => said !== undefined,
      );
      assert.equal(said, 'check');
      assert.ok(time.elapsed() - startMs <= 2000, `after ${time.elapsed() - startMs} ms`);
    }
  });

  it('sends a large state in parts, and its id at the end', async (t) => {
    const { follow, hear } = await openFeed(t, 1200);
    const stream = await follow();
    const batches: number[] = [];
    const next = stream.next.bind(stream);
    stream.next = async (...wait) => {
      const items = await next(...wait);
      if (Array.isArray(items)) batches.push(items.length);
      return items;
    };
    const { told, lastId } = await hear(stream, 3000);
    assert.deepEqual([told.length, batches.filter((size) => size > 0)], [1202, [1, 500, 500, 201]]);
    assert.match(lastId ?? '', /^here\./);
  });
});
