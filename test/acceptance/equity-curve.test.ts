import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { CombinedCurveRecord } from '../../src/contract/operations/equity-curve.ts';
import {
  type BrokerClock,
  brokerTimeAt,
  DAY_MS,
  formatBrokerTime,
  HOUR_MS,
  MINUTE_MS,
  startOfHour,
} from '../../src/domain/broker-time.ts';
import { needs, testedOn } from '../needs.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type Curve = CombinedCurveRecord;
type Refusal = { details?: { parameter: string; message: string }[] };
type User = Awaited<ReturnType<typeof newUser>>;
type Name = 'usd' | 'eur' | 'jpy' | 'gbp' | 'empty';

const UTC = { zone: 'UTC', shiftHours: 0 };
/** Each on a clock of its own that shows no hour twice, one of them half an hour off. */
const ACCOUNTS: Record<Name, { currency: string; brokerClock: BrokerClock }> = {
  usd: { currency: 'USD', brokerClock: UTC },
  eur: { currency: 'EUR', brokerClock: { zone: 'America/Lima', shiftHours: 7 } },
  jpy: { currency: 'JPY', brokerClock: { zone: 'Asia/Kolkata', shiftHours: 0 } },
  gbp: { currency: 'GBP', brokerClock: UTC },
  empty: { currency: 'USD', brokerClock: UTC },
};
/** The account, the minute after the first hour of all, balance and equity. */
type Reading = readonly [Name, minute: number, balance: number, equity: number];
const USD: readonly Reading[] = [
  ['usd', 10, 1000, 990.5],
  ['usd', 130, 1000, 1010.25],
];
const EUR: Reading = ['eur', 65, 2000, 2100];
/** In Kolkata the hour of the first one ends in the next hour of UTC; that of the last one runs. */
const JPY: readonly Reading[] = [
  ['jpy', 160, 300_000, 301_000],
  ['jpy', 280, 300_000, 299_000],
];
const GBP: Reading = ['gbp', 190, 1, 1];
const READINGS = [...USD, EUR, ...JPY, GBP];
/** What counts in each hour, and how much of it is from before. */
const COUNTED: readonly (readonly [counted: (Reading | undefined)[], quiet: number])[] = [
  [[USD[0]], 0],
  [[USD[0], EUR], 1],
  [[USD[1], EUR], 1],
  [[USD[1], EUR, JPY[0]], 2],
  [[USD[1], EUR, JPY[1]], 2],
  [[USD[1], EUR, JPY[1]], 3],
];
const EUR_IN_USD = (1.1 + 1.1002) / 2;
const USD_IN_JPY = (149.9 + 150.1) / 2;
const RATES = { usd: 1 / EUR_IN_USD, eur: 1, jpy: 1 / USD_IN_JPY / EUR_IN_USD };
const EXPECTED = COUNTED.map(([counted, quiet]) => {
  const sum = (place: 2 | 3) =>
    counted.reduce((all, one) => all + (one ? one[place] * RATES[one[0] as 'usd'] : 0), 0);
  const [balance, equity] = [sum(2), sum(3)].map((each) => Number(each.toFixed(4)));
  return { balance, equity, accounts: counted.length, quiet };
});

const pair = (symbol: string, base: string, profit: string, marginMode = 'FOREX') => ({
  ...{ symbol, marginMode, currencyBase: base, currencyProfit: profit, currencyMargin: base },
  ...{ contractSize: 100_000, digits: 5, volumeMin: 0.01, volumeMax: 100, volumeStep: 0.01 },
});

