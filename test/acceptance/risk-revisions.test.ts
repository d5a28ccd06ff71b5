import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { verifyText } from '../../src/services/evidence/verify-file.ts';
import { needs, testedOn } from '../needs.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  type PlimsollProcess,
  retry,
  startPlimsoll,
} from '../servers/plimsoll-process.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type User = Client & { userId: string };
type Event = { sequenceNumber: number; kind: string; brokerTime: string; absoluteDrawdown: number };
type Page<Name extends string, Item> = Record<Name, Item[]>;

const DAY = '2026-03-02';
const time = (clock: string): string => `${DAY} ${clock.padEnd(12, '.000')}`;

async function track(user: User, accountId: string, fields: object): Promise<string> {
  const tracker = { name: 'daily', period: 'date', absoluteDrawdownThreshold: 500, ...fields };
  const path = `/users/current/accounts/${accountId}/trackers`;
  const made = await user.post<{ id: string }>(path, tracker);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.id;
}

/** A snapshot for each row: a time of the day, balance and equity. */
async function show(user: User, accountId: string, ...rows: [string, number, number?][]) {
  const snapshots = rows.map(([clock, balance, equity = balance]) => ({
    ...{ accountId, brokerTime: time(clock), balance, equity },
  }));
  const sent = await user.post('/users/current/snapshots', snapshots);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
}

async function withdraw(user: User, accountId: string, clock: string, money: number) {
  const deal = { id: `withdrawal-${clock}`, type: 'DEAL_TYPE_BALANCE', profit: -money };
  const rows = [{ ...deal, brokerTime: time(clock) }];
  const sent = await user.post(`/users/current/accounts/${accountId}/deals`, rows);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
}

async function eventsOf(user: User, accountId: string): Promise<Event[]> {
  const period = 'startBrokerTime=2026-03-01 00:00:00.000&endBrokerTime=2100-01-01 00:00:00.000';
  const path = `/users/current/tracker-events/by-broker-time?accountId=${accountId}&${period}`;
  const { body } = await retry(() => user.get<Event[]>(encodeURI(path)));
  return body.sort((a, b) => a.sequenceNumber - b.sequenceNumber);
}

/** The account's events, once there are so many. */
async function told(user: User, accountId: string, count: number): Promise<Event[]> {
  let events: Event[] = [];
  await until(async () => {
    events = await eventsOf(user, accountId);
    return events.length >= count;
  }, `${count} events`);
  assert.equal(events.length, count, JSON.stringify(events));
  return events;
}

async function caseOf(user: User, { sequenceNumber }: Event): Promise<{ statement: object }> {
  const path = `/users/current/tracker-events/${sequenceNumber}/case`;
  let statement: object | undefined;
  await until(async () => {
    const answer = await user.get<{ statement: string }>(path);
    if (answer.status === 200) {
      assert.deepEqual(verifyText(JSON.stringify(answer.body), {}).faults, []);
      statement = JSON.parse(answer.body.statement) as object;
    }
    return statement !== undefined;
  }, 'the case file');
  return { statement: statement ?? {} };
}

const short = (events: readonly Event[]) =>
  events.map(({ kind, brokerTime, absoluteDrawdown }) => [
    kind,
    brokerTime.slice(11),
    absoluteDrawdown,
  ]);

