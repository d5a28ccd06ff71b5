import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { P5_MANAGER, type P5ServerProcess, startP5Server } from '../servers/p5-server-process.ts';
import { openOnPlatform } from '../servers/platform-openings.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server', 'openssl');

type Bucket = { lastBalance: number; lastEquity: number; minEquity: number; maxEquity: number };
type Event = { trackerId: string; absoluteDrawdown: number; absoluteProfit?: number };

for (const kind of testedOn()) {
  describe(`the live side of accounts on a p5 platform, with ${kind}`, () => {
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

    const bind = async (deposit: number): Promise<{ login: number; accountId: string }> => {
      const accounts = `/users/current/p5/provisioning-profiles/${profileId}/accounts`;
      const login = Number(await openOnPlatform(user, accounts, 'demo\\usd'));
      await p5.control('/deposit', { login, amount: deposit });
      const accountId = await newAccount(user, { login: String(login), profileId });
      return { login, accountId };
    };
    const chart = async (accountId: string): Promise<Bucket | undefined> => {
      const path = `/users/current/accounts/${accountId}/equity-chart?realTime=true`;
      return (await user.asOfNow<Bucket[]>(path)).at(-1);
    };
    const equityIs = (accountId: string, balance: number, equity: number): Promise<void> =>
      until(async () => {
        const bucket = await chart(accountId);
        return bucket?.lastBalance === balance && bucket.lastEquity === equity;
      });
    const quote = (bid: number): Promise<unknown> =>
      p5.control('/quote', { symbol: 'EURUSD', bid, ask: bid });

    it('shows balance and equity of the platform in the chart, as they move', async () => {
      const { login, accountId } = await bind(1000);
      await equityIs(accountId, 1000, 1000);
      await quote(1.1);
      await p5.control('/open', { login, symbol: 'EURUSD', side: 'buy', lots: 0.1 });
      await quote(1.11);
      await equityIs(accountId, 999.65, 1099.65);
      await quote(1.1);
      await equityIs(accountId, 999.65, 999.65);
      const bucket = await chart(accountId);
      assert.equal(bucket?.minEquity, 999.65);
      assert.equal(bucket?.maxEquity, 1099.65);
    });

    it('has the platform itself say what an order adds to its margin, where it is asked', async () => {
      const { login, accountId } = await bind(1000);
      await quote(1.1);
      await p5.control('/open', { login, symbol: 'EURUSD', side: 'buy', lots: 0.1 });
      const margin = async (type: string, query: string) => {
        const path = `/users/current/accounts/${accountId}/calculate-margin${query}`;
        const order = { symbol: 'EURUSD', type, volume: 0.1, openPrice: 1.1 };
        const answer = await user.post<{ margin?: number }>(path, order);
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        return [answer.body.margin, answer.headers.get('margin-basis')];
      };
      const asked = '?askPlatform=true';
      assert.deepEqual(await margin('ORDER_TYPE_BUY', asked), [110, 'platform']);
      assert.deepEqual(await margin('ORDER_TYPE_SELL', asked), [0, 'platform']);
      assert.deepEqual(await margin('ORDER_TYPE_SELL', ''), [110, 'formula']);
    });

    it('tells a loss from a withdrawal: only the loss crosses a drawdown line', async () => {
      const { login, accountId } = await bind(1000);
      await equityIs(accountId, 1000, 1000);
      const tracker = await user.post<{ id: string }>(
        `/users/current/accounts/${accountId}/trackers`,
        { name: 'daily loss', period: 'day', absoluteDrawdownThreshold: 50 },
      );
      assert.equal(tracker.status, 201, JSON.stringify(tracker.body));
      const events = async (): Promise<Event[]> =>
        (
          await user.get<Event[]>(
            `/users/current/drawdown-events/stream?accountId=${accountId}&wait=0`,
          )
        ).body;
      await p5.control('/deposit', { login, amount: -400 });
      await equityIs(accountId, 600, 600);
      await p5.control('/deposit', { login, amount: 300 });
      await equityIs(accountId, 900, 900);
      assert.deepEqual(await events(), []);
      await quote(1.1);
      await p5.control('/open', { login, symbol: 'EURUSD', side: 'buy', lots: 0.1 });
      await quote(1.09);
      await until(async () => (await events()).length > 0);
      const [event] = await events();
      assert.equal(event?.trackerId, tracker.body.id);
      assert.equal(event?.absoluteDrawdown, 100.35);
    });

    it('keeps many accounts up to date at a time', async () => {
      // One after another: opened at once, they wait for each other.
      const accounts = await Array.fromAsync({ length: 30 }, (_, index) => bind(index + 1));
      for (const [index, { accountId }] of accounts.entries())
        await equityIs(accountId, index + 1, index + 1);
      for (const { login } of accounts) await p5.control('/deposit', { login, amount: 100 });
      for (const [index, { accountId }] of accounts.entries())
        await equityIs(accountId, index + 101, index + 101);
    });

    it('continues after the platform and Plimsoll were killed', async () => {
      const { login, accountId } = await bind(1000);
      await equityIs(accountId, 1000, 1000);
      await p5.kill();
      await p5.start();
      await p5.control('/deposit', { login, amount: 1 });
      await equityIs(accountId, 1001, 1001);
    });

    it('calculates margin from the quotes of the platform', async () => {
      const { accountId } = await bind(1000);
      const order = { symbol: 'GBPUSD', type: 'ORDER_TYPE_BUY', volume: 0.1, openPrice: 1.25 };
      const path = `/users/current/accounts/${accountId}/calculate-margin`;
      const answer = await user.post<{ margin: number }>(path, order);
      assert.deepEqual([answer.status, answer.body], [200, { margin: 125 }]);
      const cross = await user.post(path, { ...order, symbol: 'EURGBP', openPrice: 0.88 });
      assert.equal(cross.status, 200);
      const unknown = await user.post(path, { ...order, symbol: 'NOPE' });
      assert.equal(unknown.status, 400);
    });
  });
}
