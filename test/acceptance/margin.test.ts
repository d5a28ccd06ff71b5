import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('postgres', 'server');

type ErrorBody = { error: string; details?: { parameter: string; message: string }[] };
type Margin = { margin?: number };

const symbol = (name: string, fields: Record<string, unknown> = {}) => ({
  symbol: name,
  marginMode: 'FOREX',
  contractSize: 100_000,
  currencyBase: name.slice(0, 3),
  currencyProfit: name.slice(3, 6),
  currencyMargin: name.slice(0, 3),
  digits: 5,
  volumeMin: 0.01,
  volumeMax: 100,
  volumeStep: 0.01,
  ...fields,
});
const dollars = { currencyBase: 'USD', currencyProfit: 'USD', currencyMargin: 'USD' };
const quote = (name: string, bid: number, ask: number) => ({
  symbol: name,
  bid,
  ask,
  brokerTime: '2026-11-20 12:00:00.000',
});
const MARKET = {
  symbols: [
    symbol('EURUSD'),
    symbol('USDJPY', { digits: 3 }),
    symbol('EURJPY', { digits: 3 }),
    symbol('AUDNZD'),
    symbol('IDX', {
      ...dollars,
      marginMode: 'CFDINDEX',
      contractSize: 1,
      tickSize: 0.5,
      tickValue: 1,
    }),
    symbol('TBOND', { ...dollars, marginMode: 'EXCH_BONDS', contractSize: 1, faceValue: 1000 }),
  ],
  quotes: [quote('EURUSD', 1.099, 1.0991), quote('USDJPY', 150.1, 150.12)],
};
const order = (fields: Record<string, unknown> = {}) => ({
  symbol: 'EURUSD',
  type: 'ORDER_TYPE_BUY',
  volume: 0.1,
  openPrice: 1.0991,
  ...fields,
});

