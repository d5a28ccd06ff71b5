import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { verifyText } from '../../src/services/evidence/verify-file.ts';
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

type Deal = { id: string; brokerTime: string };
type Texts = { statement: string };
type Statement = {
  event: { kind: string; state: string; rule?: string; brokerTime: string };
  enrolment: { phase: number; rulebook: { name: string } };
  decision: {
    reason: string;
    by?: string;
    cause?: number;
    startBrokerTime?: string;
    figures: { balance?: number; tradingDays: number };
    objectives: { kind: string; met: boolean; value?: number; needed: number }[];
    lastTrade?: Deal;
  };
  snapshots: { brokerTime: string }[];
  place: number;
};
const statementOf = ({ statement }: Texts) => JSON.parse(statement) as Statement;
type Details = { transitions: { state: string; sequenceNumber?: number; cause?: number }[] };

const DAILY = { kind: 'dailyLoss', share: 0.05 };

for (const kind of testedOn()) {
  describe(`case files of enrolments on ${kind}`, () => {
    let running: TestServer;
    let client: Client & { userId: string };
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'warn' });
      client = await newUser(running.server.address);
    });
    after(() => running.close());

    /** An account in a phase; it is told about by days at ten, each with a trade or without. */
    const enrol = async (phase: object) => {
      const accountId = await newAccount(client);
      const program = {
        name: accountId,
        phases: [{ name: 'Evaluation', objectives: [], ...phase }],
      };
      const { body } = await client.post<{ id: string }>('/users/current/programs', program);
      const path = `/users/current/accounts/${accountId}/enrolments`;
      const answer = await client.post<{ id: string }>(path, {
        ...{ programId: body.id, initialBalance: 10_000 },
      });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      const enrolmentPath = `${path}/${answer.body.id}`;
      const see = async (day: string, equity: number, traded = false) => {
        const brokerTime = `${day} 10:00:00`;
        const trade = { type: 'DEAL_TYPE_BUY', symbol: 'EURUSD', volume: 1, price: 1.1, profit: 0 };
        const deals = traded ? [{ ...trade, id: `deal of ${day}`, brokerTime }] : [];
        const row = { accountId, brokerTime, balance: equity, equity, deals };
        const sent = await client.post('/users/current/snapshots', [row]);
        assert.equal(sent.status, 200, JSON.stringify(sent.body));
      };
      const change = async (state: string) => {
        const { status } = await client.call('PUT', enrolmentPath, { state });
        assert.equal(status, 204);
      };
      return { see, change, caseOf: (state: string) => caseOf(enrolmentPath, state) };
    };

    const caseOf = async (
      path: string,
      state: string,
    ): Promise<{ statement: Statement; text: string }> => {
      let number: number | undefined;
      await until(async () => {
        const { transitions } = await client.asOfNow<Details>(`${path}?realTime=true`);
        number = transitions.findLast((one) => one.state === state)?.sequenceNumber;
        return number !== undefined;
      }, state);
      const casePath = `/users/current/tracker-events/${number}/case`;
      let answer = await client.get<Texts>(casePath);
      await until(async () => {
        answer = await client.get<Texts>(casePath);
        return answer.status === 200;
      }, 'the case file');
      const text = JSON.stringify(answer.body);
      assert.deepEqual(verifyText(text, {}).faults, []);
      return { statement: statementOf(answer.body), text };
    };

    it('prove an end by inactivity: the days, the last trade, what came after; and no other', async () => {
      const rules = [DAILY, { kind: 'inactivity', days: 5 }];
      const { see, caseOf } = await enrol({ rules });
      await see('2026-03-02', 10_000, true);
      await see('2026-03-03', 10_001, true);
      await see('2026-03-04', 10_001);
      await see('2026-03-10', 10_001);
      const { statement, text } = await caseOf('failed');
      const { event, enrolment, decision } = statement;
      assert.deepEqual(
        [event.kind, event.state, event.rule, event.brokerTime],
        ['enrolment', 'failed', 'inactivity', '2026-03-09 00:00:00.000'],
      );
      assert.equal(enrolment.rulebook.name, 'Evaluation');
      assert.equal(
        decision.reason,
        '5 whole days without a trade were over at 2026-03-09 00:00:00.000: counted from the day after 2026-03-03, which had one, began the phase or ended a pause.',
      );
      assert.equal(decision.startBrokerTime, '2026-03-02 10:00:00.000');
      assert.equal(decision.lastTrade?.id, 'deal of 2026-03-03');
      assert.deepEqual([decision.cause, decision.by], [undefined, undefined]);
      // The first that was heard after the end is what it was found by.
      assert.equal(statement.snapshots.at(-1)?.brokerTime, '2026-03-10 10:00:00.000');
      for (const [from, to] of [
        ['counted from the day after 2026-03-03', 'counted from the day after 2026-03-02'],
        ['deal of 2026-03-03', 'deal of 2026-03-08'],
        ['\\"days\\":5', '\\"days\\":4'],
      ] as const) {
        assert.ok(text.includes(from), from);
        const { faults } = verifyText(text.replace(from, to), {});
        assert.ok(faults.includes('the statement is not in the tree of the head'), from);
      }
    });

    it('prove which of the counted breaches ended the phase', async () => {
      const soft = { kind: 'dailyLoss', share: 0.02, onBreach: 'record', failsAt: 2 };
      const { see, caseOf } = await enrol({ rules: [soft] });
      await see('2026-03-02', 10_000, true);
      await see('2026-03-03', 9700);
      await see('2026-03-04', 9400);
      const { statement } = await caseOf('failed');
      const { event, decision } = statement;
      assert.deepEqual([event.rule, event.brokerTime], ['dailyLoss', '2026-03-04 10:00:00.000']);
      assert.match(decision.reason, /was broken again, .* breach number 2, which ends the phase/);
      assert.ok(decision.cause !== undefined);
    });

    it('prove an end by the time limit, and who paused, resumed and withdrew another', async () => {
      const rules = [{ kind: 'timeLimit', days: 3 }];
      const { see, change, caseOf } = await enrol({ rules });
      const today = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      await see(today, 10_000, true);
      await change('paused');
      await change('running');
      const paused = (await caseOf('paused')).statement;
      assert.equal(paused.decision.reason, 'It was requested.');
      assert.match(paused.decision.by ?? '', /./);
      assert.equal((await caseOf('running')).statement.decision.by, paused.decision.by);
      await change('withdrawn');
      const { statement, text } = await caseOf('withdrawn');
      assert.equal(statement.decision.by, paused.decision.by);
      const forged = text.replace(`\\"by\\":\\"${paused.decision.by}`, '\\"by\\":\\"Nobody');
      assert.notEqual(forged, text);
      assert.ok(verifyText(forged, {}).faults.length > 0);

      const other = await enrol({ rules });
      await other.see('2026-03-02', 10_000, true);
      await other.see('2026-03-06', 10_000);
      assert.equal(
        (await other.caseOf('failed')).statement.decision.reason,
        'The 3 days of the phase were over at 2026-03-05 00:00:00.000: 2026-03-02 was the first of them.',
      );
    });

    it('prove a pass by its objectives, and an end by a limit by the event that broke it', async () => {
      const objectives = [
        { kind: 'profitTarget', share: 0.1 },
        { kind: 'tradingDays', days: 2 },
      ];
      const passing = await enrol({ rules: [DAILY], objectives });
      await passing.see('2026-03-02', 10_000, true);
      await passing.see('2026-03-03', 11_000, true);
      const passed = (await passing.caseOf('passed')).statement.decision;
      assert.equal(passed.reason, 'All objectives were met at the same time.');
      assert.deepEqual(passed.objectives, [
        { kind: 'profitTarget', met: true, value: 1000, needed: 1000 },
        { kind: 'tradingDays', met: true, value: 2, needed: 2 },
      ]);
      const failing = await enrol({ rules: [DAILY], objectives });
      await failing.see('2026-03-02', 10_000, true);
      await failing.see('2026-03-02', 9_000);
      const { statement } = await failing.caseOf('failed');
      const { reason, cause = 0 } = statement.decision;
      assert.equal(reason, 'The limit of dailyLoss was broken, as the event of its tracker shows.');
      const broken = await client.get<Texts>(`/users/current/tracker-events/${cause}/case`);
      const first = statementOf(broken.body);
      assert.equal(first.event.kind, 'drawdown');
      assert.equal(first.place, statement.place - 1);
    });
  });
}
