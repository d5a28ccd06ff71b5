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
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type Fault = { parameter: string; message: string };
type ErrorBody = { error: string; message: string; details: Fault[] };
type Event = {
  sequenceNumber: number;
  accountId: string;
  trackerId: string;
  brokerTime: string;
  absoluteDrawdown: number;
  relativeDrawdown: number;
  absoluteProfit?: number;
  exceededThresholdType?: string;
};
type Period = { startBrokerTime: string; periodStatus: string; maxAbsoluteDrawdown: number };

const row = (accountId: string, brokerTime: string, equity: number, balance = 10_000) => ({
  accountId,
  brokerTime,
  balance,
  equity,
});
const FIVE_PERCENT = { name: 'daily', period: 'date', relativeDrawdownThreshold: 0.05 };

for (const kind of testedOn()) {
  describe(`charts, trackers and events on ${kind}`, () => {
    let running: TestServer;
    let client: Client & { userId: string };
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'warn' });
      client = await newUser(running.server.address);
    });
    after(() => running.close());

    const trackers = (id: string) => `/users/current/accounts/${id}/trackers`;
    const send = async (...rows: object[]): Promise<void> => {
      const sent = await client.post('/users/current/snapshots', rows);
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
    };
    const newTracker = async (id: string, fields: object): Promise<string> => {
      const made = await client.post<{ id: string }>(trackers(id), fields);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body.id;
    };
    const events = async (query: string, from: Client = client): Promise<Event[]> => {
      const answer = await from.get<Event[]>(`/users/current/drawdown-events/stream?${query}`);
      assert.equal(answer.status, 200);
      return answer.body;
    };

    it('creates, reads, lists, renames and deletes trackers', async () => {
      const id = await newAccount(client);
      const full = {
        name: 'everything',
        period: 'month',
        startBrokerTime: '2026-03-01 12:00:00.000',
        endBrokerTime: '2026-06-01 00:00:00.000',
        relativeDrawdownThreshold: 0.1,
        absoluteDrawdownThreshold: 500.25,
        relativeProfitThreshold: 0.2,
        absoluteProfitThreshold: 1000,
        baseline: 'peakEndOfDayBalance',
        initialCapital: 10_000,
        lockAt: 10_000,
        limitBase: 'initialCapital',
        adjustDeals: ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_CREDIT'],
        resetClock: { zone: 'Europe/Prague', time: '00:00' },
      };
      const trackerId = await newTracker(id, full);
      const path = `${trackers(id)}/${trackerId}`;
      assert.deepEqual((await client.get(path)).body, { _id: trackerId, ...full });
      assert.equal((await client.post(trackers(id), full)).status, 409);
      const second = await newTracker(id, FIVE_PERCENT);
      assert.equal((await client.call('PUT', path, { name: 'daily' })).status, 409);
      assert.equal((await client.call('PUT', path, { name: 'a b/c' })).status, 204);
      const byName = await client.get<{ _id: string }>(`${trackers(id)}/name/a%20b%2Fc`);
      assert.equal(byName.body._id, trackerId);
      const listed = await client.get<{ _id: string }[]>(trackers(id));
      assert.deepEqual(
        listed.body.map(({ _id }) => _id),
        [trackerId, second],
      );
      assert.equal((await client.call('DELETE', path)).status, 204);
      for (const method of ['GET', 'DELETE']) {
        assert.equal((await client.call(method, path)).status, 404);
      }
      await newTracker(id, full);
    });

    it('names every fault of a new tracker', async () => {
      const id = await newAccount(client);
      const faultsOf = async (fields: object): Promise<string[]> => {
        const answer = await client.post<ErrorBody>(trackers(id), { name: 'bad', ...fields });
        assert.equal(answer.status, 400);
        return answer.body.details.map(({ parameter }) => parameter).sort();
      };
      const malformed = {
        period: 'day',
        startBrokerTime: '2026-02-30 00:00:00',
        relativeDrawdownThreshold: 0,
        absoluteProfitThreshold: -1,
      };
      assert.deepEqual(await faultsOf(malformed), [
        'absoluteProfitThreshold',
        'relativeDrawdownThreshold',
        'startBrokerTime',
      ]);
      const senseless = {
        period: 'day',
        baseline: 'initialCapital',
        lockAt: 1,
        resetClock: { zone: 'Mars/Olympus', time: '24:00' },
      };
      assert.deepEqual(await faultsOf(senseless), [
        'initialCapital',
        'lockAt',
        'resetClock.time',
        'resetClock.zone',
      ]);
      const word = await client.post(trackers(id), { name: 'x', period: 'fortnight', more: 1 });
      assert.equal(word.status, 400);
      const inTurn = {
        startBrokerTime: '2026-03-02 00:00:00',
        endBrokerTime: '2026-03-01 00:00:00',
      };
      assert.equal((await client.post(trackers(id), { ...FIVE_PERCENT, ...inTurn })).status, 400);
    });

    it('answers 401 without a token and 404 for missing things and those of others', async () => {
      const id = await newAccount(client);
      const trackerId = await newTracker(id, FIVE_PERCENT);
      const stranger = await newUser(running.server.address);
      const paths = [
        trackers(id),
        `${trackers(id)}/${trackerId}`,
        `${trackers(id)}/${trackerId}/statistics`,
        `/users/current/accounts/${id}/equity-chart`,
      ];
      for (const path of paths) {
        assert.equal((await fetch(running.server.address + path)).status, 401, path);
        assert.equal((await stranger.get(path)).status, 404, path);
        const version = await client.call<ErrorBody>('GET', path, undefined, {
          'api-version': '2',
        });
        assert.equal(version.status, 400, path);
        assert.match(JSON.stringify(version.body.details), /must be 1/);
      }
      const other = await newAccount(client);
      assert.equal((await client.get(`${trackers(other)}/${trackerId}`)).status, 404);
      const stream = await fetch(`${running.server.address}/users/current/drawdown-events/stream`);
      assert.equal(stream.status, 401);
    });

    it('charts hours with time-weighted averages and, with realTime, the running one', async () => {
      const id = await newAccount(client);
      await send(
        row(id, '2026-03-02 10:00:00.000', 10_000),
        row(id, '2026-03-02 10:05:00.000', 10_300),
        row(id, '2026-03-02 10:10:00.000', 9_000),
        row(id, '2026-03-02 12:30:00.000', 9_500),
      );
      const path = `/users/current/accounts/${id}/equity-chart`;
      const range = 'startTime=2026-03-02 00:00:00&endTime=2026-03-03 00:00:00&realTime=true';
      const chart = await client.asOfNow<Record<string, unknown>[]>(`${path}?${range}`);
      assert.equal(chart.length, 2);
      assert.deepEqual(chart[0], {
        startBrokerTime: '2026-03-02 10:00:00.000',
        endBrokerTime: '2026-03-02 10:59:59.999',
        averageBalance: 10_000,
        minBalance: 10_000,
        maxBalance: 10_000,
        averageEquity: 10_150,
        minEquity: 9_000,
        maxEquity: 10_300,
        startBalance: 10_000,
        startEquity: 10_000,
        lastBalance: 10_000,
        lastEquity: 9_000,
      });
      const last = chart[1];
      assert.equal(last?.brokerTime, '2026-03-02 12:30:00.000');
      assert.deepEqual([last?.duration, last?.equity, last?.balance], [0, 9_500, 10_000]);
      const part = 'startTime=2026-03-02 10:59:00&endTime=2026-03-02 12:00:00&realTime=true';
      assert.equal((await client.asOfNow<unknown[]>(`${path}?${part}`)).length, 1);
      const wrong = 'startTime=2026-03-03 00:00:00&endTime=2026-03-02 12:00:00';
      assert.equal((await client.get(`${path}?${wrong}`)).status, 400);
      assert.equal((await client.get(`${path}?startTime=yesterday`)).status, 400);
      assert.equal((await client.get(`${path}?realTime=perhaps`)).status, 400);
    });

    it('reports a breach once, to the waiting poller, in both streams and by its time', async () => {
      const id = await newAccount(client);
      const trackerId = await newTracker(id, FIVE_PERCENT);
      const waiting = events(`accountId=${id}&wait=20`);
      await send(row(id, '2026-03-02 10:00:00', 9_500), row(id, '2026-03-02 10:00:01', 9_499.99));
      await send(row(id, '2026-03-02 10:00:02', 9_000));
      const [event, ...more] = await waiting;
      assert.deepEqual(more, []);
      assert.ok(event && event.sequenceNumber > 0);
      assert.deepEqual(event, {
        sequenceNumber: event.sequenceNumber,
        accountId: id,
        trackerId,
        startBrokerTime: '2026-03-02 00:00:00.000',
        endBrokerTime: '2026-03-02 23:59:59.999',
        period: 'date',
        brokerTime: '2026-03-02 10:00:01.000',
        absoluteDrawdown: 500.01,
        relativeDrawdown: 0.050001,
      });
      const after = `previousSequenceNumber=${event.sequenceNumber}&wait=0`;
      assert.deepEqual(await events(`${after}&trackerId=${trackerId}`), []);
      const stream = `/users/current/tracker-events/stream?trackerId=${trackerId}&wait=0`;
      const [full] = (await client.get<Event[]>(stream)).body;
      assert.deepEqual(full, {
        ...event,
        kind: 'drawdown',
        absoluteProfit: 0,
        relativeProfit: 0,
        exceededThresholdType: 'drawdown',
      });
      const byTime = '/users/current/tracker-events/by-broker-time?accountId=';
      const at = encodeURIComponent('2026-03-02 10:00:01.000');
      const exact = `${byTime}${id}&startBrokerTime=${at}&endBrokerTime=${at}`;
      assert.deepEqual((await client.get(exact)).body, [full]);
      const stranger = await newUser(running.server.address);
      assert.deepEqual(await events(`accountId=${id}&wait=0`, stranger), []);
      await send(row(id, '2026-03-03 00:00:00', 8_000), row(id, '2026-03-02 23:59:00', 1));
      const [next] = await events(`${after.replace('wait=0', 'wait=20')}&accountId=${id}`);
      assert.equal(next?.brokerTime, '2026-03-03 00:00:00.000');
      const path = `${trackers(id)}/${trackerId}/statistics`;
      const periods = await client.asOfNow<Period[]>(`${path}?realTime=true&limit=5`);
      assert.deepEqual(
        periods.map((one) => [one.startBrokerTime.slice(0, 10), one.periodStatus]),
        [
          ['2026-03-03', 'running'],
          ['2026-03-02', 'completed'],
        ],
      );
      const earlier = `${path}?realTime=true&startTime=2026-03-02 12:00:00`;
      const [first] = await client.asOfNow<Period[]>(earlier);
      assert.equal(first?.maxAbsoluteDrawdown, 500.01);
    });

    it('warns before a limit is broken, and keeps that out of the drawdown stream', async () => {
      const id = await newAccount(client);
      const trackerId = await newTracker(id, { ...FIVE_PERCENT, warnAt: 0.8 });
      await send(row(id, '2026-03-02 10:00:00', 9_600), row(id, '2026-03-02 10:00:01', 9_599));
      const [warning] = await events(`accountId=${id}&wait=0`);
      assert.equal(warning, undefined);
      const stream = `/users/current/tracker-events/stream?trackerId=${trackerId}`;
      const told = (await client.get<Event[]>(stream)).body;
      assert.deepEqual(told, [
        {
          sequenceNumber: told[0]?.sequenceNumber,
          kind: 'warning',
          accountId: id,
          trackerId,
          startBrokerTime: '2026-03-02 00:00:00.000',
          endBrokerTime: '2026-03-02 23:59:59.999',
          period: 'date',
          brokerTime: '2026-03-02 10:00:00.000',
          absoluteDrawdown: 400,
          relativeDrawdown: 0.04,
          warnAt: 0.8,
          used: 0.8,
        },
      ]);
      const evidence = `/users/current/tracker-events/${told[0]?.sequenceNumber}/evidence`;
      assert.equal((await client.get(evidence)).status, 404);
      const without = { name: 'w', period: 'date', relativeProfitThreshold: 0.1, warnAt: 0.5 };
      assert.equal((await client.post(trackers(id), without)).status, 400);
    });

    it('keeps profits out of the drawdown stream and refuses bad queries', async () => {
      const id = await newAccount(client);
      await newTracker(id, { name: 'target', period: 'lifetime', absoluteProfitThreshold: 100 });
      const path = `/users/current/tracker-events/stream?accountId=${id}&wait=20`;
      const waiting = client.get<Event[]>(path);
      await send(row(id, '2026-03-02 10:00:00', 10_000), row(id, '2026-03-02 10:01:00', 10_100.01));
      const [event] = (await waiting).body;
      assert.deepEqual(
        [event?.exceededThresholdType, event?.absoluteProfit, event?.absoluteDrawdown],
        ['profit', 100.01, 0],
      );
      assert.deepEqual(await events(`accountId=${id}&wait=0`), []);
      for (const query of ['limit=0', 'limit=1001', 'previousSequenceNumber=-1', 'wait=61']) {
        const answer = await client.get(`/users/current/drawdown-events/stream?${query}`);
        assert.equal(answer.status, 400, query);
      }
    });

    it('keeps evidence of a breach: its measurement and the snapshots around it', async () => {
      const id = await newAccount(client);
      const trackerId = await newTracker(id, FIVE_PERCENT);
      const at = (minute: number, equity: number) =>
        row(id, `2026-03-02 10:${String(minute).padStart(2, '0')}:00`, equity);
      await send(at(0, 9_900), at(1, 9_800), at(2, 9_000), at(3, 9_100), at(4, 9_200));
      const [event] = await events(`trackerId=${trackerId}&wait=20`);
      const path = `/users/current/tracker-events/${event?.sequenceNumber}/evidence`;
      type Evidence = {
        before: { equity: number }[];
        after: { equity: number }[];
        allowed: number;
      };
      const wanted = [9_100, 9_200];
      let evidence = (await client.get<Evidence>(path)).body;
      await until(async () => {
        evidence = (await client.get<Evidence>(path)).body;
        return evidence.after.length >= wanted.length;
      }, 'the snapshots after the breach');
      assert.deepEqual(
        evidence.before.map(({ equity }) => equity),
        [9_900, 9_800, 9_000],
      );
      assert.deepEqual(
        evidence.after.map(({ equity }) => equity),
        wanted,
      );
      assert.equal(evidence.allowed, 500);
      const stranger = await newUser(running.server.address);
      assert.equal((await stranger.get(path)).status, 404);
      assert.equal((await client.get('/users/current/tracker-events/x/evidence')).status, 404);
    });

    it('seeds a tracker whose start lies in the past from stored hours', async () => {
      const id = await newAccount(client);
      await send(
        row(id, '2026-03-02 10:00:00', 10_000),
        row(id, '2026-03-02 10:30:00', 9_000),
        row(id, '2026-03-03 10:00:00', 9_900),
        row(id, '2026-03-03 11:00:00', 9_950),
      );
      const fields = { ...FIVE_PERCENT, startBrokerTime: '2026-03-02 00:00:00' };
      const trackerId = await newTracker(id, fields);
      const [event] = await events(`trackerId=${trackerId}&wait=20`);
      assert.equal(event?.absoluteDrawdown, 1_000);
      const path = `${trackers(id)}/${trackerId}/statistics?realTime=true&limit=5`;
      const periods = await client.asOfNow<Period[]>(path);
      assert.deepEqual(
        periods.map(({ maxAbsoluteDrawdown }) => maxAbsoluteDrawdown),
        [100, 1_000],
      );
    });

    it('gives one verdict for a tracker, whenever it was added, and in a preview', async () => {
      const id = await newAccount(client);
      const profit = 10_000;
      const brokerTime = '2026-11-20 08:00:00';
      const deal = { id: 'deposit', type: 'DEAL_TYPE_BALANCE', profit, brokerTime };
      const sent = await client.post(`/users/current/accounts/${id}/deals`, [deal]);
      assert.equal(sent.status, 200);
      const fields = {
        period: 'lifetime',
        startBrokerTime: '2026-11-20 00:00:00',
        relativeDrawdownThreshold: 0.1,
      };
      const before = await newTracker(id, { ...fields, name: 'before' });
      await send(
        row(id, '2026-11-20 12:00:00', 10_000),
        row(id, '2026-11-20 12:30:00', 9_990),
        row(id, '2026-11-21 12:00:00', 2_000),
      );
      const after = await newTracker(id, { ...fields, name: 'after' });
      for (const trackerId of [before, after]) {
        const [event] = await events(`trackerId=${trackerId}&wait=20`);
        assert.deepEqual([event?.absoluteDrawdown, event?.relativeDrawdown], [8_000, 0.8]);
      }
      await until(async () => {
        const path = `${trackers(id)}/preview`;
        const preview = await client.post<{ events: Event[] }>(path, {
          ...fields,
          name: 'preview',
        });
        return preview.body.events[0]?.relativeDrawdown === 0.8;
      });
    });

    it('previews an account without snapshots by the balances of its deals', async () => {
      const id = await newAccount(client);
      const path = `${trackers(id)}/preview`;
      const rule = { period: 'date', relativeDrawdownThreshold: 0.05, name: 'preview' };
      type Preview = { seenBy?: string; periods: object[]; events: Event[] };
      const preview = async () => (await client.post<Preview>(path, rule)).body;
      assert.deepEqual(await preview(), { periods: [], events: [] });
      const own = `/users/current/accounts/${id}/deals`;
      const closed = { type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT', symbol: 'EURUSD' };
      const trade = { ...closed, volume: 1, price: 1.1 };
      await client.post(own, [
        { ...trade, id: '2', positionId: 'a', profit: -600, brokerTime: '2026-03-02 12:00:00' },
        { ...trade, id: '3', positionId: 'b', profit: 300, brokerTime: '2026-03-03 12:00:00' },
      ]);
      assert.deepEqual(await preview(), { periods: [], events: [] }, 'no money to begin with');
      const paid = { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 10_000 };
      await client.post(own, [{ ...paid, brokerTime: '2026-03-01 12:00:00' }]);
      const found = await preview();
      assert.deepEqual([found.seenBy, found.periods.length], ['deals', 3]);
      assert.deepEqual(
        found.events.map(({ absoluteDrawdown, relativeDrawdown }) => [
          ...[absoluteDrawdown, relativeDrawdown],
        ]),
        [[600, 0.06]],
      );
    });

    it('measures an account that begins without money from its funding on', async () => {
      const id = await newAccount(client);
      const limits = { period: 'lifetime', relativeDrawdownThreshold: 0.1 };
      const capital = { baseline: 'initialCapital', initialCapital: 10_000 };
      const plain = await newTracker(id, { ...limits, name: 'plain' });
      const fixed = await newTracker(id, { ...limits, ...capital, name: 'fixed' });
      const brokerTime = '2026-03-02 11:00:00';
      const deals = [{ id: '1', type: 'DEAL_TYPE_BALANCE', profit: 10_000, brokerTime }];
      await send(
        row(id, '2026-03-02 10:00:00', 0, 0),
        { ...row(id, brokerTime, 10_000), deals },
        row(id, '2026-03-02 12:00:00', 8_400),
      );
      for (const trackerId of [plain, fixed]) {
        const [event] = await events(`trackerId=${trackerId}&wait=20`);
        assert.equal(event?.relativeDrawdown, 0.16);
      }
    });

    it('exceeds an inclusive threshold by reaching it, and says so', async () => {
      const id = await newAccount(client);
      const strict = await newTracker(id, FIVE_PERCENT);
      const inclusive = { ...FIVE_PERCENT, name: 'inclusive', inclusive: true };
      const trackerId = await newTracker(id, inclusive);
      const shown = await client.get<object>(`${trackers(id)}/${trackerId}`);
      assert.deepEqual(shown.body, { _id: trackerId, ...inclusive });
      await send(row(id, '2026-03-02 10:00:00', 10_000), row(id, '2026-03-02 10:01:00', 9_500));
      const [event] = await events(`trackerId=${trackerId}&wait=20`);
      const path = `/users/current/tracker-events/${event?.sequenceNumber}/evidence`;
      const evidence = (await client.get<{ allowed: number; inclusive: boolean }>(path)).body;
      assert.deepEqual([evidence.allowed, evidence.inclusive], [500, true]);
      assert.deepEqual(await events(`trackerId=${strict}&wait=0`), []);
    });

    it('explains to users who send 5 for 5 % that it is a fraction', async () => {
      const id = await newAccount(client);
      const fields = { ...FIVE_PERCENT, relativeDrawdownThreshold: 5 };
      const answer = await client.post<ErrorBody>(trackers(id), fields);
      assert.equal(answer.status, 400);
      assert.match(JSON.stringify(answer.body.details), /0\.05 is 5 %/);
    });

    it('follows events as server-sent events and resumes after the last one', async () => {
      const id = await newAccount(client);
      await newTracker(id, FIVE_PERCENT);
      const url = `${running.server.address}/users/current/drawdown-events/live?accountId=${id}`;
      const follow = async (headers: Record<string, string>, count: number): Promise<Event[]> => {
        const leaving = new AbortController();
        const answer = await fetch(url, {
          headers: { 'auth-token': client.token ?? '', ...headers },
          signal: leaving.signal,
        });
        assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
        let text = '';
        const found = () => [...text.matchAll(/^id: (\d+)\ndata: (.*)\n\n/gm)];
        for await (const bytes of answer.body ?? []) {
          text += Buffer.from(bytes).toString();
          if (found().length >= count) break;
        }
        leaving.abort();
        return found().map(([, , data]) => JSON.parse(data ?? '') as Event);
      };
      const first = follow({}, 1);
      await send(row(id, '2026-03-02 10:00:00', 9_000));
      const [one] = await first;
      assert.equal(one?.absoluteDrawdown, 1_000);
      await send(row(id, '2026-03-03 10:00:00', 8_000), row(id, '2026-03-04 10:00:00', 7_000));
      const rest = await follow({ 'last-event-id': String(one?.sequenceNumber) }, 2);
      assert.deepEqual(
        rest.map(({ absoluteDrawdown }) => absoluteDrawdown),
        [2_000, 3_000],
      );
    });

    it('deletes live state with the account, also when the id is used again', async () => {
      const id = `again-${kind}`;
      await newAccount(client, { id });
      await newTracker(id, FIVE_PERCENT);
      await send(row(id, '2026-03-02 10:00:00', 9_000));
      assert.equal((await events(`accountId=${id}&wait=20`)).length, 1);
      assert.equal((await client.call('DELETE', `/users/current/accounts/${id}`)).status, 204);
      const refused = await client.post('/users/current/snapshots', [
        row(id, '2026-03-02 10:01:00', 9_000),
      ]);
      assert.equal(refused.status, 404);
      await newAccount(client, { id });
      await send(row(id, '2026-03-05 10:00:00', 10_000));
      const range = 'startTime=2026-03-01 00:00:00&realTime=true';
      const path = `/users/current/accounts/${id}/equity-chart?${range}`;
      assert.equal((await client.asOfNow<unknown[]>(path)).length, 1);
      assert.deepEqual((await client.get(trackers(id))).body, []);
    });
  });
}
