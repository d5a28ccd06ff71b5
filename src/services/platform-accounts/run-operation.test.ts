import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { DAY_MS } from '../../domain/broker-time.ts';
import type { BalanceOperation } from '../../platforms/gateway.ts';
import { listAuditEntries } from '../../storage/audit-store.ts';
import { changeAccount } from './change-account.ts';
import { moveMoney } from './move-money.ts';
import { broken, type PlatformFixture, platformFixture } from './platform.fixture.ts';
import { setPassword } from './set-password.ts';

let fixture: PlatformFixture;
before(async () => {
  fixture = await platformFixture();
});
after(() => fixture.close());
beforeEach(() => {
  for (const name of Object.keys(fixture.overrides)) delete fixture.overrides[name as 'user'];
});

const LOGIN = 200003;
const PLACE = { platform: 'p5', profileId: 'profile', login: LOGIN } as const;
const move = (idempotencyKey: string, amount = 5): Promise<{ dealId: string }> =>
  moveMoney(fixture.context, fixture.principal, { ...PLACE, idempotencyKey }, { amount });
const change = (body: object, login = LOGIN): Promise<unknown> =>
  changeAccount(fixture.context, fixture.principal, { ...PLACE, login }, body);
/** The requests to the platform; the first answers get lost. */
const watchMoves = (lost = 0): BalanceOperation[] => {
  const sent: BalanceOperation[] = [];
  fixture.overrides.balanceOperation = async (operation) => {
    sent.push(operation);
    const outcome = await fixture.real.balanceOperation(operation);
    return sent.length > lost ? outcome : broken(true)();
  };
  return sent;
};
/** Operations with an audited beginning, but no end. */
const openEnded = async (): Promise<unknown[]> => {
  const entries = await listAuditEntries(fixture.files.database, {}, 1000, 0);
  const begun = entries.filter(({ action }) => action.endsWith('.started'));
  const ended = entries.filter(({ action }) => !action.endsWith('.started'));
  const ids = new Set(ended.map(({ details }) => details.requestId));
  return begun.filter(({ details }) => !ids.has(details.requestId));
};

test('a known answer is returned again without calling the platform', async () => {
  const sent = watchMoves();
  const key = crypto.randomUUID();
  const first = await move(key);
  fixture.clock.nowMs += 89 * DAY_MS;
  assert.deepEqual(await move(key), first);
  assert.equal(sent.length, 1);
});

test('after a lost answer the platform is asked, but not before it may have settled', async () => {
  const sent = watchMoves(1);
  const key = crypto.randomUUID();
  await assert.rejects(move(key), {
    code: 'unavailable',
    message: /unknown whether it took effect: send it again with the same Idempotency-Key/,
  });
  await assert.rejects(move(key), { code: 'unavailable', retryAfterSeconds: 5 });
  fixture.clock.nowMs += 5_000;
  const startedMs = fixture.clock.nowMs - 5_000;
  const { dealId } = await move(key);
  assert.equal(sent.length, 2);
  assert.equal(sent[0]?.requestId, sent[1]?.requestId);
  assert.equal(sent[1]?.firstSentMs, startedMs);
  assert.deepEqual(await move(key), { dealId });
  const ledger = await fixture.broker.ledger(LOGIN, fixture.clock.nowMs);
  const marks = ledger?.cash.filter(({ ticket }) => String(ticket) === dealId);
  assert.equal(marks?.length, 1);
});

test('a record lost with a backup does not lead to a second effect', async () => {
  const key = crypto.randomUUID();
  const first = await move(key);
  await fixture.files.database.transaction((tx) => tx.run('delete from platform_operation'));
  assert.deepEqual(await move(key), first);
});

test('a request that was certainly not sent may be repeated at once', async () => {
  fixture.overrides.balanceOperation = broken(false);
  const key = crypto.randomUUID();
  await assert.rejects(move(key), { code: 'unavailable', message: /it broke$/ });
  delete fixture.overrides.balanceOperation;
  assert.ok((await move(key)).dealId);
});

