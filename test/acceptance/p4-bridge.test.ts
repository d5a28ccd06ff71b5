import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { type P4BridgeProcess, startP4Bridge } from '../servers/p4-bridge-server-process.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('server');

type ErrorBody = { error: string; message: string };

describe('a p4 platform behind a bridge', () => {
  let running: TestServer;
  let bridge: P4BridgeProcess;
  let user: Client;
  let profileId: string;
  before(async () => {
    bridge = await startP4Bridge();
    running = await startOn('sqlite', {
      PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
    });
    user = await newUser(running.server.address);
    const made = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
      ...{ name: 'Bridge', platform: 'p4', kind: 'p4-bridge' },
      ...{ server: bridge.url, password: 'bridge-token' },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    profileId = made.body.id;
  });
  after(async () => {
    await running.close();
    await bridge.kill();
  });

  /** All trades of an account after its history was updated. */
  async function history(id: string): Promise<{ profit: number }[]> {
    const range = '2026-01-01 00:00:00.000/2027-01-01 00:00:00.000'.replaceAll(' ', '%20');
    const path = `/users/current/accounts/${id}/historical-trades/${range}?updateHistory=true`;
    return (await user.asOfNow<{ trades: { profit: number }[] }>(path)).trades;
  }

  const at = (path: string) => `/users/current/p4/provisioning-profiles/${profileId}${path}`;

  it('reads symbols of a group, account information and the accounts of a group', async () => {
    const symbols = await user.get<{ symbol: string }[]>(at('/symbolsGroup?group=0'));
    assert.equal(symbols.status, 200);
    assert.ok(symbols.body.some((each) => each.symbol === 'EURUSD'));
    const account = await user.get<Record<string, unknown>>(
      at('/accounts/100001/account-information'),
    );
    assert.equal(account.status, 200);
    assert.equal(account.body.platform, 'mt4');
    assert.equal(account.body.login, 100001);
    assert.equal((await user.get(at('/accounts/1/account-information'))).status, 404);
    for (const [group, count] of [
      ['real/pro usd', 3],
      ['vip-zürich', 2],
      ['bonus 100%', 1],
      ['preliminary', 0],
    ] as const) {
      const path = at(`/groups/${encodeURIComponent(group)}/accounts`);
      const users = await user.get<{ group: string }[]>(path);
      assert.equal(users.status, 200);
      assert.deepEqual(
        users.body.map((each) => each.group),
        Array(count).fill(group),
      );
    }
  });

  it('calculates margin and updates the history of a bound account', async () => {
    const id = await newAccount(user, { platform: 'p4', profileId, login: '100002' });
    const order = { symbol: 'EURUSD', type: 'ORDER_TYPE_BUY', volume: 1, openPrice: 1.1 };
    const margin = await user.post(`/users/current/accounts/${id}/calculate-margin`, order);
    assert.deepEqual(margin.body, { margin: 1100 });
    const trades = await history(id);
    const account = await user.get<{ balance: number }>(at('/accounts/100002/account-information'));
    const sum = trades.reduce((total, trade) => total + trade.profit, 0);
    assert.ok(trades.length > 100);
    assert.equal(Math.round(sum * 100), Math.round(account.body.balance * 100));
    assert.deepEqual(await history(id), trades);
  });

  it('answers 503 while the bridge does not, and never tells its token', async () => {
    await bridge.setFault({ kind: 'status', status: 500, code: 7 });
    const answer = await user.get<ErrorBody>(at('/accounts/100001/account-information'));
    assert.equal(answer.status, 503);
    assert.ok(answer.headers.has('retry-after'));
    assert.match(answer.body.message, /code 7/);
    await bridge.setFault({ kind: 'none' });
    assert.ok(!running.server.log().includes('bridge-token'));
    const profiles = await user.get('/users/current/provisioning-profiles');
    assert.ok(!JSON.stringify(profiles.body).includes('bridge-token'));
  });
});
