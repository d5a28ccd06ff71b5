import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { removeAccount, updateAccountRow } from '../../src/storage/account-store.ts';
import { Catalogue } from '../../src/storage/catalogue.ts';
import {
  type Change,
  noteChange,
  readChanges,
  readChangeVersion,
  trackerKey,
  trimChanges,
} from '../../src/storage/change-store.ts';
import type { Database, Transaction } from '../../src/storage/database.ts';
import { type AccessToken, deleteToken, insertToken } from '../../src/storage/token-store.ts';
import { hideTracker, insertTracker, renameTrackerRow } from '../../src/storage/tracker-store.ts';
import { gate, hold, newAccount, useDatabase } from './fixture.ts';

type Used = ReturnType<typeof useDatabase>;

export function registerCatalogueContract(kind: Database['kind']): void {
  describe('change log', () => registerChanges(useDatabase(kind)));
  describe('catalogue', () => registerCatalogue(useDatabase(kind)));
}

function registerChanges(use: Used): void {
  const note = (key: number) =>
    use.database.transaction(async (tx) => noteChange(tx, 'account', key));

  it('tells what was changed between two versions, in order', async () => {
    const before = await readChangeVersion(use.database);
    await note(1);
    await note(2);
    const middle = await readChangeVersion(use.database);
    await use.database.transaction(async (tx) => {
      noteChange(tx, 'token', 'hash');
      noteChange(tx, 'tracker', trackerKey(7, 'a b'));
    });
    const after = await readChangeVersion(use.database);
    assert.deepEqual([middle, after], [before + 2, before + 4]);
    const account = (key: string): Change => ({ kind: 'account', key });
    const plain = (changes: Change[] | undefined) => changes?.map((change) => ({ ...change }));
    assert.deepEqual(plain(await readChanges(use.database, before, middle)), [
      account('1'),
      account('2'),
    ]);
    assert.deepEqual(plain(await readChanges(use.database, middle, after)), [
      { kind: 'token', key: 'hash' },
      { kind: 'tracker', key: '7 a b' },
    ]);
    assert.deepEqual(await readChanges(use.database, after, after), []);
  });

  it('shows a version only with all changes up to it, whoever commits first', async () => {
    const before = await readChangeVersion(use.database);
    const stored = gate();
    const done = gate();
    const slow = use.database.transaction(async (tx) => {
      noteChange(tx, 'account', 'slow');
      tx.atEnd(async () => {
        stored.open();
        await hold(tx, done.opened);
      });
    });
    await stored.opened;
    const quick = note(5);
    const version = await readChangeVersion(use.database);
    assert.equal(version, before);
    done.open();
    await Promise.all([slow, quick]);
    const changes = await readChanges(use.database, before, before + 2);
    assert.deepEqual(
      changes?.map(({ key }) => key),
      ['slow', '5'],
    );
  });

  it('keeps nobody waiting who changes other rows of a transaction under way', async (t) => {
    if (use.database.kind === 'sqlite') return t.skip('writers take turns on SQLite');
    const { number } = await newAccount(use.database);
    const noted = gate();
    const locked = gate();
    let runs = 0;
    const rename = async (tx: Transaction): Promise<void> => {
      runs += 1;
      await tx.run("update account set name = 'Changed' where number = $1", [number]);
    };
    // The first notes before it comes to the row that the second has changed before it notes that.
    const first = use.database.transaction(async (tx) => {
      noteChange(tx, 'account', 'another');
      noted.open();
      await locked.opened;
      await rename(tx);
    });
    await noted.opened;
    const second = use.database.transaction(async (tx) => {
      await rename(tx);
      locked.open();
      noteChange(tx, 'account', number);
    });
    await Promise.all([first, second]);
    assert.equal(runs, 2, 'neither lost a deadlock');
  });

  it('forgets a change that was rolled back', async () => {
    const before = await readChangeVersion(use.database);
    const failing = use.database.transaction(async (tx) => {
      noteChange(tx, 'account', 'never');
      throw new Error('no');
    });
    await assert.rejects(failing);
    assert.equal(await readChangeVersion(use.database), before);
  });

  it('says so when what lies between is not kept any more', async () => {
    await note(1);
    const version = await readChangeVersion(use.database);
    await use.database.run('update change_head set version = version + 200000 where id = 1');
    await trimChanges(use.database);
    await note(2);
    assert.equal(await readChanges(use.database, version - 1, version + 200_001), undefined);
    assert.equal(await readChanges(use.database, version - 1, version + 1), undefined);
    const newest = await readChanges(use.database, version + 200_000, version + 200_001);
    assert.deepEqual(
      newest?.map(({ key }) => key),
      ['2'],
    );
  });
}