test('the key of a refused request may be used with better values, that of a repeated one not', async () => {
  const key = crypto.randomUUID();
  await assert.rejects(move(key, -1e8), { code: 'validation' });
  await move(key, 7);
  await assert.rejects(move(key, 8), { code: 'conflict' });
  const lost = crypto.randomUUID();
  fixture.overrides.balanceOperation = broken(true);
  await assert.rejects(move(lost, -1e8), { code: 'unavailable' });
  delete fixture.overrides.balanceOperation;
  fixture.clock.nowMs += 5_000;
  await assert.rejects(move(lost, -1e8), { code: 'validation' });
  await assert.rejects(move(lost, 8), { code: 'conflict' });
});

test('an account takes one change at a time, another account is free', async () => {
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    fixture.overrides.changeSettings = async () => {
      resolve();
      await held;
      return {
        settings: { enabled: true, tradingEnabled: true, group: 'x', leverage: 1 },
        alsoChanged: [],
      };
    };
  });
  const first = change({ leverage: 50 });
  await begun;
  delete fixture.overrides.changeSettings;
  await assert.rejects(change({ tradingEnabled: false }), {
    code: 'unavailable',
    message: /Another change to this account/,
  });
  await change({ tradingEnabled: false }, 200004);
  goOn();
  await first;
  await change({ tradingEnabled: false });
});

test('a password is set again under its key, and neither stored nor audited', async () => {
  const place = { ...PLACE, idempotencyKey: crypto.randomUUID() };
  const set = () => setPassword(fixture.context, fixture.principal, place, { kind: 'main' });
  const [first, second] = [await set(), await set()];
  assert.notEqual(first.password, second.password);
  const { database } = fixture.files;
  const rows = [
    ...(await database.all('select * from platform_operation')),
    ...(await database.all('select * from audit_entry')),
    ...(await database.all('select * from simulated_event')),
  ];
  for (const { password = 'none' } of [first, second])
    assert.ok(!JSON.stringify(rows).includes(password));
});

test('a dying process leaves its intention', async () => {
  assert.deepEqual(await openEnded(), []);
  const asked = new Promise<void>((resolve) => {
    fixture.overrides.balanceOperation = () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
  });
  const key = crypto.randomUUID();
  const dying = move(key);
  dying.catch(() => undefined);
  await asked;
  assert.equal((await openEnded()).length, 1);
  delete fixture.overrides.balanceOperation;
  await assert.rejects(move(key), { code: 'unavailable' });
  fixture.clock.nowMs += 120_000;
  assert.ok((await move(key)).dealId);
  assert.deepEqual(await openEnded(), []);
});

test('an operation begun by a clock days ahead blocks nothing once that is right', async () => {
  fixture.overrides.balanceOperation = broken(true);
  fixture.overrides.changeSettings = broken(false);
  const key = crypto.randomUUID();
  const hang = new Promise<never>(() => undefined);
  fixture.clock.nowMs += 5 * DAY_MS;
  await assert.rejects(move(key), { code: 'unavailable' });
  const begun = new Promise<void>((resolve) => {
    fixture.overrides.changeSettings = () => {
      resolve();
      return hang;
    };
  });
  change({ leverage: 50 }).catch(() => undefined);
  await begun;
  fixture.clock.nowMs -= 5 * DAY_MS;
  for (const name of ['balanceOperation', 'changeSettings'] as const)
    delete fixture.overrides[name];
  assert.ok((await move(key)).dealId);
  await change({ leverage: 60 });
});

test('operations are forgotten after their time', async () => {
  await move(crypto.randomUUID());
  // Including that of the test before, whose clock was days ahead.
  fixture.clock.nowMs += 100 * DAY_MS;
  await move(crypto.randomUUID());
  const rows = await fixture.files.database.all('select * from platform_operation');
  assert.equal(rows.length, 1);
});
