import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { TestTime } from '../../../test/servers/test-time.ts';
import { understood } from '../../../test/servers/understood.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { compareDeals, type Deal } from '../../domain/deal.ts';
import type { LoginFault, LoginState } from '../../platforms/gateway.ts';
import {
  type PlatformFixture,
  platformFixture,
} from '../../services/platform-accounts/platform.fixture.ts';
import { listDeals } from '../../storage/deal-store.ts';
import { findSync, saveSync } from '../../storage/sync-store.ts';
import { newSync } from './account-reading.ts';
import { type Member, newMember } from './member.ts';
import { proveHistory } from './prove-history.ts';
import { type ReadingWorld, readSlice, type SliceOutcome } from './slice-reading.ts';

const WHOLE = { backMs: 3_600_000, isWhole: true };
const DAY_MS = 86_400_000;

let fixture: PlatformFixture;
let world: ReadingWorld;
before(async () => {
  fixture = await platformFixture();
  const { context, profile, broker } = fixture;
  await context.gateways.use(profile, async (gateway) => {
    const brokerTime = () => broker.calendar.brokerTime(broker.now());
    world = { context, gateway, time: new TestTime(), brokerTime };
  });
});
after(() => fixture.close());
beforeEach(() => {
  for (const name of Object.keys(fixture.overrides)) delete fixture.overrides[name as 'user'];
});

let logins = 200_001;
/** Another account of the simulated platform, read for the first time. */
async function fresh(): Promise<Member> {
  const member = await unread(String(logins));
  logins += 1;
  await readSlice(world, [member], WHOLE);
  return member;
}
async function unread(login: string): Promise<Member> {
  const { profile, files } = fixture;
  const account = await newAccount(files.database, { login, profileId: profile.id });
  const bound = { ...account, profileId: profile.id };
  return newMember(bound, newSync(bound, undefined));
}
const storedOf = async ({ account }: Member): Promise<Deal[]> => {
  const start = { timeMs: -1, id: '' };
  return (await listDeals(fixture.files.database, account.number, start, 10_000)).toSorted(
    compareDeals,
  );
};
const platformDeals = ({ login, moneyDigits }: Member): Promise<Deal[]> =>
  fixture.real.deals({ login, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, moneyDigits });
/** As texts, because a difference between two thousand records takes minutes to print. */
const textsOf = (deals: readonly Deal[]): string =>
  deals
    .map(({ id, type, timeMs, profit, swap }) => [id, type, timeMs, profit, swap].join())
    .join(' ');
const deposit = (login: number, amount: number): Promise<{ dealId: string }> =>
  fixture.real.balanceOperation({
    ...{ login, type: 'DEAL_TYPE_BALANCE', amount },
    ...{ requestId: crypto.randomUUID(), firstSentMs: fixture.clock.nowMs },
  });
const told = (outcome: SliceOutcome) => ({
  readings: outcome.readings.map(({ member }) => member.login),
  doubtful: outcome.doubtful.map(({ member }) => member.login),
  failed: outcome.failed.map(({ message }) => message),
});
const NOTHING = { readings: [], doubtful: [], failed: [] };

describe('reading a slice', () => {
  it('stores all deals of a new account, and returns its state', async () => {
    const member = await unread(String(logins));
    logins += 1;
    const { readings } = await readSlice(world, [member], WHOLE);
    assert.equal(textsOf(await storedOf(member)), textsOf(await platformDeals(member)));
    const [state] = (
      await Array.fromAsync(fixture.real.readStates({ logins: [member.login] }))
    ).flat();
    assert.ok(state);
    const { login: _, ...funds } = understood(state);
    assert.deepEqual(readings[0]?.reading.state, funds);
    const sync = await findSync(fixture.files.database, member.account.number);
    assert.deepEqual([sync?.cursorMs, sync?.version], [world.brokerTime(), 1]);
  });

  it('requests deals only if money moved, and stores them before returning the state', async () => {
    const [calm, moved] = [await fresh(), await fresh()];
    const asked: number[][] = [];
    fixture.overrides.readDeals = (query) => {
      asked.push('logins' in query.selection ? [...query.selection.logins] : []);
      return fixture.real.readDeals(query);
    };
    assert.deepEqual(told(await readSlice(world, [calm, moved], undefined)), {
      ...{ ...NOTHING, readings: [calm.login, moved.login] },
    });
    assert.deepEqual(asked, []);
    const { dealId } = await deposit(moved.login, 250);
    const outcome = await readSlice(world, [calm, moved], undefined);
    assert.deepEqual(told(outcome).doubtful, []);
    assert.deepEqual(asked, [[moved.login]]);
    assert.equal((await storedOf(moved)).at(-1)?.id, dealId);
  });

  it('holds a state back while its deals do not explain it', async () => {
    const member = await fresh();
    await deposit(member.login, -300);
    fixture.overrides.readDeals = async function* () {};
    const outcome = await readSlice(world, [member], undefined);
    assert.deepEqual(told(outcome), { ...NOTHING, doubtful: [member.login] });
    delete fixture.overrides.readDeals;
    assert.deepEqual(told(await readSlice(world, [member], undefined)).readings, [member.login]);
  });

  it('finds deals that others have stored in the meantime, and doubts nothing', async () => {
    const member = await fresh();
    const other = newMember(member.account, { ...member.sync });
    await deposit(member.login, 10);
    assert.deepEqual(told(await readSlice(world, [other], WHOLE)).readings, [member.login]);
    await readSlice(world, [member], undefined);
    assert.equal(member.sync.version, other.sync.version);
    assert.deepEqual(told(await readSlice(world, [member], undefined)).readings, [member.login]);
  });

  it('lets one account fail alone', async () => {
    const [fine, garbled, gone] = [await fresh(), await fresh(), await unread('999999')];
    const noNumber = await unread('no number');
    fixture.overrides.readStates = async function* (selection) {
      for await (const states of fixture.real.readStates(selection))
        yield states.map((state): LoginState | LoginFault =>
          state.login === garbled.login ? { login: state.login, fault: 'no equity' } : state,
        );
    };
    const outcome = await readSlice(world, [fine, garbled, gone, noNumber], undefined);
    assert.deepEqual(told(outcome), {
      ...{ readings: [fine.login], doubtful: [] },
      failed: [
        'no equity',
        'Login 999999 was not found on the platform',
        'Login no number was not found on the platform',
      ],
    });
  });

  it('stores nothing of an account that was bound elsewhere', async () => {
    const member = await fresh();
    const { database } = fixture.files;
    await database.transaction((tx) =>
      tx.run('update account set profile_id = null where number = $1', [member.account.number]),
    );
    await deposit(member.login, 10);
    const { readings, gone } = await readSlice(world, [member], undefined);
    assert.deepEqual([readings, gone], [[], [member]]);
  });
});

