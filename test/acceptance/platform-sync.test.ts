import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { P5_MANAGER, type P5ServerProcess, startP5Server } from '../servers/p5-server-process.ts';
import { openOnPlatform } from '../servers/platform-openings.ts';
import {
  type Answer,
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { metricsOf } from '../servers/server-metrics.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server', 'openssl');

type Trade = { positionId: string; type: string; profit: number; closeTime: string };
type Trades = { trades: Trade[]; status?: string };

const RANGE = '2000-01-01 00:00:00.000/2100-01-01 00:00:00.000';

for (const kind of testedOn()) {
  describe(`accounts read from a p5 platform, with ${kind}`, () => {
    let running: TestServer;
    let p5: P5ServerProcess;
    let user: Client & { userId: string };
    let profileId: string;

    before(async () => {
      p5 = await startP5Server({ tls: true });
      running = await startOn(kind, { PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64') });
      user = await newUser(running.server.address);
      const profile = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
        ...{ name: 'Harbour', platform: 'p5', kind: 'p5-web-api', server: p5.url },
        ...{ ...P5_MANAGER, tlsFingerprint: p5.fingerprint },
      });
      profileId = profile.body.id;
    });
    after(async () => {
      await running.close();
      await p5.remove();
    });

    const newLogin = async (): Promise<number> => {
      const accounts = `/users/current/p5/provisioning-profiles/${profileId}/accounts`;
      return Number(await openOnPlatform(user, accounts, 'demo\\usd'));
    };
    /** A new account on the platform and its account here. */
    const bind = async (): Promise<{ login: number; accountId: string }> => {
      const login = await newLogin();
      return { login, accountId: await newAccount(user, { login, profileId }) };
    };
    const read = (accountId: string, update: boolean): Promise<Answer<Trades>> =>
      user.get<Trades>(
        `/users/current/accounts/${accountId}/historical-trades/${encodeURI(RANGE)}?updateHistory=${update}`,
      );
    /** As clients do it: again after 202, and after 503 while the platform is away. */
    const updated = async (accountId: string): Promise<Trade[]> => {
      let trades: Trade[] = [];
      await until(async () => {
        const { status, headers, body } = await read(accountId, true);
        if (status === 200) {
          trades = body.trades;
          return true;
        }
        assert.ok(status === 202 || status === 503, JSON.stringify(body));
        assert.ok(Number(headers.get('retry-after')) >= 1);
        return false;
      }, 'the trades');
      return trades;
    };
    const roundTurn = async (login: number, symbol = 'EURUSD'): Promise<string> => {
      const opened = await p5.control('/open', { login, symbol, side: 'buy', lots: 0.1 });
      await p5.control('/close', { position: opened.PositionID });
      return String(opened.PositionID);
    };

    it('shows trades of the platform as soon as they are requested', async () => {
      const { login, accountId } = await bind();
      await p5.control('/deposit', { login, amount: 1000, comment: 'first' });
      const first = await roundTurn(login);
      const trades = await updated(accountId);
      assert.deepEqual(
        trades.map(({ type, profit }) => [type, profit]),
        [
          ['DEAL_TYPE_BALANCE', 1000],
          ['DEAL_TYPE_BUY', -1.35],
        ],
      );
      assert.equal(trades[1]?.positionId, first);
      const second = await roundTurn(login, 'GBPUSD');
      const more = await updated(accountId);
      assert.deepEqual(
        more.slice(2).map(({ positionId }) => positionId),
        [second],
      );
    });

    it('reads accounts automatically, and reports how far behind it is', async () => {
      const { login, accountId } = await bind();
      await p5.control('/deposit', { login, amount: 50 });
      await until(async () => (await read(accountId, false)).body.trades?.length === 1);
      const metrics = await metricsOf(running.server.address);
      for (const name of ['lag_seconds', 'accounts', 'failing_accounts'])
        assert.match(metrics, new RegExp(`^plimsoll_sync_${name} \\d`, 'm'));
      assert.ok(!metrics.includes(profileId), 'no profile is named');
    });

    it('adopts edited, deleted and late deals', async () => {
      const { login, accountId } = await bind();
      const kept = await p5.control('/deposit', { login, amount: 100 });
      const gone = await p5.control('/deposit', { login, amount: 200 });
      assert.equal((await updated(accountId)).length, 2);
      await p5.control('/deal/edit', { deal: kept.Deal, fields: { Profit: 111 } });
      await p5.control('/deal/delete', { deal: gone.Deal });
      const hourAgo = Number(kept.TimeMsc) - 3_600_000;
      await p5.control('/deal', { login, fields: { Profit: 7, TimeMsc: hourAgo } });
      const trades = await updated(accountId);
      assert.deepEqual(
        trades.map(({ profit }) => profit),
        [7, 111],
      );
    });

    it('stores deals of unknown kinds, with their effect on the money', async () => {
      const { login, accountId } = await bind();
      const path = `/users/current/accounts/${accountId}`;
      const book = (Action: number, Profit: number, moves: string) =>
        p5.control('/deal', { login, fields: { Action, Profit, Comment: 'why' }, moves });
      await p5.control('/deposit', { login, amount: 1000 });
      await p5.control('/credit', { login, amount: 500 });
      await book(20, -500, 'Credit');
      await book(21, -30, 'Balance');
      // Of a kind that is the first to be seen while the account is read already.
      await until(async () => (await read(accountId, false)).body.trades?.length === 4);
      await book(77, 40, 'Credit');
      await book(78, 5, 'nothing');
      await until(async () => (await read(accountId, false)).body.trades?.length === 6);
      const { trades } = (await read(accountId, false)).body;
      assert.deepEqual(
        trades.map(({ type, profit }) => [type, profit]),
        [
          ...[['DEAL_TYPE_BALANCE', 1000] as const, ['DEAL_TYPE_CREDIT', 500] as const],
          ...[['DEAL_TYPE_SO_COMPENSATION_CREDIT', -500] as const],
          ...[['DEAL_TYPE_OTHER', -30] as const, ['DEAL_TYPE_OTHER_CREDIT', 40] as const],
          ...[['DEAL_TYPE_OTHER', 0] as const],
        ],
      );
      await updated(accountId);
      type Record = { unknownDeals?: number; sync: { state: string } };
      const { body: account } = await user.get<Record>(path);
      assert.deepEqual([account.unknownDeals, account.sync.state], [3, 'working']);
      const { body } = await user.get<{ balance: number; credit: number }>(`${path}/metrics`);
      assert.deepEqual([body.balance, body.credit], [970, 40]);
    });

    it('adopts a deal whose time was moved out of and into the past', async () => {
      const { login, accountId } = await bind();
      const deal = await p5.control('/deposit', { login, amount: 100 });
      await updated(accountId);
      const timeMs = Number(deal.TimeMsc) - 86_400_000;
      const fields = { TimeMsc: timeMs, Time: Math.floor(timeMs / 1000) };
      await p5.control('/deal/edit', { deal: deal.Deal, fields });
      const [moved, ...others] = await updated(accountId);
      assert.equal(others.length, 0);
      assert.equal(Date.parse(`${moved?.closeTime.replace(' ', 'T')}Z`), timeMs);
    });

    it('reads a long history in full, with the platform killed and restarted on the way', async () => {
      const login = await newLogin();
      for (let month = 1; month <= 12; month += 1) {
        const fields = { Profit: month, TimeMsc: Date.UTC(2026, month - 14, 15) };
        await p5.control('/deal', { login, fields });
      }
      for (let block = 0; block < 3; block += 1) await p5.control('/deals', { login, count: 900 });
      // Bound only now: deals that get old times after their months were read are not found.
      const accountId = await newAccount(user, { login, profileId });
      const first = read(accountId, true);
      await p5.kill();
      await first;
      await p5.start();
      await p5.control('/fault', { kind: 'drop', command: '/api/deal/get_batch' });
      await updated(accountId);
      await p5.kill();
      await p5.start();
      await roundTurn(login);
      // The first answer may be the outcome of a reading that began before the last deals.
      await updated(accountId);
      // A page of operation 1 holds 1 000 trades.
      await until(async () => (await updated(accountId)).length === 1000, 'a page of trades');
      /** Page by page, so one that was read before the last deals came may lie before them. */
      const readAll = async (): Promise<Set<string>> => {
        const all = new Set<string>();
        for (let offset = 0; offset < 4000; offset += 1000) {
          const page = await user.get<Trades>(
            `/users/current/accounts/${accountId}/historical-trades/${encodeURI(RANGE)}?offset=${offset}`,
          );
          for (const { positionId } of page.body.trades ?? []) all.add(positionId);
        }
        return all;
      };
      const { deals } = (await p5.control('/state')) as {
        deals: { Login: number; Entry: number; Action: number }[];
      };
      const exits = deals.filter(
        ({ Login, Entry, Action }) => Login === login && (Action === 2 || Number(Entry) === 1),
      );
      // Deals missing in the last reading come with the next one, within seconds.
      let all = new Set<string>();
      await until(async () => {
        all = await readAll();
        return all.size >= exits.length;
      });
      assert.equal(all.size, exits.length);
      assert.equal(exits.length, 12 + 2700 + 1);
    });

    it('follows the clock of the platform when it is moved', async () => {
      const { login, accountId } = await bind();
      await p5.control('/deposit', { login, amount: 1 });
      await updated(accountId);
      await p5.control('/clock', { hours: 3 });
      await p5.control('/deposit', { login, amount: 2 });
      await updated(accountId);
      await p5.control('/clock', { hours: -3 });
      await p5.control('/deposit', { login, amount: 4 });
      const profits = (await updated(accountId)).map(({ profit }) => profit);
      assert.deepEqual(profits.sort(), [1, 2, 4]);
    });

    it('answers 404 for a login that the platform does not have', async () => {
      const accountId = await newAccount(user, { login: '4242', profileId });
      assert.equal((await read(accountId, true)).status, 404);
    });

    it('stops in time while a platform hangs', async () => {
      const { accountId } = await bind();
      const { requests: before } = (await p5.control('/seen')) as { requests: string[] };
      await p5.control('/fault', { kind: 'hang', command: '/api/', times: 99 });
      const hanging = read(accountId, true).catch(() => undefined);
      await until(async () => {
        const { requests } = (await p5.control('/seen')) as { requests: string[] };
        return requests.length > before.length;
      });
      const code = await running.server.stop();
      await hanging;
      assert.equal(code, 0);
    });
  });
}
