import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { encodeCommit, NewerFormat } from '../../src/journal/commit-codec.ts';
import type { Commit } from '../../src/journal/entry.ts';
import type { Journal, Staged } from '../../src/journal/journal.ts';
import { advancePartition } from '../../src/storage/journal-store.ts';
import { readPartitions } from '../../src/storage/partition-store.ts';
import { until } from '../servers/until.ts';
import { ownPartition } from '../storage-contract/live-fixture.ts';
import { commitOf, type JournalWorld, numberOf, readAll, readFilled } from './journal-world.ts';
import { registerOrderContract } from './order-contract.ts';

/** The requirements of every log for writing and folding, whatever is behind it. */
export function registerJournalContract(name: string, open: () => Promise<JournalWorld>): void {
  describe(`journal on ${name}`, () => {
    registerContent(open);
    registerListeners(open);
    registerOrderContract(open);
    registerTrim(open);
  });
}

/** A log of a describe block's own, and a process on it. */
export function useWorld(open: () => Promise<JournalWorld>) {
  let world: JournalWorld;
  let journal: Journal;
  before(async () => {
    world = await open();
    ({ journal } = await world.connect());
  });
  after(() => world.close());
  return {
    get world() {
      return world;
    },
    get journal() {
      return journal;
    },
    /** Numbers of the commits after a position, in order, of all that was acknowledged so far. */
    async numbersAfter(position: number): Promise<(number | undefined)[]> {
      await journal.head();
      const all = await readFilled(journal, position);
      return all.map((commit) => numberOf(commit, journal.partitions));
    },
    /** Stages commits in one transaction; it fails after them where asked to. */
    async stage(commits: readonly Commit[], fails = false): Promise<void> {
      const staged: Staged[] = [];
      await world.database.transaction(async (tx) => {
        for (const commit of commits) staged.push(await journal.stage(tx, commit));
        if (fails) throw new Error('rolled back');
      });
      await journal.release(staged);
    },
  };
}