describe('proving a history', () => {
  const drop = (member: Member, ids: readonly (string | undefined)[]): Promise<unknown> =>
    fixture.files.database.transaction(async (tx) => {
      for (const id of ids)
        await tx.run('delete from deal where account_number = $1 and id = $2', [
          member.account.number,
          id ?? '',
        ]);
    });

  it('restores deals however old they are, and notes that nothing is missing', async () => {
    const member = await fresh();
    const all = await storedOf(member);
    const old = all.filter(({ timeMs }) => timeMs < world.brokerTime() - 4 * DAY_MS);
    assert.ok(old.length > 20);
    await drop(member, [old[0]?.id, old[9]?.id, old.at(-1)?.id, all.at(-1)?.id]);
    assert.equal(await proveHistory(world, member, false), true);
    assert.equal(textsOf(await storedOf(member)), textsOf(all));
    assert.equal(await proveHistory(world, member, false), false);
    const sync = await findSync(fixture.files.database, member.account.number);
    assert.equal(sync?.provenAtMs, fixture.clock.nowMs);
    assert.equal(sync?.cursorMs, world.brokerTime());
  });

  it('proves a complete history with a handful of questions', async () => {
    const member = await fresh();
    let questions = 0;
    fixture.overrides.countDeals = (query) => {
      questions += 1;
      return fixture.real.countDeals(query);
    };
    await proveHistory(world, member, false);
    assert.equal(questions, 1);
  });

  it('keeps old deals that the platform no longer has, and removes those of the last days', async () => {
    const member = await fresh();
    const all = await platformDeals(member);
    const [first, last] = [all[0], all.at(-1)];
    const isThere = ({ id }: Deal) => id !== first?.id && id !== last?.id;
    fixture.overrides.deals = async (query) => (await fixture.real.deals(query)).filter(isThere);
    fixture.overrides.countDeals = async (query) =>
      (await fixture.real.deals({ ...query, moneyDigits: 4 })).filter(isThere).length;
    await proveHistory(world, member, false);
    const ids = new Set((await storedOf(member)).map(({ id }) => id));
    assert.ok((last?.timeMs ?? 0) > world.brokerTime() - 3 * DAY_MS);
    assert.deepEqual([ids.has(first?.id ?? ''), ids.has(last?.id ?? '')], [true, false]);
  });

  it('reads everything again if no number shows what was edited', async () => {
    const member = await fresh();
    const [first] = await storedOf(member);
    const edited = { ...first, profit: (first?.profit ?? 0) + 1 } as Deal;
    fixture.overrides.deals = async (query) =>
      (await fixture.real.deals(query)).map((deal) => (deal.id === first?.id ? edited : deal));
    assert.equal(await proveHistory(world, member, false), false);
    assert.equal(await proveHistory(world, member, true), true);
    assert.deepEqual((await storedOf(member))[0], edited);
  });

  it('proves nothing while others store deals of the account', async () => {
    const member = await fresh();
    const all = await storedOf(member);
    await drop(member, [all[0]?.id]);
    await saveSync(fixture.files.database, { ...member.sync, version: 99 });
    await assert.rejects(proveHistory(world, member, false), { code: 'unavailable' });
    const sync = await findSync(fixture.files.database, member.account.number);
    assert.equal(sync?.provenAtMs, null);
  });
});
