import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseBrokerTime } from '../../src/domain/broker-time.ts';
import type { LiveDeal } from '../../src/domain/live/live-records.ts';
import { toVolume } from '../../src/domain/money.ts';
import type { DealRule } from '../../src/domain/programs/program-definition.ts';
import { verifyText } from '../../src/services/evidence/verify-file.ts';
import { needs, testedOn } from '../needs.ts';
import { seedOr } from '../seed.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { naiveVerdict } from '../simulation/oracle-deal-rules.ts';
import { Random } from '../simulation/random.ts';

needs('postgres', 'server');

type SentDeal = { id: string; type: string; brokerTime: string; entry?: string } & {
  profit?: number;
  swap?: number;
  commission?: number;
  positionId?: string;
  symbol: string;
  volume: number;
};
type Violation = { kind: string; brokerTime: string; dealIds: string[]; equation: string };
type Details = {
  state: string;
  isDisputed: boolean;
  rule?: string;
  rules: { kind: string; breaches?: number; failsAt?: number; seenBy?: string }[];
  violations?: Violation[];
  transitions: { state: string; rule?: string; brokerTime: string; sequenceNumber?: number }[];
};
type Refusal = { details: { parameter: string; message: string }[] };

const DAY = '2026-06-04';
const fill = (id: string, time: string, [side, lots, symbol, positionId]: string[]): SentDeal => ({
  ...{ id, type: side === 'buy' ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL' },
  ...{
    brokerTime: `${DAY} ${time}`,
    price: 1,
    profit: 0,
    symbol: symbol ?? '',
    volume: Number(lots),
  },
  ...(positionId === undefined ? {} : { positionId }),
});
const deal = (id: string, time: string, words: string): SentDeal =>
  fill(id, time, words.split(' '));

for (const kind of testedOn()) {
  describe(`rules over deals on ${kind}`, () => {
    let running: TestServer;
    let client: Client;
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'warn' });
      client = await newUser(running.server.address);
    });
    after(() => running.close());

    const enrol = async (rules: object[], more: object = {}) => {
      const accountId = await newAccount(client);
      const phases = [{ name: 'Phase', rules, objectives: [], ...more }];
      const program = await client.post<{ id: string }>('/users/current/programs', {
        ...{ name: accountId, phases },
      });
      assert.equal(program.status, 201, JSON.stringify(program.body));
      const path = `/users/current/accounts/${accountId}`;
      const input = { programId: program.body.id, initialBalance: 10_000 };
      const made = await client.post<{ id: string }>(`${path}/enrolments`, input);
      const own = `${path}/enrolments/${made.body.id}`;
      const see = async (time: string, deals: SentDeal[] = [], day = DAY, balance = 10_000) => {
        const row = { accountId, brokerTime: `${day} ${time}`, balance, equity: balance, deals };
        const sent = await client.post('/users/current/snapshots', [row]);
        assert.equal(sent.status, 200, JSON.stringify(sent.body));
      };
      await see('10:00:00');
      return {
        ...{ path, input, see },
        send: async (...deals: SentDeal[]) => {
          const sent = await client.post(`${path}/deals`, deals);
          assert.equal(sent.status, 200, JSON.stringify(sent.body));
        },
        read: () => client.asOfNow<Details>(`${own}?realTime=true`),
        change: (state: string) => client.call('PUT', own, { state }),
        becomes: async (state: string) =>
          await until(
            async () => (await client.asOfNow<Details>(own)).state === state,
            `an enrolment that is ${state}`,
          ),
      };
    };

    it('end a phase by the deals that break them, and the case file names these', async () => {
      const { send, becomes, read } = await enrol([{ kind: 'openAtOnce', lots: 1 }]);
      await send(deal('1', '10:00:01.100', 'buy 0.6 EURUSD p1'));
      await send(deal('2', '10:00:01.200', 'sell 0.5 XAUUSD p2'));
      await becomes('failed');
      const { rule, violations, transitions } = await read();
      const violation = {
        ...{ kind: 'openAtOnce', brokerTime: `${DAY} 10:00:01.200`, dealIds: ['2'] },
        equation: '0.6 + 0.5 = 1.1 lots > 1',
      };
      assert.deepEqual([rule, violations], ['openAtOnce', [violation]]);
      const path = `/users/current/tracker-events/${transitions.at(-1)?.sequenceNumber}/case`;
      let answer = await client.get<{ statement: string }>(path);
      await until(async () => {
        answer = await client.get<{ statement: string }>(path);
        return answer.status === 200;
      }, 'the case file');
      assert.deepEqual(verifyText(JSON.stringify(answer.body), {}).faults, []);
      const { decision } = JSON.parse(answer.body.statement);
      assert.equal(decision.reason, 'The rule openAtOnce was broken: 0.6 + 0.5 = 1.1 lots > 1.');
      assert.deepEqual(decision.violation, violation);
      const named = { id: '2', symbol: 'XAUUSD', volume: 0.5, positionId: 'p2' };
      const [stated] = decision.violationDeals;
      assert.deepEqual({ ...stated, ...named }, stated);
    });

    it('count recorded violations and list them, and the last one too many ends the phase', async () => {
      const soft = { kind: 'allowedSymbols', only: ['EUR*'], onBreach: 'record', failsAt: 3 };
      const { send, read, becomes, see } = await enrol([soft, { kind: 'hedging' }]);
      await send(deal('1', '10:00:01.100', 'buy 0.1 XAUUSD'));
      await send(deal('2', '10:00:02.100', 'buy 0.1 EURUSD'));
      await send(deal('3', '10:00:03.100', 'buy 0.1 XAUUSD'));
      const { state, rules, violations } = await read();
      assert.equal(state, 'running');
      assert.deepEqual(rules, [
        { kind: 'allowedSymbols', breaches: 2, failsAt: 3 },
        { kind: 'hedging', breaches: 0 },
      ]);
      assert.deepEqual(
        violations?.map(({ dealIds, equation }) => [dealIds, equation]),
        [
          [['1'], 'XAUUSD is not among EUR*'],
          [['3'], 'XAUUSD is not among EUR*'],
        ],
      );
      await send(deal('4', '10:00:04', 'buy 0.1 GBPUSD'));
      assert.equal((await read()).state, 'running', 'its second is not over');
      await see('10:00:05');
      await becomes('failed');
    });

    it('dispute an end when a late deal removes its ground, and go on after the pause', async () => {
      const { send, read, becomes, change } = await enrol([{ kind: 'openAtOnce', positions: 1 }]);
      await send(deal('1', '10:00:01.100', 'buy 0.1 EURUSD p1'));
      await send(deal('3', '10:00:03.100', 'buy 0.1 EURUSD p2'));
      await becomes('failed');
      assert.equal((await change('running')).status, 409);
      await send(deal('2', '10:00:02.100', 'sell 0.1 EURUSD p1'));
      await until(async () => (await read()).isDisputed, 'a dispute');
      assert.equal((await read()).state, 'failed');
      assert.equal((await change('running')).status, 204);
      await becomes('running');
      assert.deepEqual([(await read()).isDisputed, (await read()).violations], [false, []]);
    });

    it('fail before a target is met by the deal that breaks them', async () => {
      const objectives = [{ kind: 'profitTarget', amount: 100 }];
      const { see, becomes, read } = await enrol([{ kind: 'holdingTime', seconds: 60 }], {
        objectives,
      });
      await see('10:01:00', [deal('1', '10:01:00', 'buy 1 EURUSD')]);
      const profit = { ...deal('2', '10:01:30', 'sell 1 EURUSD'), profit: 200 };
      await see('10:01:30', [profit], DAY, 10_200);
      assert.equal((await read()).state, 'running', 'neither passed nor failed yet');
      await see('10:01:31', [], DAY, 10_200);
      await becomes('failed');
      const [{ equation } = {}] = (await read()).violations ?? [];
      assert.equal(equation, '30 s < 60 s');
    });

    it('end a phase by the open loss that a close realised, and say what they cannot know', async () => {
      const rule = { kind: 'openLoss', share: 0.05, inclusive: true };
      const { send, becomes, read, see, path, input } = await enrol([rule]);
      await send(deal('1', '10:00:01.100', 'buy 1 EURUSD p1'));
      const { rules } = await read();
      assert.deepEqual(rules, [{ kind: 'openLoss', breaches: 0, seenBy: 'closes' }]);
      const close = { ...deal('2', '10:00:02.100', 'sell 1 EURUSD p1'), entry: 'DEAL_ENTRY_OUT' };
      await send({ ...close, profit: -480, swap: -20, commission: -7 });
      await becomes('failed');
      const [{ equation, dealIds } = {}] = (await read()).violations ?? [];
      const told = 'loss of position p1 of EURUSD: 500 ≥ 500';
      assert.deepEqual([equation, dealIds], [told, ['2']]);
      const event = (await read()).transitions.at(-1)?.sequenceNumber;
      await until(async () => {
        const at = `/users/current/tracker-events/${event}/case`;
        const { status, body } = await client.get<{ statement: string }>(at);
        if (status !== 200) return false;
        const { decision } = JSON.parse(body.statement);
        assert.equal(decision.reason, `The rule openLoss was broken: ${told}.`);
        assert.equal(decision.violationDeals[0].money, -507);
        return true;
      }, 'the case file');
      await see('10:00:03', [], DAY, 9493);
      const program = await client.post<{ id: string }>('/users/current/programs', {
        ...{ name: 'Seen', phases: [{ name: 'Phase', rules: [rule], objectives: [] }] },
      });
      const { body } = await client.post<Details>(`${path}/enrolments/preview`, {
        ...{ ...input, programId: program.body.id },
      });
      assert.deepEqual([body.state, body.violations?.[0]?.equation], ['failed', told]);
    });

    it('warn once of a limit that is near, in words that the mail and the case file share', async () => {
      const rules = [
        { kind: 'openLoss', amount: 500, warnAt: 0.8 },
        { kind: 'openAtOnce', positions: 2, warnAt: 0.9 },
      ];
      const { send, read, path } = await enrol(rules);
      const lost = { entry: 'DEAL_ENTRY_OUT', profit: -400 };
      await send(deal('1', '10:00:01.100', 'buy 1 EURUSD p1'));
      await send({ ...deal('2', '10:00:02.100', 'sell 0.5 EURUSD p1'), ...lost, profit: -399.99 });
      await send(deal('3', '10:00:03.100', 'buy 1 XAUUSD p2'));
      await send({ ...deal('4', '10:00:04.100', 'sell 0.5 EURUSD p1'), ...lost });
      await send({ ...deal('5', '10:00:05.100', 'sell 1 XAUUSD p2'), ...lost, profit: -500 });
      const accountId = path.split('/').at(-1);
      const feed = `/users/current/tracker-events/stream?accountId=${accountId}&wait=0`;
      type Event = { kind: string; sequenceNumber: number; equation?: string; used?: number };
      let told: Event[] = [];
      await until(async () => {
        told = (await client.get<Event[]>(feed)).body.filter(({ kind }) => kind === 'warning');
        return told.length === 2;
      }, 'two warnings');
      assert.deepEqual(
        told.map(({ equation, used }) => [equation, used]),
        [
          ['2 positions ≤ 2', 1],
          ['loss of position p1 of EURUSD: 400 ≤ 500', 0.8],
        ],
      );
      const { state, violations } = await read();
      assert.deepEqual([state, violations], ['running', []]);
      const at = `/users/current/tracker-events/${told[1]?.sequenceNumber}/case`;
      await until(async () => {
        const { status, body } = await client.get<{ statement: string }>(at);
        if (status !== 200) return false;
        const { event, enrolment } = JSON.parse(body.statement);
        assert.equal(event.equation, 'loss of position p1 of EURUSD: 400 ≤ 500');
        assert.deepEqual(enrolment.rulebook.rules, rules);
        return true;
      }, 'the case file');
    });

    it('are previewed by the stored deals', async () => {
      const { see, send, path, input } = await enrol([]);
      await send(deal('1', '10:00:01.100', 'buy 1 EURUSD'));
      await see('10:00:02');
      await see('10:00:00', [], '2026-06-06');
      const held = { kind: 'closedHours', starts: 'FRI 22:00', ends: 'SUN 23:00' };
      const program = await client.post<{ id: string }>('/users/current/programs', {
        name: 'Held',
        phases: [{ name: 'Phase', rules: [{ ...held, forbids: 'holding' }], objectives: [] }],
      });
      const { body } = await client.post<Details & { brokerTime: string }>(
        `${path}/enrolments/preview`,
        { ...input, programId: program.body.id },
      );
      assert.deepEqual(
        [body.state, body.rule, body.brokerTime],
        ['failed', 'closedHours', '2026-06-05 22:00:00.000'],
      );
      assert.match(body.violations?.[0]?.equation ?? '', /of EURUSD, open since .* was held at/);
    });

    it('are refused in words if they say too little, too much or nothing', async () => {
      const closed = { kind: 'closedHours', starts: 'FRI 22:00', ends: 'SUN 23:00' };
      const act = (moment: string, more: object) => ({
        ...{ kind: 'openAtOnce', lots: 1, ...more },
        actions: [{ action: 'disableTrading', moment }],
      });
      for (const [rule, words] of [
        [{ kind: 'allowedSymbols' }, /needs only, the symbols that are allowed, or excluded/],
        [{ kind: 'openAtOnce' }, /needs lots or positions, one of the two/],
        [{ kind: 'openAtOnce', lots: 1, positions: 1 }, /needs lots or positions, one of the two/],
        [{ ...closed, starts: 'FRY 22:00' }, /must be a time as HH:mm, or with a day/],
        [{ ...closed, ends: '23:00' }, /must both have a day of the week, or neither/],
        [{ ...closed, ends: 'FRI 22:00' }, /must not start and end at the same time/],
        [{ kind: 'holdingTime' }, /needs seconds, more than 0/],
        [{ kind: 'openLoss' }, /needs a share or an amount/],
        [{ kind: 'openLoss', amount: 5, trails: 'equity' }, /is not a field of openLoss/],
        [{ kind: 'hedging', share: 0.1 }, /is not a field of hedging/],
        [{ kind: 'hedging', failsAt: 2 }, /needs onBreach record/],
        [{ kind: 'hedging', warnAt: 0.5 }, /is not a field of hedging/],
        [{ kind: 'openAtOnce', lots: 1, warnAt: 1 }, /warnAt/],
        [act('warning', {}), /must be breach: the rule has no warnings/],
        [act('revision', { warnAt: 0.5 }), /must be breach or warning/],
      ] as const) {
        const phases = [{ name: 'Phase', rules: [rule], objectives: [] }];
        const { status, body } = await client.post<Refusal>('/users/current/programs', {
          ...{ name: 'Refused', phases },
        });
        assert.equal(status, 400, JSON.stringify(rule));
        assert.match(JSON.stringify(body.details), words);
      }
    });

    it('agree with a naive oracle, in whatever order and parts the deals come', async () => {
      const seed = seedOr(20_261_129);
      const random = new Random(seed);
      const startMs = parseBrokerTime(`${DAY} 10:00:00`) ?? 0;
      const ends: (string | undefined)[] = [];
      for (let account = 0; account < 12; account += 1) {
        const { wire, rules } = randomRules(random);
        const { see, read, send } = await enrol(wire);
        const sent = randomDeals(random);
        const left = [...sent];
        while (left.length > 0) {
          const some = left.splice(random.between(0, left.length - 1), random.between(1, 4));
          if (random.chance(0.5)) await send(...some);
          else await see('12:00:00', some, `2026-06-0${random.between(4, 9)}`);
        }
        await see('12:00:00', [], '2026-06-20');
        const endMs = parseBrokerTime('2026-06-20 12:00:00') ?? 0;
        const expected = naiveVerdict(rules, sent.map(liveDeal), startMs, endMs, undefined, 10_000);
        // An end is stored a moment after there is no progress any more.
        await until(async () => {
          const { state, rules: progress } = await read();
          return state === 'failed' || progress.length > 0;
        }, 'a settled state');
        const { state, isDisputed, transitions } = await read();
        const told = transitions.findLast(({ rule }) => rule !== undefined);
        const found = state === 'failed' && !isDisputed ? told?.rule : undefined;
        const about = `seed ${seed}, account ${account}: ${JSON.stringify({ wire, sent })}`;
        assert.equal(found, rules[expected?.ruleIndex ?? -1]?.kind, about);
        ends.push(found);
      }
      assert.ok(new Set(ends).size > 1, `seed ${seed}: all ended alike`);
    });
  });
}