function registerCatalogue(use: Used): void {
  /** An account with a tracker and a token, all of them remembered. */
  async function remembered(catalogue: Catalogue) {
    const account = await newAccount(use.database);
    const { number, userId, id } = account;
    const token: AccessToken = {
      ...{ id: randomUUID(), hash: randomUUID(), userId, name: null, scopes: ['read'] },
      ...{ accountIds: null, accountNumbers: null, createdAtMs: 1, expiresAtMs: null },
      madeBy: null,
      kind: 'token' as const,
      device: null,
      role: null,
      email: null,
      subject: null,
      providerSession: null,
    };
    await insertToken(use.database, token);
    const tracker = { id: randomUUID(), name: 'Daily loss', period: 'day' } as const;
    await use.database.transaction((tx) => insertTracker(tx, number, tracker, 1));
    const find = async () => {
      await catalogue.refresh();
      return {
        token: (await catalogue.tokenByHash(token.hash))?.id,
        account: (await catalogue.account(userId, id))?.name,
        tracker: (await catalogue.tracker(number, tracker.id))?.name,
      };
    };
    const all = { token: token.id, account: 'Account', tracker: 'Daily loss' };
    assert.deepEqual(await find(), all);
    return { account, token, tracker, find, all };
  }

  /** The database with the statements that reach it. */
  function counted() {
    const statements: string[] = [];
    const sql = {
      kind: use.database.kind,
      all: ((text: string, params: string[]) => {
        statements.push(text);
        return use.database.all(text, params);
      }) as Database['all'],
      run: use.database.run.bind(use.database),
      get: ((text: string, params: string[]) => {
        statements.push(text);
        return use.database.get(text, params);
      }) as Database['get'],
    };
    return { sql, statements };
  }

  it('sees every change that was committed before it was refreshed, by whatever process', async (t) => {
    const other = use.connect();
    t.after(() => other.close());
    const { account, token, tracker, find, all } = await remembered(new Catalogue(use.database));
    const { number } = account;
    await other.transaction((tx) => updateAccountRow(tx, { ...account, name: 'Renamed' }));
    assert.deepEqual(await find(), { ...all, account: 'Renamed' });
    await other.transaction((tx) => renameTrackerRow(tx, number, tracker.id, 'Loss'));
    assert.deepEqual(await find(), { ...all, account: 'Renamed', tracker: 'Loss' });
    await other.transaction((tx) => hideTracker(tx, number, tracker.id));
    assert.equal((await find()).tracker, undefined);
    await other.transaction((tx) => deleteToken(tx, token.id));
    assert.equal((await find()).token, undefined);
    await other.transaction((tx) => removeAccount(tx, number, 1));
    assert.equal((await find()).account, undefined);
  });

  it('finds what was added after it had looked in vain', async () => {
    const catalogue = new Catalogue(use.database);
    const { userId } = await newAccount(use.database);
    const id = randomUUID();
    await catalogue.refresh();
    assert.equal(await catalogue.account(userId, id), undefined);
    const added = await newAccount(use.database, { userId, id });
    await catalogue.refresh();
    assert.deepEqual(await catalogue.account(userId, id), added);
  });

  it('asks the database for nothing but its version while nothing changes', async () => {
    const { sql, statements } = counted();
    const { find, all } = await remembered(new Catalogue(sql));
    statements.length = 0;
    assert.deepEqual(await Promise.all([find(), find(), find()]), [all, all, all]);
    assert.deepEqual(statements, ['select version from change_head where id = 1']);
  });

  it('forgets what was changed and nothing else', async () => {
    const { sql, statements } = counted();
    const catalogue = new Catalogue(sql);
    const one = await remembered(catalogue);
    const two = await remembered(catalogue);
    const heard: (Change | undefined)[] = [];
    catalogue.onChange((change) => heard.push(change && { ...change }));
    const renamed = { ...one.account, name: 'Renamed' };
    await use.database.transaction((tx) => updateAccountRow(tx, renamed));
    assert.deepEqual(await one.find(), { ...one.all, account: 'Renamed' });
    assert.deepEqual(heard, [{ kind: 'account', key: String(one.account.number) }]);
    statements.length = 0;
    assert.deepEqual(await two.find(), two.all);
    assert.equal(statements.length, 1, 'the version');
  });

  it('forgets everything when it has missed more than is kept', async () => {
    const catalogue = new Catalogue(use.database);
    const { account, find, all } = await remembered(catalogue);
    const heard: unknown[] = [];
    catalogue.onChange((change) => heard.push(change));
    await use.database.transaction((tx) => updateAccountRow(tx, { ...account, name: 'Renamed' }));
    await use.database.run('update change_head set version = version + 200000 where id = 1');
    assert.deepEqual(await find(), { ...all, account: 'Renamed' });
    assert.deepEqual(heard, [undefined]);
  });

  it('forgets everything when the database was put back, as by a failover', async () => {
    const catalogue = new Catalogue(use.database);
    const { account, token, find, all } = await remembered(catalogue);
    await use.database.transaction(async (tx) => noteChange(tx, 'account', 1));
    await find();
    // The present row was never announced.
    await use.database.run('update account set name = $2 where number = $1', [
      ...[account.number, 'As it was'],
    ]);
    await use.database.run('delete from access_token where id = $1', [token.id]);
    const back = 'where version = (select version from change_head where id = 1)';
    await use.database.run(`delete from change ${back}`);
    await use.database.run('update change_head set version = version - 1 where id = 1');
    assert.deepEqual(await find(), { ...all, account: 'As it was', token: undefined });
  });

  it('never keeps what was read before a change that it has heard of since', async () => {
    const { account, all } = await remembered(new Catalogue(use.database));
    const asked = gate();
    const answer = gate();
    let isSlow = true;
    const slow = {
      ...counted().sql,
      get: (async (text: string, params: string[]) => {
        const row = await use.database.get(text, params);
        if (isSlow && text.includes('from account ')) {
          asked.open();
          await answer.opened;
        }
        return row;
      }) as Database['get'],
    };
    const catalogue = new Catalogue(slow);
    await catalogue.refresh();
    const early = catalogue.account(account.userId, account.id);
    await asked.opened;
    await use.database.transaction((tx) => updateAccountRow(tx, { ...account, name: 'Renamed' }));
    await catalogue.refresh();
    isSlow = false;
    answer.open();
    assert.equal((await early)?.name, all.account);
    assert.equal((await catalogue.account(account.userId, account.id))?.name, 'Renamed');
  });

  it('keeps what it reads while others change, at whatever rate', async () => {
    const { account, all } = await remembered(new Catalogue(use.database));
    const { sql, statements } = counted();
    let meanwhile = async (): Promise<void> => {};
    const busy = {
      ...sql,
      get: (async (text: string, params: string[]) => {
        const row = await sql.get(text, params);
        if (text.includes('from account ')) await meanwhile();
        return row;
      }) as Database['get'],
    };
    const catalogue = new Catalogue(busy);
    await catalogue.refresh();
    meanwhile = async () => {
      const other = await newAccount(use.database);
      await use.database.transaction((tx) => removeAccount(tx, other.number, 1));
      await catalogue.refresh();
    };
    assert.equal((await catalogue.account(account.userId, account.id))?.name, all.account);
    statements.length = 0;
    assert.equal((await catalogue.account(account.userId, account.id))?.name, all.account);
    assert.deepEqual(statements, []);
  });
}