for (const kind of testedOn()) {
  describe(`late facts, on ${kind}`, () => {
    let database: TestDatabase;
    let server: PlimsollProcess;
    let user: User;
    const start = async (): Promise<void> => {
      const environment = { LOG_LEVEL: 'warn', PLIMSOLL_WEBHOOK_PRIVATE: 'allow' };
      server = await startPlimsoll({ ...database.environment, ...environment });
    };
    before(async () => {
      database = await openTestDatabase(kind);
      await start();
      user = await newUser(server.address, { scopes: ['read', 'write', 'ingest', 'actions'] });
    });
    after(async () => {
      await server.stop();
      await database.close();
    });

    it('revise an event, whose period may have a breach again', async () => {
      const accountId = await newAccount(user);
      const trackerId = await track(user, accountId, {});
      await show(user, accountId, ['10:00:00', 10_000], ['10:00:01', 8000]);
      const [breach] = await told(user, accountId, 1);
      const standing = `/users/current/accounts/${accountId}/standing`;
      const unexplained = async () =>
        (await user.asOfNow<{ unexplainedMovements?: unknown }>(standing)).unexplainedMovements;
      assert.deepEqual(await unexplained(), {
        count: 1,
        newest: {
          ...{ fromBrokerTime: time('10:00:00'), toBrokerTime: time('10:00:01'), money: -2000 },
        },
      });
      await withdraw(user, accountId, '10:00:00.500', 2000);
      const [, revision] = await told(user, accountId, 2);
      assert.ok(breach && revision && revision.sequenceNumber > breach.sequenceNumber);
      assert.equal(await unexplained(), undefined);
      assert.deepEqual(revision, {
        ...{ sequenceNumber: revision.sequenceNumber, kind: 'revision' },
        ...{ revises: breach.sequenceNumber, stillExceeded: false, accountId, trackerId },
        ...{ startBrokerTime: time('00:00:00'), endBrokerTime: time('23:59:59.999') },
        ...{ period: 'date', brokerTime: time('10:00:01') },
        ...{ absoluteDrawdown: 0, relativeDrawdown: 0, absoluteProfit: 0, relativeProfit: 0 },
      });
      const streamed = '/users/current/drawdown-events/stream?limit=1000';
      const drawdowns = (await user.get<Event[]>(streamed)).body.filter(
        (event) => 'accountId' in event && event.accountId === accountId,
      );
      assert.deepEqual(
        drawdowns.map(({ sequenceNumber }) => sequenceNumber),
        [breach.sequenceNumber],
      );
      const statistics = `/users/current/accounts/${accountId}/trackers/${trackerId}/statistics`;
      const [period] = await user.asOfNow<Record<string, unknown>[]>(`${statistics}?realTime=true`);
      assert.deepEqual([period?.thresholdExceeded, period?.maxAbsoluteDrawdown], [false, 0]);
      const { statement } = await caseOf(user, revision);
      assert.deepEqual('event' in statement && statement.event, revision);

      await show(user, accountId, ['10:00:05', 7400]);
      assert.deepEqual(short(await told(user, accountId, 3)).at(-1), [
        ...['drawdown', '10:00:05.000', 600],
      ]);
    });

    it('dispute the end of an enrolment, which a person reinstates', async () => {
      const accountId = await newAccount(user);
      const phases = [
        { name: 'Phase', rules: [{ kind: 'dailyLoss', share: 0.05 }], objectives: [] },
      ];
      const program = await user.post<{ id: string }>('/users/current/programs', {
        ...{ name: 'Program', phases },
      });
      const path = `/users/current/accounts/${accountId}/enrolments`;
      const enrolled = await user.post<{ id: string }>(path, {
        ...{ programId: program.body.id, initialBalance: 10_000 },
      });
      const enrolment = `${path}/${enrolled.body.id}`;
      const state = async () => {
        const found = await user.asOfNow<Record<string, unknown>>(`${enrolment}?realTime=true`);
        return [found.state, found.isDisputed];
      };
      const reinstate = () =>
        user.call<{ message: string }>('PUT', enrolment, { state: 'running' });
      await show(user, accountId, ['10:00:00', 10_000], ['10:00:01', 8000]);
      await until(async () => (await state())[0] === 'failed', 'failure');
      assert.deepEqual(await state(), ['failed', false]);
      const refused = await reinstate();
      assert.equal(refused.status, 409);
      assert.match(refused.body.message, /has ended, undisputed: it is failed/);
      await withdraw(user, accountId, '10:00:00.500', 2000);
      await until(async () => (await state())[1] === true, 'dispute');
      assert.deepEqual(await state(), ['failed', true]);
      assert.equal((await reinstate()).status, 204);
      await until(async () => (await state())[0] === 'running', 'reinstating');
      assert.deepEqual(await state(), ['running', false]);
      const events = await told(user, accountId, 4);
      assert.deepEqual(
        events.map((event) => ('state' in event ? event.state : event.kind)),
        ['drawdown', 'failed', 'revision', 'running'],
      );
      const last = events.at(-1);
      const { statement } = last ? await caseOf(user, last) : { statement: {} };
      assert.deepEqual('event' in statement && statement.event, last);
      const admin = new Client(server.address, ADMIN_TOKEN);
      const audit = await admin.get<Page<'entries', { action: string }>>(
        `/admin/audit?userId=${user.userId}&accountId=${accountId}`,
      );
      assert.match(JSON.stringify(audit.body), /enrolment\.reinstated/);
      // Judged as if it had not ended: 500 of the day are allowed, no more.
      await show(user, accountId, ['10:00:05', 7500], ['10:00:06', 7499]);
      await until(async () => (await state())[0] === 'failed', 'failure');
    });

    it('are awaited by a breach with unexplained money', async () => {
      const explained = await newAccount(user);
      await track(user, explained, { settleSeconds: 60 });
      await show(user, explained, ['10:00:00', 10_000], ['10:00:01', 8000]);
      await withdraw(user, explained, '10:00:00.500', 2000);
      await show(user, explained, ['10:00:02', 8000, 7600]);

      const either = await newAccount(user);
      await track(user, either, { settleSeconds: 60 });
      await show(user, either, ['10:00:00', 10_000], ['10:00:01', 9900, 9300]);
      assert.deepEqual(short(await told(user, either, 1)), [['drawdown', '10:00:01.000', 700]]);

      const never = await newAccount(user);
      await track(user, never, { settleSeconds: 1 });
      const sentMs = Date.now();
      await show(user, never, ['10:00:00', 10_000], ['10:00:01', 8000]);
      assert.deepEqual(short(await told(user, never, 1)), [['drawdown', '10:00:01.000', 2000]]);
      assert.ok(Date.now() - sentMs > 500, 'it has waited');
      assert.deepEqual(await eventsOf(user, explained), []);
    });

    it('are awaited for a minute at most, and five seconds if a rule acts', async () => {
      const profile = { name: 'Simulated', platform: 'p5', kind: 'simulated' };
      const allowedActions = ['actAtBreach', 'disableTrading'];
      const { body } = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
        ...{ ...profile, allowedActions },
      });
      // Unknown there: what is read of today would make the snapshots late.
      const accountId = await newAccount(user, { login: '999999', profileId: body.id });
      const path = `/users/current/accounts/${accountId}/trackers`;
      const tracker = { name: 'daily', period: 'date', absoluteDrawdownThreshold: 1 };
      for (const settleSeconds of [-1, 61]) {
        assert.equal((await user.post(path, { ...tracker, settleSeconds })).status, 400);
      }
      await track(user, accountId, { actions: [{ action: 'disableTrading', dryRun: true }] });
      await show(user, accountId, ['10:00:00', 10_000], ['10:00:01', 8000]);
      await withdraw(user, accountId, '10:00:00.500', 2000);
      await show(user, accountId, ['10:00:02', 8000], ['10:00:03', 8000, 7000]);
      assert.deepEqual(short(await told(user, accountId, 1)), [['drawdown', '10:00:03.000', 1000]]);
    });

    it('tell the profit by which a target is still exceeded', async () => {
      const accountId = await newAccount(user);
      const target = { absoluteDrawdownThreshold: undefined, absoluteProfitThreshold: 500 };
      await track(user, accountId, target);
      await show(user, accountId, ['10:00:00', 10_000], ['10:00:01', 12_000]);
      await told(user, accountId, 1);
      await withdraw(user, accountId, '10:00:00.500', -1000);
      const [, revision] = await told(user, accountId, 2);
      assert.deepEqual(revision, {
        ...revision,
        ...{ kind: 'revision', stillExceeded: true, brokerTime: time('10:00:01') },
        ...{ absoluteDrawdown: 0, absoluteProfit: 1000, relativeProfit: 0.1 },
      });
    });

    it('are sent to webhooks as tracker.revision', async (t) => {
      const types: string[] = [];
      const receiver = createServer(async (request, response) => {
        let body = '';
        for await (const part of request) body += part;
        types.push((JSON.parse(body) as { type: string }).type);
        response.end();
      }).listen(0, '127.0.0.1');
      t.after(() => receiver.close());
      await once(receiver, 'listening');
      const address = receiver.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const other = await newUser(server.address);
      const url = `http://127.0.0.1:${port}/`;
      assert.equal((await other.post('/users/current/webhooks', { url })).status, 201);
      const accountId = await newAccount(other);
      await track(other, accountId, {});
      await show(other, accountId, ['10:00:00', 10_000], ['10:00:01', 8000]);
      await told(other, accountId, 1);
      await withdraw(other, accountId, '10:00:00.500', 2000);
      await until(() => types.length === 2, 'both');
      assert.deepEqual(types, ['tracker.drawdown', 'tracker.revision']);
    });

    it('are awaited across a restart', async () => {
      const accountId = await newAccount(user);
      await track(user, accountId, { settleSeconds: 5 });
      await show(user, accountId, ['10:00:00', 10_000], ['10:00:01', 8000]);
      await server.kill();
      await start();
      user = Object.assign(new Client(server.address, user.token), { userId: user.userId });
      assert.deepEqual(short(await told(user, accountId, 1)), [['drawdown', '10:00:01.000', 2000]]);
    });
  });
}