function registerContent(open: () => Promise<JournalWorld>): void {
  describe('content', () => {
    const use = useWorld(open);

    it('gives back what was appended and staged, each entry to its partition', async () => {
      const { journal } = use;
      const after = await journal.head();
      const accounts = Array.from({ length: 40 }, (_, index) => index + 1);
      const large = commitOf(7, journal.partitions, accounts);
      await journal.append(large);
      await use.stage([commitOf(8, journal.partitions)]);
      assert.deepEqual(await use.numbersAfter(after), [7, 8]);
      const [stored] = await readFilled(journal, after);
      for (let partition = 0; partition < journal.partitions; partition += 1) {
        const found = stored?.entryOf(partition);
        const expected = large.entries.get(partition);
        assert.equal(found?.receivedUtcMs, 7);
        assert.deepEqual(found?.accounts, expected?.accounts);
        const rows = expected?.rowCount ?? 0;
        assert.deepEqual(
          [...(found?.equity ?? [])],
          [...(expected?.equity.subarray(0, rows) ?? [])],
        );
      }
    });

    it('counts positions from 1 on without gaps, over restarts', async () => {
      for (let n = 0; n < 3; n += 1) await use.journal.append(commitOf(n, use.journal.partitions));
      const { journal: other } = await use.world.connect();
      await other.append(commitOf(4, use.journal.partitions));
      const head = await other.head();
      const all = await readAll(other);
      assert.deepEqual(
        all.map(({ position }) => position),
        all.map((_, index) => index + 1),
      );
      assert.equal(head, all.length);
    });

    it('reads on after any position, page by page, and nothing at the end', async () => {
      const { journal } = use;
      const after = await journal.head();
      const numbers = Array.from({ length: 130 }, (_, index) => index);
      // All at once, the last would wait for the whole of them.
      for (let n = 0; n < numbers.length; n += 10) {
        const ten = numbers.slice(n, n + 10);
        await Promise.all(ten.map((each) => journal.append(commitOf(each, journal.partitions))));
      }
      const all = await readAll(journal, after);
      assert.equal(all.length, numbers.length);
      for (const skipped of [1, 64, 129]) {
        const [next] = await journal.read(after + skipped);
        assert.equal(next?.position, after + skipped + 1);
      }
      assert.deepEqual(await journal.read(after + 130), []);
      assert.deepEqual(await journal.read(after + 1e9), []);
    });

    it('has nothing of a transaction that was rolled back', async () => {
      const { journal } = use;
      const after = await journal.head();
      const two = [commitOf(1, journal.partitions), commitOf(2, journal.partitions)];
      await assert.rejects(use.stage(two, true), /rolled back/);
      await journal.append(commitOf(3, journal.partitions));
      assert.deepEqual(await use.numbersAfter(after), [3]);
    });

    it('takes a commit of as many snapshots as are written at once', async () => {
      const { journal } = use;
      const after = await journal.head();
      const accounts = Array.from({ length: 20_000 }, (_, index) => index + 1);
      await journal.append(commitOf(5, journal.partitions, accounts));
      const [stored] = await readAll(journal, after);
      let rows = 0;
      for (let partition = 0; partition < journal.partitions; partition += 1) {
        rows += stored?.entryOf(partition)?.rowCount ?? 0;
      }
      assert.equal(rows, accounts.length);
    });
  });

  describe('damage', () => {
    const use = useWorld(open);

    it('keeps an entry that cannot be read from those of other partitions, and from what follows', async () => {
      const { journal } = use;
      const after = await journal.head();
      const accounts = Array.from({ length: journal.partitions }, (_, index) => index);
      const body = encodeCommit(commitOf(1, journal.partitions, accounts));
      // Where the last entry begins: a row of the table for each entry follows a head of 16 bytes.
      const row = 16 + (accounts.length - 1) * 8;
      const table = new DataView(body.buffer);
      const last = table.getUint32(row, true);
      body[body.length - table.getUint32(row + 4, true)] = 99;
      await use.world.inject(body);
      await journal.append(commitOf(2, journal.partitions));
      await journal.head();
      const [damaged, next] = await readFilled(journal, after);
      for (const partition of accounts) {
        if (partition === last) assert.throws(() => damaged?.entryOf(partition), RangeError);
        else assert.equal(damaged?.entryOf(partition)?.timeMs[0], 1);
      }
      assert.equal(next && numberOf(next, journal.partitions), 2);
    });

    it('reads on behind bytes that are no commit at all', async () => {
      const { journal } = use;
      const after = await journal.head();
      for (const body of ['', 'x', 'this is no commit']) {
        await use.world.inject(Buffer.from(body));
      }
      await journal.append(commitOf(2, journal.partitions));
      await journal.head();
      const found = await readFilled(journal, after);
      assert.equal(found.length, 4);
      for (const commit of found.slice(0, 3)) {
        assert.throws(() => commit.entryOf(0), RangeError);
      }
    });

    it('says so when a newer version has written', async () => {
      const { journal } = use;
      const after = await journal.head();
      const body = encodeCommit(commitOf(1, journal.partitions));
      new DataView(body.buffer).setUint32(0, 2, true);
      await use.world.inject(body);
      await journal.head();
      await assert.rejects(journal.read(after), NewerFormat);
    });
  });
}

