import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestTime } from '../../../test/servers/test-time.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import { ownPartition, revisionOf } from '../../../test/storage-contract/live-fixture.ts';
import { toUnits } from '../../domain/money.ts';
import { deleteAccount } from '../../services/accounts/delete-account.ts';
import {
  broken,
  type PlatformFixture,
  platformFixture,
} from '../../services/platform-accounts/platform.fixture.ts';
import type { Account } from '../../storage/account-store.ts';
import { listAuditEntries } from '../../storage/audit-store.ts';
import { type BreachAction, listActions, retryActions } from '../../storage/breach-action-store.ts';
import { storeEvents } from '../../storage/event-store.ts';
import { readIncidentEntries } from '../../storage/incident-store.ts';
import { insertProfile } from '../../storage/profile-store.ts';
import type { ActionConfirmation } from '../../words/actions.ts';
import { actionsOf, broke, passedPhase, STEP_MS } from './breach.fixture.ts';
import { BreachWorker } from './breach-worker.ts';

const LOGIN = 200003;

let fixture: PlatformFixture;
let time: TestTime;
let worker: BreachWorker;
before(async () => {
  fixture = await platformFixture();
  time = new TestTime(fixture.clock.nowMs);
  const context = { ...fixture.context, now: () => time.now() };
  worker = new BreachWorker(context, fixture.files.database, time, () => {});
  worker.start();
});
after(async () => {
  await worker.stop();
  await fixture.close();
});

const newBreach = (profileId = fixture.profile.id, login = LOGIN): ReturnType<typeof broke> =>
  broke(fixture.files.database, { profileId, login, nowMs: time.now() });

const retry = (id: number, entriesBelow = 400): Promise<number[]> =>
  fixture.files.database.transaction((tx) => retryActions(tx, 'user', { ids: [id], entriesBelow }));

/** Lets time pass whenever the action waits, until it is over. */
async function over(): Promise<BreachAction> {
  let action: BreachAction | undefined;
  const pass = async (): Promise<void> => {
    if (action?.state === 'waiting') await time.pass(250);
    fixture.clock.nowMs = time.now();
  };
  const isOver = async (): Promise<boolean> => {
    const [listed] = await listActions(fixture.files.database, { userId: 'user' }, 1000, 1);
    action = listed?.action;
    return action !== undefined && action.endedAtMs !== null;
  };
  await untilPassed(pass, isOver, 'the end of the action');
  assert.ok(action);
  return action;
}

test('an action is given up after 12 attempts, logged in incident and audit, and retried on request', async () => {
  const { database } = fixture.files;
  fixture.overrides.changeSettings = broken(false);
  const began = time.elapsed();
  const { number: accountNumber, timeMs, id } = await newBreach();
  const given = await over();
  assert.equal(given.state, 'escalated');
  assert.equal(given.attempts, 12);
  assert.match(given.message ?? '', /^Given up after 12 attempts: /);
  const minutes = (time.elapsed() - began) / 60_000;
  assert.ok(minutes > 2 && minutes < 7, `${minutes} minutes`);

  const entries = await readIncidentEntries(database, [{ accountNumber, timeMs }], 100);
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['noted', 'reopened'],
  );
  assert.match(entries[0]?.words ?? '', /^disableTrading: Given up after 12 attempts/);
  const audited = async (): Promise<(string | undefined)[]> => {
    const all = await listAuditEntries(database, { accountId: id }, 100, 0);
    return all.map(({ action }) => action).filter((action) => action.startsWith('breach-action.'));
  };
  assert.deepEqual(await audited(), ['breach-action.escalated']);

  delete fixture.overrides.changeSettings;
  assert.deepEqual(await retry(given.id, entries.length), [], 'its incident is full');
  assert.deepEqual(await retry(given.id), [given.id]);
  const done = await over();
  assert.deepEqual([done.state, done.attempts], ['done', 1]);
  assert.equal((await fixture.real.settings(LOGIN))?.tradingEnabled, false);
  assert.deepEqual((await audited()).sort(), ['breach-action.done', 'breach-action.escalated']);
});

test('an action that runs when its account is deleted is told once, as not known to be done', async () => {
  const { context, principal, overrides, real } = fixture;
  const { database } = fixture.files;
  await real.changeSettings(LOGIN, { tradingEnabled: true });
  const made = Promise.withResolvers<string>();
  let isTried = false;
  overrides.changeSettings = async (...of) => {
    delete overrides.changeSettings;
    const id = await made.promise;
    await context.catalogue.refresh();
    await deleteAccount(context, principal, id);
    isTried = true;
    await real.changeSettings(...of);
    return broken(true)();
  };
  const { id } = await newBreach();
  made.resolve(id);
  const held = "select 1 as held from claim where kind = 'breach-action'";
  const isLetGo = async (): Promise<boolean> => isTried && (await database.all(held)).length === 0;
  await untilPassed(() => time.pass(STEP_MS), isLetGo, 'the end of the attempt');
  const entries = await listAuditEntries(database, { accountId: id }, 100, 0);
  const told = entries.filter(({ action }) => action.startsWith('breach-action.'));
  assert.deepEqual(
    told.map(({ action, details: { message } }) => [action, message]),
    [['breach-action.stopped', 'The account was deleted before this was known to be done']],
  );
  assert.deepEqual(await database.all("select 1 from breach_action where state = 'waiting'"), []);
});