const KINDS: object[] = [
  { kind: 'allowedSymbols', only: ['EUR*'] },
  { kind: 'openAtOnce', lots: 0.4 },
  { kind: 'openAtOnce', positions: 2, per: 'symbol' },
  { kind: 'hedging' },
  { kind: 'closedHours', starts: 'FRI 22:00', ends: 'SUN 23:00', forbids: 'holding' },
  { kind: 'closedHours', starts: '22:30', ends: '01:15', forbids: 'opening' },
  { kind: 'holdingTime', seconds: 60 },
  { kind: 'openLoss', share: 0.005 },
  { kind: 'openLoss', share: 0.005, inclusive: true },
];

/** Different kinds: an end names only the kind of its rule. */
function randomRules(random: Random): { wire: object[]; rules: DealRule[] } {
  const kinds = new Map<string, object>();
  for (let count = random.between(1, 3); count > 0; count -= 1) {
    const one = random.pick(KINDS) as { kind: string };
    const counted = { onBreach: 'record', failsAt: random.between(2, 3) };
    kinds.set(one.kind, { ...one, ...(random.chance(0.6) ? counted : {}) });
  }
  const wire = [...kinds.values()];
  const rules = wire.map((one) => {
    const rule = one as DealRule;
    return rule.kind === 'openAtOnce' && rule.lots ? { ...rule, lots: toVolume(rule.lots) } : rule;
  });
  return { wire, rules };
}