function registerListeners(open: () => Promise<JournalWorld>): void {
  describe('listeners', () => {
    const use = useWorld(open);

    it("hear a process' own commits with their positions, before they are acknowledged or by more", async (t) => {
      const { journal } = use;
      const after = await journal.head();
      const heard = new Map<number, Commit>();
      t.after(journal.listen({ appended: (at, commit) => heard.set(at, commit), more() {} }));
      const commits = [1, 2, 3, 4].map((n) => commitOf(n, journal.partitions));
      for (const commit of commits.slice(0, 2)) {
        await journal.append(commit);
        assert.ok([...heard.values()].includes(commit));
      }
      await use.stage(commits.slice(2));
      await journal.head();
      for (const stored of await readFilled(journal, after)) {
        const told = heard.get(stored.position);
        if (told) assert.equal(told.receivedUtcMs, numberOf(stored, journal.partitions));
      }
    });

    it('hear that there is more when another process has appended or staged', async (t) => {
      const { journal } = use;
      const { journal: other, database } = await use.world.connect();
      if (!database.isShared) return t.skip('one process has it');
      let news = 0;
      t.after(journal.listen({ appended() {}, more: () => (news += 1) }));
      await journal.append(commitOf(0, journal.partitions));
      // The first to listen may begin a moment late.
      await until(async () => {
        await other.append(commitOf(1, journal.partitions));
        return news > 0;
      }, 'news');
      const before = news;
      const staged = await database.transaction((tx) =>
        other.stage(tx, commitOf(2, journal.partitions)),
      );
      await other.release([staged]);
      await until(() => news > before, 'news of what was staged');
    });

    it('hear that there is more once a commit without a position has one', async (t) => {
      const { journal, world } = use;
      const { whilePositionsAreGiven } = world;
      if (!world.database.isShared) return t.skip('one process has it');
      if (!whilePositionsAreGiven) return t.skip('the log gives positions');
      const after = await journal.head();
      const heard = { positions: 0, news: 0 };
      t.after(
        journal.listen({ appended: () => (heard.positions += 1), more: () => (heard.news += 1) }),
      );
      let before = 0;
      await whilePositionsAreGiven(async () => {
        await journal.append(commitOf(1, journal.partitions));
        assert.deepEqual(await journal.read(after), []);
        before = heard.news;
      });
      await until(() => heard.news > before, 'news');
      assert.equal(heard.positions, 0);
      assert.deepEqual(await use.numbersAfter(after), [1]);
    });

    it('hear nothing any more once they have stopped, while others go on', async (t) => {
      const { journal } = use;
      const heard = { first: 0, second: 0 };
      const listen = (who: keyof typeof heard) => {
        const hear = () => (heard[who] += 1);
        return journal.listen({ appended: hear, more: hear });
      };
      const stop = listen('first');
      t.after(listen('second'));
      await journal.append(commitOf(1, journal.partitions));
      await until(() => heard.first > 0 && heard.second > 0, 'news for both');
      stop();
      const before = { ...heard };
      await journal.append(commitOf(2, journal.partitions));
      await until(() => heard.second > before.second, 'news for the other');
      assert.equal(heard.first, before.first);
    });
  });
}

function registerTrim(open: () => Promise<JournalWorld>): void {
  describe('trimming', () => {
    const use = useWorld(open);

    it('drops what every partition has folded and stored, received before a time', async () => {
      const { journal, world } = use;
      const { database } = world;
      const owned = [];
      for (const { partition } of await readPartitions(database)) {
        owned.push(await ownPartition(database, 'owner', partition));
      }
      for (let n = 1; n <= 10; n += 1) await journal.append(commitOf(n * 100, journal.partitions));
      const places = (await readFilled(journal)).map(({ position }) => position);
      const kept = () => use.numbersAfter(0);
      const from = (first: number) =>
        Array.from({ length: 11 - first }, (_, n) => (first + n) * 100);
      await journal.trim(1e9);
      assert.deepEqual(await kept(), from(1));
      for (const [index, row] of owned.entries()) {
        const position = places[(index === 0 ? 6 : 8) - 1] ?? 0;
        await advancePartition(database, row?.partition ?? -1, row?.epoch ?? -1, position);
      }
      // The fourth was received at 400.
      await journal.trim(400);
      assert.deepEqual(await kept(), from(4));
      await journal.trim(1e9);
      assert.deepEqual(await kept(), from(7));
      const [next] = await journal.read(0);
      const first = (places[5] ?? 0) + 1;
      assert.equal(next?.position, first, 'who is behind what was dropped sees the gap');
    });

    it('goes on counting when everything was dropped', async () => {
      const { journal, world } = use;
      const head = await journal.head();
      for (const { partition, epoch } of await readPartitions(world.database)) {
        await advancePartition(world.database, partition, epoch ?? 0, head);
      }
      await journal.trim(1e15);
      assert.deepEqual(await readAll(journal), []);
      await journal.append(commitOf(1, journal.partitions));
      assert.deepEqual(
        (await readAll(journal)).map(({ position }) => position),
        [head + 1],
      );
    });
  });
}