for (const kind of testedOn()) {
  describe(`margin on ${kind}`, () => {
    let running: TestServer;
    let user: Client;
    let accountId: string;
    before(async () => {
      running = await startOn(kind);
      user = await newUser(running.server.address);
      accountId = await newAccount(user);
      const put = await user.call('PUT', `/users/current/accounts/${accountId}/market`, MARKET);
      assert.equal(put.status, 204);
    });
    after(() => running.close());

    const path = (id: string) => `/users/current/accounts/${id}/calculate-margin`;
    const marginOf = (body: unknown) => user.post<Margin & ErrorBody>(path(accountId), body);

    it('calculates by the mode, converts to the currency of the account and rounds to its digits', async () => {
      const cases: [Record<string, unknown>, number][] = [
        [order(), 109.91],
        [order({ symbol: 'USDJPY', openPrice: 150.12 }), 100],
        [order({ symbol: 'EURJPY', openPrice: 165 }), 109.91],
        [order({ type: 'ORDER_TYPE_BUY_LIMIT', openPrice: 1.05 }), 0],
        [order({ symbol: 'IDX', volume: 2, openPrice: 12_500 }), 50_000],
        [order({ symbol: 'TBOND', volume: 3, openPrice: 98.5 }), 2955],
      ];
      for (const [body, margin] of cases) {
        const answer = await marginOf(body);
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        assert.deepEqual(answer.body, { margin }, JSON.stringify(body));
      }
    });

    it('answers without a margin when prices to convert by are missing', async () => {
      const answer = await marginOf(order({ symbol: 'AUDNZD', openPrice: 1.1 }));
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, {});
      assert.equal(answer.headers.get('margin-basis'), 'unavailable');
      assert.match(answer.headers.get('margin-doubt') ?? '', /AUD|NZD|price|quote/);
    });

    it('says that an account without a platform has none to ask', async () => {
      const asked = await user.post<Margin>(`${path(accountId)}?askPlatform=true`, order());
      assert.deepEqual([asked.status, asked.body], [200, {}]);
      assert.equal(asked.headers.get('margin-basis'), 'unavailable');
      assert.match(asked.headers.get('margin-doubt') ?? '', /no platform to ask/);
    });

    it('applies tiers of leverage, and names the method of its answer', async () => {
      const id = await newAccount(user);
      const [first, ...others] = MARKET.symbols;
      const leverageTiers = [
        { fromVolume: 0, leverage: 20 },
        { fromVolume: 0.5, leverage: 10 },
      ];
      const symbols = [{ ...first, leverageTiers }, ...others];
      const market = `/users/current/accounts/${id}/market`;
      assert.equal((await user.call('PUT', market, { ...MARKET, symbols })).status, 204);
      const plain = await user.post<Margin>(path(accountId), order({ volume: 1 }));
      const tiered = await user.post<Margin>(path(id), order({ volume: 1 }));
      assert.equal(plain.headers.get('margin-basis'), 'formula');
      assert.equal(tiered.headers.get('margin-basis'), 'tiers');
      // Of leverage 100: half of it at 20, the other half at 10.
      assert.ok(Math.abs((tiered.body.margin ?? 0) - (plain.body.margin ?? 0) * 7.5) < 0.05);
      const turned = [{ ...first, leverageTiers: leverageTiers.toReversed() }, ...others];
      assert.equal((await user.call('PUT', market, { ...MARKET, symbols: turned })).status, 400);
    });

    it('requires all four fields and names every fault at once', async () => {
      const none = await marginOf({});
      assert.equal(none.status, 400);
      assert.equal(none.body.error, 'ValidationError');
      const named = (body: ErrorBody) => body.details?.map((each) => each.parameter).sort();
      assert.deepEqual(named(none.body), ['openPrice', 'symbol', 'type', 'volume']);
      const all = await marginOf({ symbol: 'NOPE', type: 'BUY', volume: -1, openPrice: 0 });
      assert.equal(all.status, 400);
      assert.deepEqual(named(all.body), ['openPrice', 'symbol', 'type', 'volume']);
    });

    it('refuses volumes that the symbol does not allow, and numbers sent as text', async () => {
      for (const volume of [0, 0.001, 0.015, 100.01, 1e300, '1', null]) {
        const answer = await marginOf(order({ volume }));
        assert.equal(answer.status, 400, String(volume));
        assert.deepEqual(
          answer.body.details?.map((each) => each.parameter),
          ['volume'],
        );
      }
      assert.equal((await marginOf([])).status, 400);
      assert.equal((await marginOf('{')).status, 415);
    });

    it('answers 401 without a token and 404 for accounts of others', async () => {
      const stranger = await newUser(running.server.address);
      assert.equal((await stranger.post(path(accountId), order())).status, 404);
      assert.equal((await user.post(path('no-such-account'), order())).status, 404);
      const url = running.server.address + path(accountId);
      const anonymous = await fetch(url, { method: 'POST' });
      assert.equal(anonymous.status, 401);
      const put = `/users/current/accounts/${accountId}/market`;
      assert.equal((await stranger.call('PUT', put, MARKET)).status, 404);
    });

    it('calculates p4 accounts in p4 modes, with the percentage and the middle of the spread', async () => {
      const id = await newAccount(user, { platform: 'p4', leverage: 100 });
      const unknown = await user.post<ErrorBody>(path(id), order());
      assert.equal(unknown.status, 400);
      assert.equal(unknown.body.details?.[0]?.parameter, 'symbol');
      const symbols = [
        symbol('EURUSD', { marginMode: 'MARGIN_CALC_FOREX', percentage: 115 }),
        symbol('EURJPY', { marginMode: 'MARGIN_CALC_FOREX' }),
      ];
      const put = `/users/current/accounts/${id}/market`;
      const market = { symbols, quotes: [quote('EURUSD', 1.279, 1.281)] };
      assert.equal((await user.call('PUT', put, market)).status, 204);
      const own = await user.post<Margin>(path(id), order({ volume: 1, openPrice: 1.279 }));
      assert.deepEqual(own.body, { margin: 1470.85 });
      const cross = order({ symbol: 'EURJPY', volume: 1, openPrice: 165 });
      assert.deepEqual((await user.post<Margin>(path(id), cross)).body, { margin: 1280 });
    });

    it('asks the platform of an account that is bound to a profile', async () => {
      for (const [platform, login] of [
        ['p4', '100001'],
        ['p5', '200001'],
      ]) {
        const profile = { name: 'Simulated', platform, kind: 'simulated' };
        const made = await user.post<{ id: string }>(
          '/users/current/provisioning-profiles',
          profile,
        );
        assert.equal(made.status, 201);
        const bound = { platform, profileId: made.body.id, leverage: 1 };
        const id = await newAccount(user, { ...bound, login });
        const own = await user.post<Margin>(path(id), order({ volume: 1, openPrice: 1.1 }));
        assert.deepEqual(own.body, { margin: 1100 });
        const dollars = order({ symbol: 'USDJPY', volume: 1, openPrice: 150 });
        assert.deepEqual((await user.post<Margin>(path(id), dollars)).body, { margin: 1000 });
        assert.equal((await user.post(path(id), order({ symbol: 'NOPE' }))).status, 400);
        const stranger = await newAccount(user, { ...bound, login: '1' });
        assert.equal((await user.post(path(stranger), order())).status, 404);
      }
    });

    it('replaces a market as a whole and removes it with the account', async () => {
      const id = await newAccount(user);
      const put = `/users/current/accounts/${id}/market`;
      await user.call('PUT', put, MARKET);
      await user.call('PUT', put, { symbols: [symbol('GBPUSD')], quotes: [] });
      assert.equal((await user.post(path(id), order())).status, 400);
      assert.equal((await user.call('DELETE', `/users/current/accounts/${id}`)).status, 204);
      assert.equal((await user.post(path(id), order())).status, 404);
      await newAccount(user, { id });
      const unknown = await user.post<ErrorBody>(path(id), order({ symbol: 'GBPUSD' }));
      assert.deepEqual(
        unknown.body.details?.map(({ parameter }) => parameter),
        ['symbol'],
      );
    });

    it('names every fault of a market and bounds its lists', async () => {
      const put = `/users/current/accounts/${accountId}/market`;
      const symbols = [
        symbol('EURUSD', { marginMode: 'MARGIN_CALC_MAGIC' }),
        symbol('EURUSD', { volumeMin: 2, volumeMax: 1 }),
      ];
      const answer = await user.call<ErrorBody>('PUT', put, {
        symbols,
        quotes: [quote('EURUSD', 1.2, 1.1)],
      });
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.details?.map((each) => each.parameter).sort(), [
        'quotes[0].bid',
        'symbols[0].marginMode',
        'symbols[1].symbol',
        'symbols[1].volumeMin',
      ]);
      const many = Array.from({ length: 1001 }, (_, index) => symbol(`S${index}`));
      const tooMany = await user.call<ErrorBody>('PUT', put, { symbols: many, quotes: [] });
      assert.equal(tooMany.status, 400);
      assert.deepEqual((await marginOf(order())).body, { margin: 109.91 });
    });
  });
}
