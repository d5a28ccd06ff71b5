import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { FaultyDatabase } from '../../../test/servers/faulty-database.ts';
import { testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { newAccount, newUser } from '../../../test/storage-contract/fixture.ts';
import { liveAccountOf, ownPartition } from '../../../test/storage-contract/live-fixture.ts';
import { type Account, removeAccount, updateAccountRow } from '../../storage/account-store.ts';
import type { Transaction } from '../../storage/database.ts';
import { advancePartition } from '../../storage/journal-store.ts';
import { type StoredLiveAccount, writeLiveAccounts } from '../../storage/live-store.ts';
import { hideTracker, insertTracker, renameTrackerRow } from '../../storage/tracker-store.ts';
import type { Principal } from '../context.ts';
import { OverviewTables } from './overview-tables.ts';
import { askOverview } from './read-overview.ts';
import { RecentHours } from './recent-hours.ts';

const LONG_MS = 3_600_000;

/** A user's overviews on SQLite, and how many statements read figures of accounts. */
async function openWorld(t: TestContext, maxAccounts?: number) {
  const stored = await openTestDatabase('sqlite');
  t.after(() => stored.close());
  const database = new FaultyDatabase(stored.database);
  let nowMs = LONG_MS;
  let reads = 0;
  let readingMs = 0;
  database.faults.before = ({ sql }) => {
    if (!sql.startsWith('select account_number, balance, equity')) return;
    reads += 1;
    nowMs += readingMs;
  };
  const context = await testContext(database, { now: () => nowMs });
  const overviews = new OverviewTables(context, maxAccounts);
  const world = { ...context, overviews, recentHours: new RecentHours() };
  const ask = async (
    userId: string,
    query: Parameters<typeof askOverview>[2] = {},
    { among, tokenId = 't' }: { among?: Account[]; tokenId?: string } = {},
  ) => {
    await context.catalogue.refresh();
    const accountNumbers = among && new Set(among.map(({ number }) => number));
    const principal: Principal = { userId, tokenId, scopes: new Set(), accountNumbers };
    return await askOverview(world, principal, query);
  };
  const read = async (...asked: Parameters<typeof ask>) => {
    const answer = await (await ask(...asked)).read();
    return { ...answer, names: answer.accounts.map(({ name }) => name) };
  };
  const figures = (account: Account, of: Partial<StoredLiveAccount>) =>
    stored.database.transaction((tx) =>
      writeLiveAccounts(tx, [liveAccountOf(account.number, { freshUtcMs: 1, ...of })]),
    );
  const later = (ms = LONG_MS): void => {
    nowMs += ms;
  };
  /** How long each reading of figures takes from here on. */
  const take = (ms: number): void => {
    readingMs = ms;
  };
  return { database: stored.database, ask, read, figures, later, take, reads: () => reads };
}

it('filters, searches, sorts and pages like a scan of all accounts', async (t) => {
  const { database, read, figures } = await openWorld(t);
  const userId = await newUser(database);
  const add = (name: string, login: string) => newAccount(database, { userId, name, login });
  const [ten, nine, lost, silent] = [
    await add('Ten 10', '10'),
    await add('Nine 9', '9'),
    await add('Lost', '7'),
    await add('Silent', '8'),
  ];
  await newAccount(database, { name: 'of somebody else' });
  await figures(ten, { balance: 100, equity: 90, usedLimit: 0.8, trackers: 1 });
  await figures(nine, { balance: 200, equity: 250, usedLimit: 0.1, trackers: 1 });
  await figures(lost, { balance: 50, equity: 50, usedLimit: 0, exceeded: true, trackers: 2 });
  const all = await read(userId);
  assert.deepEqual(all.names, ['Lost', 'Nine 9', 'Silent', 'Ten 10']);
  const { total, exceeded, near, stale, unwatched } = all;
  assert.deepEqual([all.all, total, exceeded, near, stale, unwatched], [4, 4, 1, 1, 3, 0]);
  const sorted = async (sort: 'login' | 'equity' | 'profit' | 'usedLimit') => [
    (await read(userId, { sort })).names.join(),
    (await read(userId, { sort, order: 'descending' })).names.join(),
  ];
  assert.deepEqual(await sorted('login'), [
    'Lost,Silent,Nine 9,Ten 10',
    'Ten 10,Nine 9,Silent,Lost',
  ]);
  assert.deepEqual(await sorted('equity'), [
    'Lost,Ten 10,Nine 9,Silent',
    'Nine 9,Ten 10,Lost,Silent',
  ]);
  assert.deepEqual(await sorted('profit'), [
    'Ten 10,Lost,Nine 9,Silent',
    'Nine 9,Lost,Ten 10,Silent',
  ]);
  assert.deepEqual(await sorted('usedLimit'), [
    'Nine 9,Ten 10,Lost,Silent',
    'Lost,Ten 10,Nine 9,Silent',
  ]);
  assert.deepEqual((await read(userId, { filter: 'near' })).names, ['Ten 10']);
  assert.deepEqual((await read(userId, { filter: 'waiting' })).names, ['Silent']);
  assert.deepEqual((await read(userId, { search: 'broker nine' })).names, ['Nine 9']);
  const page = await read(userId, { limit: 2, offset: 3 });
  assert.deepEqual([page.total, page.names], [4, ['Ten 10']]);
  const some = await read(
    userId,
    { order: 'descending' },
    { among: [lost, silent, { ...silent, number: 0 }] },
  );
  assert.deepEqual([some.all, some.exceeded, some.names], [2, 1, ['Silent', 'Lost']]);
});

it('shows figures less than a minute old, even if the machine stood still while reading', async (t) => {
  const { database, read, figures, later, take } = await openWorld(t);
  const userId = await newUser(database);
  const [first, second] = [
    await newAccount(database, { userId, name: 'A' }),
    await newAccount(database, { userId, name: 'B' }),
  ];
  await figures(first, { equity: 1 });
  await figures(second, { equity: 2 });
  const inOrder = async () => (await read(userId, { sort: 'equity' })).names;
  take(LONG_MS);
  assert.deepEqual(await inOrder(), ['A', 'B']);
  take(0);
  await figures(first, { equity: 3 });
  later(45_000);
  assert.deepEqual(await inOrder(), ['B', 'A']);
});

it('includes each account added, renamed or deleted before the call', async (t) => {
  const { database, read } = await openWorld(t);
  const userId = await newUser(database);
  const first = await newAccount(database, { userId, name: 'B' });
  assert.deepEqual((await read(userId)).names, ['B']);
  const second = await newAccount(database, { userId, name: 'C' });
  assert.deepEqual((await read(userId)).names, ['B', 'C']);
  await database.transaction((tx) => updateAccountRow(tx, { ...second, name: 'A' }));
  assert.deepEqual((await read(userId)).names, ['A', 'B']);
  await database.transaction((tx) => removeAccount(tx, first.number, 1));
  const after = await read(userId);
  assert.deepEqual([after.names, after.all], [['A'], 1]);
});

it('reads the figures once for all tokens, and again when they are old', async (t) => {
  const { database, read, figures, later, reads } = await openWorld(t);
  const userId = await newUser(database);
  const account = await newAccount(database, { userId });
  await figures(account, { equity: 1, exceeded: false });
  for (let token = 0; token < 20; token += 1) await read(userId);
  assert.equal(reads(), 1);
  await figures(account, { equity: 1, exceeded: true });
  later();
  assert.equal((await read(userId)).exceeded, 1);
  assert.equal(reads(), 2);
});

it('keeps the most recently used tables, by the number of their accounts', async (t) => {
  const { database, read, reads } = await openWorld(t, 1);
  const users = [await newUser(database), await newUser(database)];
  for (const userId of users) await newAccount(database, { userId });
  const [one = '', other = ''] = users;
  await read(one);
  await read(other);
  assert.equal(reads(), 2);
  await read(other);
  assert.equal(reads(), 2, 'still there');
  await read(one);
  assert.equal(reads(), 3, 'made anew');
});

it('reads everything that a checkpoint stored since, and misses none', async (t) => {
  const { database, read, figures, later } = await openWorld(t);
  const userId = await newUser(database);
  const [early, late] = [
    await newAccount(database, { userId }),
    await newAccount(database, { userId }),
  ];
  const partition = await ownPartition(database);
  const moveTo = (position: number) => advancePartition(database, 0, partition.epoch, position);
  await figures(early, { position: 3, equity: 1 });
  await moveTo(2);
  const exceeded = async () => {
    later();
    return (await read(userId)).exceeded;
  };
  assert.equal(await exceeded(), 0);
  // The partition is at 2 while its accounts are stored, some at a time.
  await figures(late, { position: 2, equity: 1, exceeded: true });
  assert.equal(await exceeded(), 1);
  await moveTo(3);
  assert.equal(await exceeded(), 1);
  await figures(early, { position: 3, equity: 1, exceeded: true });
  assert.equal(await exceeded(), 2);
  // The database is restored to an earlier state.
  await database.run('update journal_partition set position = 1');
  await figures(early, { position: 1, equity: 1 });
  assert.equal(await exceeded(), 1);
});

it('shares one answer among all who see the same accounts, until an account or a tracker changes', async (t) => {
  const { database, ask, later } = await openWorld(t);
  const userId = await newUser(database);
  const account = await newAccount(database, { userId });
  const keyOf = async (...asked: Parameters<typeof ask>): Promise<string> => {
    const { key, version } = await ask(...asked);
    return `${key} ${version}`;
  };
  const first = await keyOf(userId, {}, { tokenId: 'one' });
  assert.equal(await keyOf(userId, {}, { tokenId: 'two' }), first);
  const seen = new Set([first]);
  const assertOther = async (what: string, ...asked: Parameters<typeof ask>) => {
    const key = await keyOf(...asked);
    assert.ok(!seen.has(key), what);
    seen.add(key);
  };
  await assertOther('another page', userId, { limit: 1 });
  await assertOther('another user', await newUser(database));
  const some = { among: [account] };
  await assertOther('a token of some accounts', userId, {}, { ...some, tokenId: 'one' });
  await assertOther('another such token', userId, {}, { ...some, tokenId: 'two' });
  const change = async (what: string, make: (tx: Transaction) => Promise<unknown>) => {
    await database.transaction(make);
    await assertOther(what, userId);
  };
  const tracker = { id: 'limit', name: 'limit', period: 'day' as const };
  await change('a new tracker', (tx) => insertTracker(tx, account.number, tracker, 1));
  await change('a renamed one', (tx) => renameTrackerRow(tx, account.number, 'limit', 'other'));
  await change('a removed one', (tx) => hideTracker(tx, account.number, 'limit'));
  await change('a renamed account', (tx) => updateAccountRow(tx, { ...account, name: 'B' }));
  later();
  await assertOther('another second', userId);
});
