import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import {
  Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type ErrorBody = { message: string; details: { parameter: string; message: string }[] };
type Event = { sequenceNumber: number; kind: string; state?: string; rule?: string };
type Details = {
  state: string;
  version: number;
  phase: number;
  startBrokerTime?: string;
  endBrokerTime?: string;
  rule?: string;
  figures?: { profit: number; tradingDays: number; payouts?: number; paidOut?: number };
  rules: { kind: string; floor?: number; room?: number; breaches?: number; failsAt?: number }[];
  payout?: { amount: number; traderAmount: number; hindrances: string[]; availableFrom?: string };
  objectives: { kind: string; met: boolean; value?: number; needed: number }[];
  transitions: { state: string; sequenceNumber?: number; cause?: number; rule?: string }[];
};

const CHALLENGE = {
  name: 'Challenge',
  rules: [
    { kind: 'dailyLoss', share: 0.05 },
    { kind: 'maximumLoss', share: 0.1 },
  ],
  objectives: [
    { kind: 'profitTarget', share: 0.08 },
    { kind: 'tradingDays', days: 2 },
  ],
};
const FUNDED = {
  name: 'Funded',
  rules: [{ kind: 'maximumLoss', amount: 500, inclusive: true }],
  objectives: [],
};
const PROGRAM = { name: 'Two phases', phases: [CHALLENGE, FUNDED] };
const PATH = '/users/current/programs';

let deals = 0;
const row = (accountId: string, brokerTime: string, balance: number, equity = balance) => ({
  accountId,
  brokerTime,
  balance,
  equity,
});
/** A snapshot with the deals that opened a position in it and closed one with a profit. */
const trade = (accountId: string, brokerTime: string, balance: number, profit: number) => {
  const deal = { brokerTime, symbol: 'EURUSD', volume: 1, price: 1.1 };
  const id = () => {
    deals += 1;
    return String(deals);
  };
  return {
    ...row(accountId, brokerTime, balance),
    deals: [
      { ...deal, id: id(), type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN', profit: 0 },
      { ...deal, id: id(), type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT', profit },
    ],
  };
};

/** A snapshot with the withdrawal that it is the first to show. */
const payOut = (accountId: string, brokerTime: string, balance: number, money: number) => {
  deals += 1;
  const deal = { id: String(deals), type: 'DEAL_TYPE_BALANCE', brokerTime, profit: -money };
  return { ...row(accountId, brokerTime, balance), deals: [deal] };
};

for (const kind of testedOn()) {
  describe(`programs and enrolments on ${kind}`, () => {
    let running: TestServer;
    let client: Client & { userId: string };
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'warn' });
      client = await newUser(running.server.address);
    });
    after(() => running.close());

    const enrolments = (id: string) => `/users/current/accounts/${id}/enrolments`;
    const newProgram = async (program: object = PROGRAM): Promise<string> => {
      const made = await client.post<{ id: string }>(PATH, program);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body.id;
    };
    const enrol = async (id: string, fields: object): Promise<string> => {
      const made = await client.post<{ id: string }>(enrolments(id), {
        initialBalance: 10_000,
        ...fields,
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body.id;
    };
    const send = async (...rows: object[]): Promise<void> => {
      const sent = await client.post('/users/current/snapshots', rows);
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
    };
    const read = (id: string, enrolmentId: string): Promise<Details> =>
      client.asOfNow(`${enrolments(id)}/${enrolmentId}?realTime=true`);
    const inState = async (id: string, enrolmentId: string, state: string): Promise<Details> => {
      let details = await read(id, enrolmentId);
      await until(async () => {
        details = await read(id, enrolmentId);
        const isNumbered = details.transitions.every((one) => one.sequenceNumber !== undefined);
        return details.state === state && isNumbered;
      }, state);
      return details;
    };
    const eventsOf = async (accountId: string, base: string): Promise<Event[]> => {
      const query = `accountId=${accountId}&wait=0`;
      return (await client.get<Event[]>(`/users/current/${base}/stream?${query}`)).body;
    };

    it('keeps every version of a program as it was', async () => {
      const id = await newProgram();
      const next = { ...PROGRAM, name: 'Wider', phases: [FUNDED] };
      const updated = await client.call('PUT', `${PATH}/${id}`, next);
      assert.deepEqual(updated.body, { id, version: 2 });
      const late = await client.call('PUT', `${PATH}/${id}?version=1`, PROGRAM);
      assert.equal(late.status, 409, 'its writer has not seen version 2');
      const newest = await client.get<object>(`${PATH}/${id}`);
      assert.deepEqual(newest.body, { ...newest.body, id, version: 2, ...next });
      const first = await client.get<object>(`${PATH}/${id}?version=1`);
      assert.deepEqual(first.body, { ...first.body, id, version: 1, ...PROGRAM });
      assert.equal((await client.get(`${PATH}/${id}?version=3`)).status, 404);
      const listed = await client.get<{ id: string; version: number }[]>(PATH);
      assert.deepEqual(
        listed.body.filter((one) => one.id === id).map(({ version }) => version),
        [2],
      );
      assert.equal((await client.call('DELETE', `${PATH}/${id}`)).status, 204);
      assert.equal((await client.get(`${PATH}/${id}?version=1`)).status, 404);
    });

    it('lists the enrolments of a program, newest first, as far as the token reaches', async () => {
      const programId = await newProgram();
      const accounts = [await newAccount(client), await newAccount(client)];
      const [first = '', second = ''] = accounts;
      const own = [await enrol(first, { programId }), await enrol(second, { programId })];
      await enrol(first, { programId: await newProgram() });
      await send(row(second, '2026-03-02 10:00:00', 10_000));
      await send(row(second, '2026-03-02 11:00:00', 10_000, 9_400));
      await inState(second, own[1] ?? '', 'failed');
      type Listed = {
        total: number;
        enrolments: { id: string; state: string; account: { id: string; state: string } }[];
      };
      const listed = async (query = '', by: Client = client) =>
        (await by.get<Listed>(`${PATH}/${programId}/enrolments${query}`)).body;
      const seen = ({ total, enrolments }: Listed) => [
        total,
        enrolments.map(({ id, state, account }) => [id, state, account.id]),
      ];
      const newest = [own[1], 'failed', second];
      const oldest = [own[0], 'running', first];
      assert.deepEqual(seen(await listed()), [2, [newest, oldest]]);
      assert.deepEqual(seen(await listed('?limit=1&offset=1')), [2, [oldest]]);
      const token = await client.post<{ token: string }>('/users/current/tokens', {
        ...{ name: 'One account', scopes: ['read'], accountIds: [first] },
      });
      const narrow = new Client(running.server.address, token.body.token);
      assert.deepEqual(seen(await listed('', narrow)), [1, [oldest]]);
      const unused = await newProgram();
      const counted = async (by: Client): Promise<(number | undefined)[]> => {
        const { body } = await by.get<{ id: string; enrolments: number }[]>(PATH);
        return [programId, unused].map((id) => body.find((one) => one.id === id)?.enrolments);
      };
      assert.deepEqual(await counted(client), [2, 0]);
      assert.deepEqual(await counted(narrow), [1, 0]);
      assert.equal((await client.get(`${PATH}/unknown/enrolments`)).status, 404);
    });

    it('names every fault of a program', async () => {
      const rules = [
        { kind: 'dailyLoss', share: 0.05, trails: 'equity' },
        { kind: 'timeLimit' },
        { kind: 'maximumLoss', share: 0.1, amount: 5, shareOf: 'dayStart' },
        { kind: 'maximumLoss', share: 0.1, onPayout: 'locks' },
        { kind: 'dailyLoss', share: 0.1, failsAt: 2 },
      ];
      const objectives = [{ kind: 'consistency', share: 0.3, of: 'profitTarget' }];
      const other = { rules: [], objectives: [], adjustDeals: ['DEAL_TYPE_CREDIT'], payout: {} };
      const phases = [
        { name: 'One', rules, objectives },
        { name: 'Two', ...other },
      ];
      const faulty = { name: 'Faulty', phases };
      const answer = await client.post<ErrorBody>(PATH, faulty);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.details.map(({ parameter }) => parameter).sort(), [
        'phases[0].objectives[0].of',
        'phases[0].rules[0].trails',
        'phases[0].rules[1].days',
        'phases[0].rules[2]',
        'phases[0].rules[2].shareOf',
        'phases[0].rules[3].onPayout',
        'phases[0].rules[4].failsAt',
        'phases[1].payout',
      ]);
    });

    it('passes a phase, continues in the next, and fails there by the event of its limit', async () => {
      const programId = await newProgram();
      const id = await newAccount(client);
      const first = await enrol(id, { programId });
      await send(row(id, '2026-03-02 10:00:00', 10_000));
      await send(trade(id, '2026-03-02 12:00:00', 10_900, 900));
      const waiting = await read(id, first);
      assert.equal(waiting.state, 'running');
      assert.deepEqual(
        waiting.objectives.map(({ kind: word, met }) => [word, met]),
        [
          ['profitTarget', true],
          ['tradingDays', false],
        ],
      );
      assert.deepEqual(
        waiting.rules.map(({ kind: word, floor, room }) => [word, floor, room]),
        [
          ['dailyLoss', 9500, 1400],
          ['maximumLoss', 9000, 1900],
        ],
      );
      await send(trade(id, '2026-03-03 12:00:00', 10_910, 10));
      const passed = await inState(id, first, 'passed');
      assert.equal(passed.startBrokerTime, '2026-03-02 10:00:00.000');
      assert.equal(passed.endBrokerTime, '2026-03-03 12:00:00.000');
      assert.deepEqual(
        passed.figures && [passed.figures.profit, passed.figures.tradingDays],
        [910, 2],
      );

      const second = await enrol(id, { passed: { accountId: id, enrolmentId: first } });
      await send(row(id, '2026-03-03 12:01:00', 10_910, 9501));
      assert.equal((await read(id, second)).state, 'running');
      await send(row(id, '2026-03-03 12:02:00', 10_910, 9500));
      const failed = await inState(id, second, 'failed');
      assert.deepEqual([failed.phase, failed.rule], [2, 'maximumLoss']);
      const [end] = failed.transitions;
      // The stream hears of a number a moment after it is given.
      let told: Event[] = [];
      await until(async () => {
        told = await eventsOf(id, 'tracker-events');
        return told.at(-1)?.sequenceNumber === end?.sequenceNumber;
      }, 'the stream to have the end');
      assert.deepEqual(
        told.map(({ kind: word, state }) => [word, state]),
        [
          ['enrolment', 'passed'],
          ['drawdown', undefined],
          ['enrolment', 'failed'],
        ],
      );
      assert.equal(end?.cause, told[1]?.sequenceNumber);
      assert.equal(end?.sequenceNumber, told[2]?.sequenceNumber);
      assert.equal((await eventsOf(id, 'drawdown-events')).length, 1);
      const last = { passed: { accountId: id, enrolmentId: second }, initialBalance: 10_000 };
      assert.equal((await client.post(enrolments(id), last)).status, 409);
      assert.equal((await client.call('DELETE', `${PATH}/${programId}`)).status, 409);
    });

    it('takes a funded account through two payouts and a soft breach to a failure', async () => {
      const soft = { kind: 'dailyLoss', share: 0.02, onBreach: 'record', failsAt: 2 };
      const floor = { kind: 'maximumLoss', amount: 500, trails: 'balance', lockAbove: 0 };
      const phase = {
        name: 'Funded',
        rules: [soft, { ...floor, onPayout: 'locks' }],
        objectives: [{ kind: 'tradingDays', days: 1 }],
        payout: { days: 1, caps: [300, 400], minimum: 50, split: 0.8 },
      };
      const programId = await newProgram({ name: 'Funded', phases: [phase] });
      const id = await newAccount(client);
      const funded = await enrol(id, { programId });
      await send(trade(id, '2026-03-02 12:00:00', 10_400, 400));
      assert.deepEqual((await read(id, funded)).payout?.hindrances, ['days']);
      await send(row(id, '2026-03-03 00:00:00', 10_400));
      const first = await read(id, funded);
      assert.deepEqual(
        [first.payout?.amount, first.payout?.traderAmount, first.payout?.hindrances],
        [300, 240, []],
      );
      await send(payOut(id, '2026-03-03 10:00:00', 10_100, 300));
      const after = await read(id, funded);
      assert.deepEqual(
        [after.figures?.payouts, after.figures?.paidOut, after.figures?.profit],
        [1, 300, 100],
      );
      assert.deepEqual([after.rules[1]?.floor, after.rules[0]?.breaches], [10_000, 0]);
      assert.deepEqual(after.payout?.hindrances, ['days', 'objectives']);
      await send(trade(id, '2026-03-04 12:00:00', 10_700, 600));
      const second = await read(id, funded);
      assert.deepEqual([second.payout?.amount, second.payout?.hindrances], [400, []]);
      await send(payOut(id, '2026-03-04 13:00:00', 10_300, 400));
      await send(row(id, '2026-03-05 12:00:00', 10_300, 10_099));
      const warned = await read(id, funded);
      assert.deepEqual([warned.rules[0]?.breaches, warned.rules[0]?.failsAt], [1, 2]);
      await send(row(id, '2026-03-06 12:00:00', 10_300, 10_099));
      const failed = await inState(id, funded, 'failed');
      assert.deepEqual([failed.rule, failed.figures?.payouts], ['dailyLoss', 2]);
      assert.equal(failed.payout, undefined);
      const cause = failed.transitions[0]?.cause;
      await until(
        async () => (await eventsOf(id, 'drawdown-events')).at(-1)?.sequenceNumber === cause,
        'the stream to have the cause',
      );
    });

    it('judges nothing while paused, and nothing more when withdrawn', async () => {
      const id = await newAccount(client);
      const enrolmentId = await enrol(id, { programId: await newProgram() });
      const path = `${enrolments(id)}/${enrolmentId}`;
      await send(row(id, '2026-03-02 10:00:00', 10_000));
      assert.equal((await client.call('PUT', path, { state: 'paused' })).status, 204);
      await inState(id, enrolmentId, 'paused');
      await send(row(id, '2026-03-02 11:00:00', 10_000, 8000));
      assert.equal((await read(id, enrolmentId)).state, 'paused');
      assert.equal((await client.call('PUT', path, { state: 'withdrawn' })).status, 204);
      const ended = await inState(id, enrolmentId, 'withdrawn');
      assert.deepEqual(
        ended.transitions.map(({ state }) => state),
        ['paused', 'withdrawn'],
      );
      assert.equal((await client.call('PUT', path, { state: 'running' })).status, 409);
    });

    it('previews the course of an account', async () => {
      const programId = await newProgram();
      const id = await newAccount(client);
      const preview = async (fields: object = {}) => {
        const body = { programId, initialBalance: 10_000, ...fields };
        const answer = await client.post<Details & { brokerTime?: string }>(
          `${enrolments(id)}/preview`,
          body,
        );
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        return answer.body;
      };
      assert.deepEqual(await preview(), { state: 'running', rules: [], objectives: [] });
      await send(
        row(id, '2026-03-02 10:00:00', 10_000),
        trade(id, '2026-03-02 12:00:00', 10_900, 900),
        row(id, '2026-03-02 14:00:00', 10_900, 10_100),
        row(id, '2026-03-03 09:00:00', 10_900),
      );
      const running = await preview();
      assert.deepEqual([running.state, running.figures?.tradingDays], ['running', 1]);
      await send(
        row(id, '2026-03-03 10:30:00', 10_900, 10_390),
        row(id, '2026-03-03 12:00:00', 10_900),
      );
      const failed = await preview();
      assert.deepEqual([failed.state, failed.rule], ['failed', 'dailyLoss']);
      assert.match(failed.brokerTime ?? '', /^2026-03-03 10:/);
      assert.equal((await preview({ startBrokerTime: '2026-03-03 11:00:00' })).state, 'running');
    });

    it('previews an account without snapshots by the balances of its deals', async () => {
      const programId = await newProgram();
      const preview = async (id: string, fields: object = {}) => {
        const body = { programId, initialBalance: 10_000, ...fields };
        return (await client.post<Details & { seenBy?: string }>(`${enrolments(id)}/preview`, body))
          .body;
      };
      const closed = (day: number, profit: number) => {
        const deal = { positionId: `p${day}`, symbol: 'EURUSD', volume: 1, price: 1.1 };
        const time = `2026-03-0${day} 12`;
        const [opens, closes] = [
          { type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN', profit: 0 },
          { type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT', profit },
        ];
        return [
          { ...deal, ...opens, id: `o${day}`, brokerTime: `${time}:00:00` },
          { ...deal, ...closes, id: `c${day}`, brokerTime: `${time}:30:00` },
        ];
      };
      const deposit = { id: 'd', type: 'DEAL_TYPE_BALANCE', profit: 10_000 };
      const add = async (id: string, ...rows: object[]) => {
        const { status, body } = await client.post(`/users/current/accounts/${id}/deals`, rows);
        assert.equal(status, 200, JSON.stringify(body));
      };
      const paid = await newAccount(client);
      await add(paid, { ...deposit, brokerTime: '2026-03-01 09:00:00' }, ...closed(2, 500));
      const running = await preview(paid);
      assert.deepEqual(
        [running.seenBy, running.state, running.figures?.profit, running.figures?.tradingDays],
        ['deals', 'running', 500, 1],
      );
      await add(paid, ...closed(3, -490), ...closed(4, 400));
      assert.equal((await preview(paid)).state, 'running');
      await add(paid, ...closed(5, -501));
      const failed = await preview(paid);
      assert.deepEqual([failed.state, failed.rule], ['failed', 'dailyLoss']);
      const later = { startBrokerTime: '2026-03-05 13:00:00' };
      assert.equal((await preview(paid, later)).state, 'running');
      // A journal that names no deposit.
      const journal = await newAccount(client);
      await add(journal, ...closed(2, 500), ...closed(3, 400));
      assert.deepEqual(
        [(await preview(journal)).seenBy, (await preview(journal)).state],
        ['deals', 'passed'],
      );
    });

    it('refuses an account with other money than the rules are for', async () => {
      const { body } = await client.post<{ id: string }>(PATH, PROGRAM);
      const accountId = await newAccount(client);
      const enrolment = { programId: body.id, initialBalance: 10_000 };
      const enrol = (fields: object = {}) =>
        client.post<ErrorBody>(`/users/current/accounts/${accountId}/enrolments`, {
          ...{ ...enrolment, ...fields },
        });
      const show = async (minute: string, balance: number) => {
        const rows = [row(accountId, `2026-03-02 10:${minute}:00`, balance)];
        assert.equal((await client.post('/users/current/snapshots', rows)).status, 200);
      };
      assert.equal((await enrol()).status, 201, 'it may get its money later');
      await show('00', 0);
      assert.equal((await enrol()).status, 201, 'it never had any');
      await show('01', 6000);
      const refused = await enrol();
      assert.equal(refused.status, 409);
      assert.match(refused.body.message, /balance is 6000 USD, the initialBalance 10000: .* 10 %/);
      assert.equal((await enrol({ startBrokerTime: '2026-03-02 10:01:00' })).status, 409);
      assert.equal((await enrol({ startBrokerTime: '2026-03-02 10:01:01' })).status, 201);
      const deposit = { id: 'deposit', type: 'DEAL_TYPE_BALANCE', profit: 3000 };
      await client.post(`/users/current/accounts/${accountId}/deals`, [
        { ...deposit, brokerTime: '2026-03-02 10:02:00' },
      ]);
      assert.equal((await enrol()).status, 201, 'with a deal that is newer than its balance');
      await show('03', 11_000.01);
      assert.equal((await enrol()).status, 409, 'a profit that was not made');
      await show('04', 0);
      assert.equal((await enrol()).status, 409, 'a loss that was made before');
    });

    it('refuses nonsense', async () => {
      const programId = await newProgram();
      const id = await newAccount(client);
      await send(row(id, '2026-03-02 10:00:00', 10_000));
      const statusOf = async (fields: object): Promise<number> => {
        const body = { initialBalance: 10_000, ...fields };
        return (await client.post(enrolments(id), body)).status;
      };
      assert.equal(await statusOf({}), 400);
      assert.equal(await statusOf({ programId, phase: 3 }), 400);
      assert.equal(await statusOf({ programId, version: 2 }), 404);
      assert.equal(await statusOf({ programId, startBrokerTime: '2026-03-02 09:00:00' }), 400);
      const enrolmentId = await enrol(id, { programId });
      const passed = { accountId: id, enrolmentId };
      assert.equal(await statusOf({ passed }), 409);
      assert.equal(await statusOf({ passed, programId }), 400);
      for (let more = 1; more < 5; more += 1) await enrol(id, { programId });
      assert.equal(await statusOf({ programId }), 409);
    });

    it("answers 404 for other users' programs", async () => {
      const programId = await newProgram();
      const id = await newAccount(client);
      const enrolmentId = await enrol(id, { programId });
      const other = await newUser(running.server.address);
      const theirs = await newAccount(other);
      const body = { programId, initialBalance: 1 };
      assert.equal((await other.post(enrolments(theirs), body)).status, 404);
      assert.equal((await other.get(`${PATH}/${programId}`)).status, 404);
      assert.equal((await other.get(`${enrolments(id)}/${enrolmentId}`)).status, 404);
      assert.equal((await other.get(`${enrolments(theirs)}/${enrolmentId}`)).status, 404);
    });
  });
}