test('an action is not done if its breach was revised away in the meantime', async () => {
  const { database } = fixture.files;
  const { number } = await newBreach();
  const { partition, epoch } = await ownPartition(database);
  await storeEvents(database, partition, epoch, [revisionOf(number, { position: 2 })], 0);
  const { state, message } = await over();
  assert.equal(state, 'stopped');
  assert.match(message ?? '', /breach revised/);
});

/** A limit of 500 that was broken at an equity `above` that of the platform. */
async function brokenAt(above: number, confirm: ActionConfirmation): Promise<number> {
  await fixture.real.changeSettings(LOGIN, { tradingEnabled: true });
  const shown = await fixture.real.accountInformation(LOGIN);
  assert.ok(shown);
  const units = (amount: number): number => toUnits(amount, 4);
  const figures = { equity: units(shown.equity + above), absoluteDrawdown: units(600) };
  const place = { profileId: fixture.profile.id, login: LOGIN, nowMs: time.now() };
  const actions = [{ action: 'disableTrading', confirm }] as const;
  await broke(fixture.files.database, place, actions, { ...figures, allowed: units(500) });
  return shown.equity;
}
const isTrading = async (): Promise<boolean | undefined> =>
  (await fixture.real.settings(LOGIN))?.tradingEnabled;

test('an action is done if the platform shows the breach, too, and says what it showed', async () => {
  const equity = await brokenAt(-99, 'platform');
  const { state, confirm, seen } = await over();
  assert.deepEqual([state, confirm, seen?.equity], ['done', 'none', equity]);
  assert.equal(await isTrading(), false);
});

test('an action whose breach the platform does not show is done only if a person retries it', async () => {
  const equity = await brokenAt(-101, 'platform');
  const given = await over();
  assert.deepEqual([given.state, given.attempts], ['escalated', 1]);
  const floor = equity - 1;
  assert.equal(
    given.message,
    `The platform shows an equity of ${equity}; the limit is at ${floor}. ` +
      'Look at the account, and retry it to have it done all the same',
  );
  assert.equal(await isTrading(), true);
  assert.deepEqual(await retry(given.id), [given.id]);
  assert.equal((await over()).state, 'done');
  assert.equal(await isTrading(), false);
});

test('an action at a warning is done once the platform shows that the limit is near', async () => {
  const { database } = fixture.files;
  const warnedAt = async (above: number) => {
    await fixture.real.changeSettings(LOGIN, { tradingEnabled: true });
    const { equity } = (await fixture.real.accountInformation(LOGIN)) ?? { equity: 0 };
    const units = (amount: number): number => toUnits(amount, 4);
    const place = { profileId: fixture.profile.id, login: LOGIN, nowMs: time.now() };
    const account = await broke(
      database,
      place,
      [{ action: 'disableTrading', moment: 'warning' }, { action: 'closePositions' }],
      {
        ...{ equity: units(equity + above), absoluteDrawdown: units(400), warnAt: 0.8 },
        allowed: units(500),
      },
    );
    const given = await over();
    assert.equal((await actionsOf(database, account)).length, 1, 'those of a breach wait for it');
    return given;
  };
  assert.equal((await warnedAt(-1)).state, 'escalated');
  assert.equal(await isTrading(), true);
  const done = await warnedAt(0);
  assert.deepEqual([done.state, done.moment, done.action], ['done', 'warning', 'disableTrading']);
  assert.equal(await isTrading(), false);
});

test('an action on passing is done once the platform shows that the target is reached', async () => {
  const { database } = fixture.files;
  const { balance, equity } = (await fixture.real.accountInformation(LOGIN)) ?? assert.fail();
  const units = (amount: number): number => toUnits(amount, 4);
  /** The phase was passed with a profit `above` that of the platform, and a target of that. */
  const passed = async (above: number, then?: 'running'): Promise<BreachAction> => {
    await fixture.real.changeSettings(LOGIN, { tradingEnabled: true });
    const shown = { balance: units(balance + above), equity: units(equity + above) };
    const figures = { ...shown, profit: units(500), equityProfit: units(500) };
    await passedPhase(database, { profileId: fixture.profile.id, login: LOGIN }, figures, then);
    return over();
  };
  const given = await passed(0.01);
  assert.deepEqual([given.state, given.moment], ['escalated', 'passing']);
  assert.equal(
    given.message,
    `The platform shows a balance of ${balance} and an equity of ${equity}; ` +
      `the profit target is at ${Number((Math.min(balance, equity) + 0.01).toFixed(2))}. ` +
      'Look at the account, and retry it to have it done all the same',
  );
  assert.equal(await isTrading(), true);
  const done = await passed(0);
  assert.deepEqual([done.state, done.action], ['done', 'disableTrading']);
  assert.equal(await isTrading(), false);
  const reinstated = await passed(0, 'running');
  assert.deepEqual([reinstated.state, await isTrading()], ['stopped', true]);
});

