import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { encodeCommit } from '../../src/journal/commit-codec.ts';
import { commitOf, partitionOf } from '../../src/journal/entry.ts';
import { listAudit } from '../../src/services/audit/list-audit.ts';
import { ServiceError } from '../../src/services/errors.ts';
import { listSetAside, readTarget, showSetAside } from '../../src/services/set-aside/set-aside.ts';
import { retrySetAside, skipSetAside } from '../../src/services/set-aside/settle-set-aside.ts';
import type { Account } from '../../src/storage/account-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { needs } from '../needs.ts';
import { until } from '../servers/until.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { EngineWorld, type TestProcess } from './engine-world.ts';

needs('postgres');

/** An unknown clock: following it throws, as a defect of the fold would. */
const IMPOSSIBLE = {
  kind: 'clock-changed',
  clock: { zone: 'Nowhere/Land', shiftHours: 0 },
} as const;
/** After the head and the table of one entry: see commit-codec.ts. */
const FIRST_ENTRY_BYTE = 24;
const START_MS = Date.UTC(2026, 2, 1, 10);
const OPERATOR = { actor: 'cli:test', tokenId: null };

const refused = (code: string) => (error: unknown) =>
  error instanceof ServiceError && error.code === code;

/** A process with an account whose second entry cannot be folded; a third one has come since. */
async function quarantined(t: TestContext, kind: 'sqlite' | 'postgres') {
  const world = await EngineWorld.open(t, kind);
  const process = await world.start();
  const account = await newAccount(world.database);
  await send(process, account, 0, 100);
  await process.live.tell(account, IMPOSSIBLE);
  const position = await process.live.journal.head();
  await send(process, account, 1, 90);
  await process.store();
  return { world, process, account, position, target: `account:${account.number}` };
}

const send = ({ live }: TestProcess, account: Account, minute: number, balance: number) =>
  live.send(account.userId, [{ account, timeMs: START_MS + minute * 60_000, balance }]);

/** A commit whose entry cannot be decoded, as after damage to the database. */
async function appendGarbled(
  database: Database,
  { live }: TestProcess,
  { number }: Account,
): Promise<void> {
  const command = { kind: 'account-removed' } as const;
  const commit = commitOf(Date.now(), number, live.journal.partitions, command);
  const body = encodeCommit(commit).fill(0xff, FIRST_ENTRY_BYTE);
  await database.transaction(async (tx) => {
    const before = await tx.all<{ id: number }>('select id from journal_entry');
    await live.journal.stage(tx, commit);
    const known = [-1, ...before.map(({ id }) => id)].join();
    await tx.run(`update journal_entry set body = $1 where id not in (${known})`, [body]);
  });
}

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`data set aside by the journal, on ${kind}`, () => {
    it('is listed with its reason, and shown entry by entry', async (t) => {
      const { process, account, position, target } = await quarantined(t, kind);
      const { context } = process.live;
      const [found, ...others] = await listSetAside(context);
      assert.deepEqual(others, []);
      assert.match(found?.reason ?? '', /time zone/);
      const { userId, id: accountId } = account;
      assert.deepEqual(
        { ...found, reason: '' },
        { target, reason: '', position, userId, accountId },
      );
      const entries = await showSetAside(context, readTarget(target));
      const shown = entries.map(({ snapshots, command }) => [snapshots, command]);
      assert.ok(entries.some((entry) => entry.position === position));
      assert.deepEqual(shown.slice(-2), [
        [0, 'clock-changed'],
        [1, undefined],
      ]);
    });

    it('is folded without the skipped entry, and the audit says who skipped it', async (t) => {
      const { process, account, position, target } = await quarantined(t, kind);
      const { context } = process.live;
      await retrySetAside(context, OPERATOR, readTarget(target));
      await process.store();
      assert.equal((await listSetAside(context)).length, 1, 'what breaks again stays');
      await skipSetAside(context, OPERATOR, readTarget(target));
      await until(async () => {
        await process.store();
        return (await listSetAside(context)).length === 0;
      }, 'the end of the quarantine');
      assert.equal(await process.live.read(account, (view) => view.balance), 90_0000);
      const audit = await listAudit(context, { limit: 10, offset: 0 });
      const told = audit.map(({ actor, action, accountId, details }) => ({
        ...{ actor, action, accountId, position: details.position },
      }));
      const same = { actor: 'cli:test', accountId: account.id, position };
      assert.deepEqual(told, [
        { ...same, action: 'journal.skipped' },
        { ...same, action: 'journal.retried' },
      ]);
      await assert.rejects(
        skipSetAside(context, OPERATOR, readTarget(target)),
        refused('notFound'),
      );
    });

    it('includes unreadable entries; skipped ones are gone, the rest continued', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const account = await newAccount(world.database);
      const { context, journal } = process.live;
      const partition = partitionOf(account.number, journal.partitions);
      await send(process, account, 0, 100);
      const position = (await journal.head()) + 1;
      await appendGarbled(world.database, process, account);
      await send(process, account, 1, 90);
      await send(process, account, 2, 80);
      await process.store();
      const target = `entry:${partition}:${position}`;
      const [found] = await listSetAside(context);
      assert.equal(found?.target, target);
      assert.equal(await process.live.read(account, (view) => view.balance), 80_0000);
      await assert.rejects(
        retrySetAside(context, OPERATOR, readTarget(target)),
        refused('validation'),
      );
      await skipSetAside(context, OPERATOR, readTarget(target));
      assert.deepEqual(await listSetAside(context), []);
    });
  });
}
