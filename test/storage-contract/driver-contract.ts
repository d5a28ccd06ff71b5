import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  type Database,
  DatabaseUnavailable,
  type Transaction,
  UniqueViolation,
} from '../../src/storage/database.ts';
import { whenAvailable } from '../servers/when-available.ts';
import { gate, hold, useDatabase } from './fixture.ts';

/** Begins the payloads of `subscribed`. */
const QUESTION = 'who hears?';
const VALUES = [
  0,
  1,
  -1,
  2 ** 31,
  -(2 ** 31) - 1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
];

export function registerDriverContract(kind: Database['kind']): void {
  describe('driver', () => {
    const use = useDatabase(kind);
    let other: Database;
    /** Another process that hears announcements: with SQLite there is only the one. */
    const neighbour = (): Database => (kind === 'sqlite' ? use.database : other);
    before(async () => {
      await use.database.transaction((tx) =>
        tx.script(
          'create table thing (id text primary key, number bigint, real double precision, bytes bytea)',
        ),
      );
      other = use.connect();
    });
    after(() => other.close());

    const insert = (tx: Pick<Transaction, 'run'>, id: string): Promise<number> =>
      tx.run('insert into thing (id) values ($1)', [id]);
    const find = (id: string) => other.get('select id from thing where id = $1', [id]);

    it('names its kind inside and outside of transactions', async () => {
      assert.equal(use.database.kind, kind);
      assert.equal(await use.database.transaction(async (tx) => tx.kind), kind);
    });

    it('binds parameters by their numbers, in order, out of it, and more than once', async () => {
      const bound = async (numbers: number[]): Promise<unknown[]> => {
        const columns = numbers.map((number, index) => `cast($${number} as text) as c${index}`);
        const params = ['one', 'two', 'three'].slice(0, Math.max(...numbers));
        return Object.values((await other.get(`select ${columns.join(', ')}`, params)) ?? {});
      };
      assert.deepEqual(await bound([1, 2, 3]), ['one', 'two', 'three']);
      assert.deepEqual(await bound([2, 1, 3]), ['two', 'one', 'three']);
      assert.deepEqual(await bound([1, 2, 1]), ['one', 'two', 'one']);
      assert.deepEqual(await bound([1, 1, 2]), ['one', 'one', 'two']);
    });

    it('shows a transaction to others when its promise resolves, and not before', async () => {
      const answer = await use.database.transaction(async (tx) => {
        await insert(tx, 'committed');
        assert.ok(await tx.get('select id from thing where id = $1', ['committed']));
        assert.equal(await find('committed'), undefined);
        return 'what the work returns';
      });
      assert.equal(answer, 'what the work returns');
      assert.ok(await find('committed'));
    });

    it('rolls all of a failed transaction back, and hands its error on', async () => {
      const failure = new Error('no');
      const work = use.database.transaction(async (tx) => {
        await insert(tx, 'rolled-back');
        await tx.run('delete from thing where id <> $1', ['rolled-back']);
        throw failure;
      });
      await assert.rejects(work, (error) => error === failure);
      assert.equal(await find('rolled-back'), undefined);
      assert.ok(await find('committed'));
    });

    it('keeps a failed transaction out of those that run beside it', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 40 }, (_, index) =>
          use.database.transaction(async (tx) => {
            await insert(tx, `beside-${index}`);
            if (index % 2 === 1) throw new Error('odd');
          }),
        ),
      );
      const kept = await other.all("select id from thing where id like 'beside-%'");
      assert.equal(results.filter(({ status }) => status === 'rejected').length, 20);
      assert.equal(kept.length, 20);
    });

    it('never says that it stored what is not there, though work passed an error over', async () => {
      await insert(use.database, 'passed-over');
      const stored = await use.database
        .transaction(async (tx) => {
          await insert(tx, 'before-the-error');
          await insert(tx, 'passed-over').catch(() => {});
        })
        .then(
          () => true,
          () => false,
        );
      // SQLite undoes the failed statement alone, PostgreSQL all of the transaction.
      assert.equal(stored, kind === 'sqlite');
      assert.equal((await find('before-the-error')) !== undefined, stored);
      await insert(use.database, 'after-the-error');
      assert.ok(await find('after-the-error'));
    });

    it('tells a taken key as UniqueViolation, in a transaction and outside', async () => {
      await insert(use.database, 'unique');
      await assert.rejects(insert(use.database, 'unique'), UniqueViolation);
      const inside = use.database.transaction(async (tx) => {
        await insert(tx, 'with-the-taken');
        await insert(tx, 'unique');
      });
      await assert.rejects(inside, (error) => {
        assert.ok(error instanceof UniqueViolation);
        assert.match(error.constraint, /thing/);
        return true;
      });
      assert.equal(await find('with-the-taken'), undefined);
    });

    it('does not call other broken rules a UniqueViolation', async () => {
      const broken = use.database.run(
        'insert into access_token (id, user_id, hash, scopes, created_at_ms, kind) values ($1, $2, $3, $4, $5, $6)',
        ['t', 'nobody', 'h', 'read', 1, 'token'],
      );
      await assert.rejects(broken, (error) => !(error instanceof UniqueViolation));
    });

    it('holds integers up to 2^53 exactly, as numbers', async () => {
      for (const value of VALUES) {
        await use.database.run(
          'insert into thing (id, number) values ($1, $2) on conflict (id) do update set number = $2',
          ['number', value],
        );
        const row = await other.get('select number from thing where id = $1', ['number']);
        assert.equal(row?.number, value);
      }
    });

    it('answers counts and sums as numbers', async () => {
      const row = await use.database.get<{ count: number; sum: number }>(
        'select count(*) as count, sum(number) as sum from thing where id = $1',
        ['number'],
      );
      assert.deepEqual({ ...row }, { count: 1, sum: Number.MIN_SAFE_INTEGER });
    });

    it('holds prices to the last bit', async () => {
      for (const value of [0.1 + 0.2, 1e-300, Number.MAX_VALUE, -1.10235]) {
        await use.database.run(
          'insert into thing (id, real) values ($1, $2) on conflict (id) do update set real = $2',
          ['real', value],
        );
        const row = await other.get('select real from thing where id = $1', ['real']);
        assert.equal(row?.real, value);
      }
    });

    it('holds bytes of any length and place in memory as they are', async () => {
      const memory = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
      const views = [
        new Uint8Array(),
        memory.subarray(3, 4),
        memory.subarray(1, 10),
        Buffer.from(memory.buffer, 5, 257),
        memory.subarray(7),
      ];
      for (const view of views) {
        await use.database.run(
          'insert into thing (id, bytes) values ($1, $2) on conflict (id) do update set bytes = $2',
          ['bytes', view],
        );
        const row = await other.get<{ bytes: Uint8Array }>(
          'select bytes from thing where id = $1',
          ['bytes'],
        );
        assert.ok(row?.bytes instanceof Uint8Array);
        assert.ok(Buffer.from(row.bytes).equals(view), `${view.length} bytes`);
      }
    });

    it('holds texts of every language, quotes and line ends as they are', async () => {
      const text = `O'Neil "x" \\ $1 ?1 %_ \r\n\t Привет 你好 🚀 ${'é'.normalize('NFD')}`;
      await insert(use.database, text);
      assert.equal((await find(text))?.id, text);
    });

    it('tells how many rows a statement changed', async () => {
      assert.equal(await insert(use.database, 'a-1'), 1);
      assert.equal(await insert(use.database, 'a-2'), 1);
      const remove = () => use.database.run("delete from thing where id like 'a-%'");
      assert.equal(await remove(), 2);
      assert.equal(await remove(), 0);
    });

    it('runs several statements as a script', async () => {
      await use.database.transaction((tx) =>
        tx.script("insert into thing (id) values ('s-1'); insert into thing (id) values ('s-2');"),
      );
      assert.ok((await find('s-1')) && (await find('s-2')));
    });

    it('lets one holder of a lock go on at a time', async () => {
      let inside = 0;
      let most = 0;
      const work = async (tx: Transaction): Promise<void> => {
        await tx.lock('one at a time');
        inside += 1;
        most = Math.max(most, inside);
        const row = await tx.get<{ number: number }>(
          "select number from thing where id = 'counter'",
        );
        await tx.run("update thing set number = $1 where id = 'counter'", [
          Number(row?.number) + 1,
        ]);
        inside -= 1;
      };
      await use.database.run("insert into thing (id, number) values ('counter', 0)");
      await Promise.all(Array.from({ length: 8 }, () => use.database.transaction(work)));
      const row = await other.get("select number from thing where id = 'counter'");
      assert.deepEqual([most, row?.number], [1, 8]);
    });

    it('takes a free lock at once, and a taken one not at all', async () => {
      const free = await use.database.transaction((tx) => tx.tryLock('a lock'));
      assert.equal(free, true);
      if (kind === 'sqlite') return;
      const holding = gate();
      const done = gate();
      const holder = use.database.transaction(async (tx) => {
        await tx.lock('a lock');
        holding.open();
        await hold(tx, done.opened);
      });
      await holding.opened;
      assert.equal(await other.transaction((tx) => tx.tryLock('a lock')), false);
      assert.equal(await other.transaction((tx) => tx.tryLock('another lock')), true);
      done.open();
      await holder;
      assert.equal(await other.transaction((tx) => tx.tryLock('a lock')), true);
    });

    it('tells listeners of every process what was announced last, until they stop', async () => {
      const heard = { own: [] as string[], other: [] as string[] };
      const arrived = { own: gate(), other: gate() };
      const stops = (['own', 'other'] as const).map((whose) => {
        const database = whose === 'own' ? use.database : neighbour();
        return database.listen('plimsoll_events', (payload) => {
          heard[whose].push(payload);
          if (payload === 'last') arrived[whose].open();
        });
      });
      // A listener of PostgreSQL may begin a moment late: earlier announcements are then lost.
      await Promise.all([
        subscribed(use.database, neighbour()),
        subscribed(neighbour(), use.database),
      ]);
      for (let n = 0; n < 50; n += 1) use.database.announce('plimsoll_events', String(n));
      use.database.announce('plimsoll_events', 'last');
      use.database.announce('plimsoll_journal', 'to others');
      await Promise.all([arrived.own.opened, arrived.other.opened]);
      for (const stop of stops) stop();
      const last = gate();
      const stop = use.database.listen('plimsoll_events', (payload) => {
        if (payload === 'after the stop') last.open();
      });
      use.database.announce('plimsoll_events', 'after the stop');
      await last.opened;
      stop();
      for (const payloads of Object.values(heard)) {
        assert.equal(announced(payloads).at(-1), 'last');
        assert.ok(!payloads.includes('to others'));
      }
    });

    it('tells listeners of its own process of an announcement once', async () => {
      const heard: string[] = [];
      const isOver = gate();
      const stop = use.database.listen('plimsoll_events', (payload) => {
        heard.push(payload);
        if (payload === 'after') isOver.open();
      });
      await Promise.all([
        subscribed(use.database, neighbour()),
        subscribed(neighbour(), use.database),
      ]);
      const told = gate();
      const stopOther = neighbour().listen('plimsoll_events', (payload) => {
        if (payload === 'own') told.open();
      });
      use.database.announce('plimsoll_events', 'own');
      await told.opened;
      // An echo would come before this.
      neighbour().announce('plimsoll_events', 'after');
      await isOver.opened;
      stop();
      stopOther();
      assert.deepEqual(announced(heard), ['own', 'after']);
    });

    it('never makes anybody wait for an announcement, nor fails with one', async () => {
      const database = use.connect();
      database.announce('plimsoll_events', 'x');
      await database.close();
      database.announce('plimsoll_events', 'too late');
    });

    it('runs work again that lost a deadlock, and leaves nothing of the first time', async (t) => {
      if (kind === 'sqlite') return t.skip('writers take turns on SQLite');
      for (const id of ['left', 'right']) {
        await use.database.run('insert into thing (id, number) values ($1, 0)', [id]);
      }
      const both = [gate(), gate()];
      let runs = 0;
      const add = (ids: readonly string[], place: number) =>
        use.database.transaction(async (tx) => {
          runs += 1;
          const sql = 'update thing set number = number + 1 where id = $1';
          await tx.run(sql, [ids[0] ?? '']);
          both[place]?.open();
          await both[1 - place]?.opened;
          await tx.run(sql, [ids[1] ?? '']);
        });
      await Promise.all([add(['left', 'right'], 0), add(['right', 'left'], 1)]);
      assert.ok(runs > 2, 'one of them lost');
      const rows = await other.all("select number from thing where id in ('left', 'right')");
      assert.deepEqual(
        rows.map(({ number }) => number),
        [2, 2],
      );
    });

    it('lets others go on while many transactions of one owner wait for each other', async (t) => {
      if (kind === 'sqlite') return t.skip('writers of SQLite take turns, and hold nothing else');
      const done = gate();
      const locked = gate();
      const holding = use.database.transaction(async (tx) => {
        await tx.lock('of one');
        locked.open();
        await hold(tx, done.opened);
      });
      await locked.opened;
      const waiting = Array.from({ length: 20 }, () =>
        use.database.transaction((tx) => tx.lock('of one'), { owner: 'one' }),
      );
      try {
        assert.ok(await use.database.get('select 1 as one'));
        await use.database.transaction((tx) => tx.lock('of another'), { owner: 'another' });
      } finally {
        done.open();
        await Promise.allSettled([holding, ...waiting]);
      }
      await Promise.all(waiting);
    });

    it('ends a statement that takes too long, and says that it is unavailable', async (t) => {
      if (kind === 'sqlite') return t.skip('a statement of SQLite ends when its call returns');
      const slow = use.database.transaction((tx) => tx.run('select pg_sleep(30)'), {
        statementMs: 50,
      });
      await assert.rejects(slow, DatabaseUnavailable);
      // On a busy machine it was taken for silent, and is asked again.
      assert.ok(await whenAvailable(() => use.database.get('select 1 as one')));
    });
  });
}

/**
 * Waits until others' announcements are heard: a process hears itself before it listens to
 * PostgreSQL.
 */
async function subscribed(database: Database, speaker: Database): Promise<void> {
  const heard = gate();
  const question = `${QUESTION} ${randomUUID()}`;
  const stop = database.listen('plimsoll_events', (payload) => {
    // Nothing: it has begun to listen just now.
    if (payload === '' || payload === question) heard.open();
  });
  const asking = setInterval(() => speaker.announce('plimsoll_events', question), 20);
  await heard.opened;
  clearInterval(asking);
  stop();
}

/** Announcements except those of `subscribed`, which may arrive late. */
const announced = (payloads: readonly string[]): string[] =>
  payloads.filter((payload) => payload !== '' && !payload.startsWith(QUESTION));