test('trading is enabled again once later facts have removed the breach', async () => {
  const { database } = fixture.files;
  await fixture.real.changeSettings(LOGIN, { tradingEnabled: true });
  const place = { profileId: fixture.profile.id, login: LOGIN, nowMs: time.now() };
  const { number } = await broke(database, place, [
    { action: 'disableTrading', confirm: 'none' },
    { action: 'enableTrading', moment: 'revision' },
  ]);
  assert.deepEqual([(await over()).state, await isTrading()], ['done', false]);
  const { partition, epoch } = await ownPartition(database);
  const still = revisionOf(number, { position: 2, round: 0, stillExceeded: true });
  await storeEvents(database, partition, epoch, [still], 0);
  const gone = revisionOf(number, { position: 3, round: 1 });
  await storeEvents(database, partition, epoch, [gone], 0);
  const done = await over();
  assert.deepEqual([done.state, done.moment, done.round], ['done', 'revision', 1]);
  assert.equal(await isTrading(), true);
});

test('an action that asks for a person waits for one, whatever the platform shows', async () => {
  await brokenAt(-99, 'person');
  const given = await over();
  assert.deepEqual([given.state, given.confirm], ['escalated', 'person']);
  assert.equal(await isTrading(), true);
  assert.deepEqual(await retry(given.id), [given.id]);
  assert.equal((await over()).state, 'done');
});

test('an account with many slow actions does not block others', async () => {
  const { database } = fixture.files;
  const settled = Promise.withResolvers<undefined>();
  fixture.overrides.settings = () => settled.promise;
  const { number: slow } = await newBreach();
  const attemptsOf = async (number: number): Promise<unknown> => {
    const sql = 'select max(attempts) as most from breach_action where account_number = $1';
    return (await database.get(sql, [number]))?.most;
  };
  await untilPassed(
    () => time.pass(1000),
    async () => (await attemptsOf(slow)) === 1,
    'the first action under way',
  );
  const columns = `account_number, tracker_id, subject_id, start_time_ms, round, user_id, time_ms, action,
    is_dry_run, moment, confirm, due_at_ms, is_found, created_at_ms`;
  for (let place = 1; place <= 40; place += 1) {
    await database.run(
      `insert into breach_action (${columns}, place, state, attempts)
       select ${columns}, $2, 'waiting', 0 from breach_action
       where account_number = $1 and place = 0`,
      [slow, place],
    );
  }
  const { number: other } = await newBreach();
  await untilPassed(
    () => time.pass(1000),
    async () => (await attemptsOf(other)) === 1,
    "the other account's action",
  );
  await database.run('delete from breach_action where account_number = $1 and place > 0', [slow]);
  delete fixture.overrides.settings;
  settled.resolve(undefined);
});

test('a silent platform blocks no action on another one', async () => {
  const { database } = fixture.files;
  const settled = Promise.withResolvers<undefined>();
  const silent = { ...fixture.profile, id: 'silent', server: 'https://silent.example' };
  const sameServer = { ...silent, id: 'silent too' };
  await database.transaction(async (tx) => {
    await insertProfile(tx, silent);
    await insertProfile(tx, sameServer);
  });
  const { overrides, real } = fixture;
  overrides.settings = (login) => (login === LOGIN ? real.settings(login) : settled.promise);
  const stuck: Account[] = [];
  for (let login = 1; login <= 40; login += 1) {
    stuck.push(await newBreach(login % 2 === 0 ? silent.id : sameServer.id, login));
  }
  const running = async (): Promise<number> => {
    const states = await Promise.all(stuck.map((each) => actionsOf(database, each)));
    return states.flat().filter(({ state }) => state === 'running').length;
  };
  const pass = (): Promise<void> => time.pass(STEP_MS);
  await untilPassed(pass, async () => (await running()) === 32, 'all places of the platform');
  const other = await newBreach();
  const isDone = async (): Promise<boolean> =>
    (await actionsOf(database, other))[0]?.state === 'done';
  await untilPassed(pass, isDone, "the other platform's action");
  assert.equal(await running(), 32);
  delete overrides.settings;
  settled.resolve(undefined);
  const areOver = async (): Promise<boolean> => {
    const all = await Promise.all(stuck.map((each) => actionsOf(database, each)));
    return all.flat().every(({ endedAtMs }) => endedAtMs !== null);
  };
  await untilPassed(pass, areOver, 'the end of all');
});