/** Positions of a hedging account, some in whole seconds, closed in parts or not. */
function randomDeals(random: Random): SentDeal[] {
  const startMs = parseBrokerTime(`${DAY} 10:00:01`) ?? 0;
  const fills = Array.from({ length: random.between(2, 7) }, (_, index) => {
    const isLong = random.chance(0.5);
    const isWhole = random.chance(0.6);
    const momentOf = (ms: number) => (isWhole ? Math.floor(ms / 1000) * 1000 : ms);
    const openMs = momentOf(startMs + random.between(0, 5 * 86_400_000));
    const heldMs = random.pick([0, 500, 30_000, 61_000, 7_200_000, 200_000_000]);
    const one = { symbol: random.pick(['EURUSD', 'XAUUSD']), positionId: `p${index}`, volume: 0.1 };
    const parts = random.between(1, 2);
    const entry = { ...one, volume: parts / 10, entry: 'DEAL_ENTRY_IN', isBuy: isLong };
    const exits = Array.from({ length: random.between(0, parts) }, (_, part) => ({
      ...{ ...one, entry: 'DEAL_ENTRY_OUT', isBuy: !isLong },
      profit: random.pick([0, 0, 30, -49, -50, -51]),
      timeMs: momentOf(openMs + (heldMs * (part + 1)) / parts),
    }));
    return [{ ...entry, timeMs: openMs }, ...exits];
  });
  const inOrder = fills.flat().sort((a, b) => a.timeMs - b.timeMs);
  return inOrder.map(({ timeMs, isBuy, ...trade }, index) => ({
    ...{ profit: 0, ...trade, id: `${index + 1}`, price: 1 },
    type: isBuy ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
    brokerTime: new Date(timeMs).toISOString().replace('T', ' ').slice(0, 23),
  }));
}

const liveDeal = ({ id, type, brokerTime, ...trade }: SentDeal): LiveDeal => ({
  ...{ id, type: type as LiveDeal['type'], timeMs: parseBrokerTime(brokerTime) ?? 0, money: 0 },
  trade: {
    ...{ symbol: trade.symbol, positionId: trade.positionId },
    volume: toVolume(trade.volume),
    ...(trade.profit !== undefined && trade.profit < 0 ? { loss: -trade.profit } : {}),
  },
});