for (const kind of testedOn()) {
  describe(`one curve of several accounts, on ${kind}`, () => {
    let running: TestServer;
    const firstMs = startOfHour(Date.now()) - 6 * HOUR_MS;
    before(async () => {
      running = await startOn(kind);
    });
    after(() => running.close());

    async function send(user: User, ids: Record<Name, string>, reading: Reading): Promise<void> {
      const [name, minute, balance, equity] = reading;
      const atMs = firstMs + minute * MINUTE_MS;
      const brokerTime = formatBrokerTime(brokerTimeAt(atMs, ACCOUNTS[name].brokerClock));
      const row = { accountId: ids[name], brokerTime, balance, equity };
      assert.equal((await user.post('/users/current/snapshots', [row])).status, 200);
    }
    async function newDesk(readings: readonly Reading[]): Promise<[User, Record<Name, string>]> {
      const user = await newUser(running.server.address);
      const ids = {} as Record<Name, string>;
      for (const [name, fields] of Object.entries(ACCOUNTS) as [Name, Record<string, unknown>][])
        ids[name] = await newAccount(user, fields);
      for (const reading of readings) await send(user, ids, reading);
      return [user, ids];
    }
    /** Puts the quotes of an account's market, made at a time. */
    async function quote(user: Client, accountId: string, clock: BrokerClock, atMs: number) {
      const brokerTime = formatBrokerTime(brokerTimeAt(atMs, clock));
      const body = {
        symbols: [
          pair('Fiber.x', 'EUR', 'USD'),
          pair('USDJPY', 'USD', 'JPY'),
          pair('GBPUSD', 'GBP', 'USD', 'CFD'),
        ],
        quotes: [
          { symbol: 'Fiber.x', bid: 1.1, ask: 1.1002, brokerTime },
          { symbol: 'USDJPY', bid: 149.9, ask: 150.1, brokerTime },
          { symbol: 'GBPUSD', bid: 1.3, ask: 1.3, brokerTime },
        ],
      };
      const put = await user.call('PUT', `/users/current/accounts/${accountId}/market`, body);
      assert.equal(put.status, 204, JSON.stringify(put.body));
    }
    const pathOf = (ids: readonly string[], currency: string, more = '') =>
      `/users/current/equity-curve?${ids.map((id) => `accountId=${id}&`).join('')}currency=${currency}${more}`;
    const atHour = (item: (typeof EXPECTED)[number], hour: number) =>
      ({ startTime: isoOf(hour), ...item }) as Curve['hours'][number];
    const isoOf = (hour: number): string => new Date(firstMs + hour * HOUR_MS).toISOString();
    it('is the same whatever came first, and says at which rates, and who is left out', async () => {
      const quotedMs = startOfHour(Date.now()) - DAY_MS;
      for (const readings of [READINGS, READINGS.toReversed()]) {
        const [user, ids] = await newDesk(readings);
        await quote(user, ids.jpy, ACCOUNTS.jpy.brokerClock, quotedMs - 1);
        await quote(user, ids.eur, ACCOUNTS.eur.brokerClock, quotedMs);
        const range = `&startTime=${isoOf(0)}&endTime=${isoOf(6)}`;
        const path = pathOf(Object.values(ids), 'EUR', range);
        const { hours, rates, leftOut } = await reached(user, path, EXPECTED.map(atHour));
        assert.deepEqual(hours, EXPECTED.map(atHour));
        assert.deepEqual(
          rates.map(({ rate, ...rest }) => ({ ...rest, rate: rate.toPrecision(12) })),
          [
            {
              ...{ currency: 'JPY', symbols: ['USDJPY', 'Fiber.x'] },
              ...{ quotedBy: [ids.eur, ids.eur], quoteTime: new Date(quotedMs).toISOString() },
              rate: RATES.jpy.toPrecision(12),
            },
            {
              ...{ currency: 'USD', symbols: ['Fiber.x'], quotedBy: [ids.eur] },
              ...{ quoteTime: new Date(quotedMs).toISOString(), rate: RATES.usd.toPrecision(12) },
            },
          ],
        );
        assert.deepEqual(leftOut, [
          { accountId: ids.gbp, reason: 'noRate' },
          { accountId: ids.empty, reason: 'noReadings' },
        ]);
        // Without a range it goes on to the running hour, with what was last known.
        const { hours: newest } = await user.asOfNow<Curve>(pathOf([ids.eur, ids.usd], 'EUR'));
        const last = newest.at(-1);
        assert.ok(last && last.startTime >= isoOf(6) && last.quiet === 2);
        assert.equal(newest[0]?.startTime, isoOf(0));
        // What was before the range counts from its beginning on.
        const later = pathOf([ids.eur, ids.usd], 'EUR', `&startTime=${isoOf(5)}`);
        const [first] = (await user.asOfNow<Curve>(later)).hours;
        assert.deepEqual(first, { ...last, startTime: isoOf(5) });
        await send(user, ids, ['empty', -2000, 7, 8]);
        await send(user, ids, ['empty', 300, 9, 9]);
        const between = pathOf([ids.empty], 'USD', `&startTime=${isoOf(-9)}&endTime=${isoOf(-8)}`);
        const known = { startTime: isoOf(-9), balance: 7, equity: 8, accounts: 1, quiet: 1 };
        assert.deepEqual((await reached(user, between, [known])).hours, [known]);
      }
    });

    it('is of what a token reaches, quotes included, and a quote counts for seven days', async () => {
      const [user, ids] = await newDesk([...USD, ...JPY]);
      const nowMs = Date.now();
      const operator = new Client(running.server.address, ADMIN_TOKEN);
      const narrow = { scopes: ['read'], accountIds: [ids.usd, ids.jpy] };
      const path = `/admin/users/${user.userId}/tokens`;
      const made = await operator.post<{ token: string }>(path, narrow);
      const client = new Client(running.server.address, made.body.token);
      const rightsOf = async (of: Client, names: Name[]) => {
        const asked = names.map((name) => ids[name]);
        const { status, body } = await of.get<Curve>(pathOf(asked, 'USD'));
        return status === 200 ? body.leftOut : status;
      };
      const noRate = [{ accountId: ids.jpy, reason: 'noRate' }];
      await quote(user, ids.eur, ACCOUNTS.eur.brokerClock, nowMs);
      await until(async () => (await rightsOf(user, ['usd', 'jpy']))?.toString() === '');
      assert.deepEqual(await rightsOf(client, ['usd', 'jpy']), noRate);
      assert.equal(await rightsOf(client, ['usd', 'eur']), 404);
      // Nothing of it is in the curve: no rate was used.
      assert.deepEqual((await user.asOfNow<Curve>(pathOf([ids.eur], 'USD'))).rates, []);
      assert.equal(await rightsOf(await newUser(running.server.address), ['usd']), 404);
      const clock = ACCOUNTS.eur.brokerClock;
      await quote(user, ids.eur, clock, nowMs - 7 * DAY_MS - MINUTE_MS);
      assert.deepEqual(await rightsOf(user, ['usd', 'jpy']), noRate);
      await quote(user, ids.eur, clock, nowMs - 7 * DAY_MS + 5 * MINUTE_MS);
      assert.deepEqual(await rightsOf(user, ['usd', 'jpy']), []);
      // A quote from the future is as old as what brought it.
      await quote(user, ids.eur, clock, nowMs + 30 * DAY_MS);
      const { rates } = await user.asOfNow<Curve>(pathOf([ids.jpy], 'USD'));
      assert.ok(Date.parse(rates[0]?.quoteTime ?? '') <= Date.now());
      assert.deepEqual(rates[0]?.symbols, ['USDJPY']);
      await user.call('DELETE', `/users/current/accounts/${ids.eur}`);
      assert.deepEqual(await rightsOf(user, ['usd', 'jpy']), noRate);
    });

    it('refuses what it cannot answer, naming the parameter', async () => {
      const user = await newUser(running.server.address);
      const id = await newAccount(user);
      const refusals: [string, string, string][] = [
        ['', 'accountId', 'is required'],
        ['&accountId=', 'accountId[0]', 'must be text of 1 to 128 characters'],
        [`&accountId=${id}&accountId=${id}`, 'accountId', 'must not have an item twice'],
        [
          Array.from({ length: 101 }, (_, n) => `&accountId=${n}`).join(''),
          ...(['accountId', 'must have at most 100 items'] as const),
        ],
        [
          `&accountId=${id}&startTime=2026-01-01T00:00:00Z&endTime=2026-02-11T16:00:01Z`,
          ...(['startTime', 'must not be more than 1000 hours before endTime'] as const),
        ],
        [
          `&accountId=${id}&startTime=2026-01-02T00:00:00Z&endTime=2026-01-01T00:00:00Z`,
          ...(['startTime', 'must not be after endTime'] as const),
        ],
        [
          `&accountId=${id}&startTime=2026-02-30T00:00:00Z`,
          ...(['startTime', 'must be a valid time of UTC, YYYY-MM-DDTHH:mm:ss.SSSZ'] as const),
        ],
      ];
      for (const [query, parameter, message] of refusals) {
        const { status, body } = await user.get<Refusal>(pathOf([], 'USD', query));
        assert.deepEqual([status, body.details], [400, [{ parameter, message }]], query);
      }
      assert.equal((await user.get(pathOf([id], 'usd'))).status, 400);
      assert.equal((await user.get(pathOf([id, 'none'], 'USD'))).status, 404);
      const full = `&startTime=2026-01-01T00:00:00Z&endTime=2026-02-11T16:00:00Z`;
      assert.equal((await user.get(pathOf([id], 'USD', full))).status, 200);
    });
  });
}

/** Asks until the hours are as expected, or as far as they come. */
async function reached(user: Client, path: string, wanted: Curve['hours']): Promise<Curve> {
  let answer = await user.asOfNow<Curve>(path);
  await until(async () => {
    answer = await user.asOfNow<Curve>(path);
    return isDeepStrictEqual(answer.hours, wanted);
  }).catch(() => {});
  return answer;
}
