import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { KeyList } from '../../src/domain/evidence/key-list.ts';
import { verifyText, verifyTexts } from '../../src/services/evidence/verify-file.ts';
import { needs, testedOn } from '../needs.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { metricOf } from '../servers/server-metrics.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

/** A long history is folded after all other work of the machine: see GivingWay. */
const FOLDED_WITHIN_MS = 240_000;

type Event = { sequenceNumber: number };
type Case = {
  statement: { place: number; measured: { equity: number; equation: string }; deals: object[] };
  annex: {
    actions: object[];
    acknowledged: boolean;
    entries: { author: string; kind: string; words?: string }[];
    openPositions: { source: string; count: number; openResult: number; positions: object[] };
  };
  /** The file as it was answered. */
  text: string;
};
type Texts = { statement: string; annex: string };
type Export = { head?: string; fromPlace: number; seals: string[]; consistency: string[] };

for (const kind of testedOn()) {
  describe(`case files on ${kind}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-cases-'));
    let running: TestServer;
    let client: Client & { userId: string };
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'warn' });
      client = await newUser(running.server.address);
    });
    after(async () => {
      rmSync(folder, { recursive: true });
      await running.close();
    });

    /** Breaks the limit of an account on some days, and returns the numbers of the events. */
    const breaches = async (
      id: string,
      days: readonly string[],
      { withDeals = true } = {},
    ): Promise<number[]> => {
      await client.post(`/users/current/accounts/${id}/trackers`, {
        ...{ name: 'Daily loss', period: 'date', relativeDrawdownThreshold: 0.05 },
      });
      for (const day of days) {
        const trade = { type: 'DEAL_TYPE_BUY', symbol: 'EURUSD', volume: 1, price: 1.1 };
        const deal = { ...trade, id: day, profit: 1 };
        const row = { accountId: id, brokerTime: `${day} 10:00:00`, balance: 10_000 };
        await client.post('/users/current/snapshots', [
          {
            ...{ ...row, equity: 10_000 },
            deals: withDeals ? [{ ...deal, brokerTime: `${day} 10:00:00` }] : [],
          },
          { ...row, brokerTime: `${day} 11:00:00`, equity: 9000 },
        ]);
      }
      const path = `/users/current/tracker-events/stream?accountId=${id}&wait=0`;
      let events: Event[] = [];
      await until(async () => {
        events = (await client.get<Event[]>(path)).body;
        return events.length === days.length;
      }, 'events');
      return events.map(({ sequenceNumber }) => sequenceNumber);
    };
    const readCase = async (number: number) => {
      const path = `/users/current/tracker-events/${number}/case`;
      let answer = await client.get<Texts>(path);
      await until(
        async () => {
          answer = await client.get<Texts>(path);
          return answer.status !== 409 && answer.status !== 202;
        },
        'the case file',
        FOLDED_WITHIN_MS,
      );
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const { statement, annex } = answer.body;
      return {
        statement: JSON.parse(statement) as Case['statement'],
        annex: JSON.parse(annex) as Case['annex'],
        text: JSON.stringify(answer.body),
      } satisfies Case;
    };
    const verified = (content: string, ...more: string[]) => {
      const file = join(folder, 'file.json');
      writeFileSync(file, content);
      return runPlimsoll(['verify', file, ...more], {});
    };
    const exported = async (query: string): Promise<Export> =>
      (await client.get<Export>(`/users/current/tracker-events/seals${query}`)).body;

    it('is valid as exported, and invalid with one changed byte', async () => {
      const id = await newAccount(client);
      const [number = 0] = await breaches(id, ['2026-03-02']);
      const file = await readCase(number);
      const { measured, deals } = file.statement;
      assert.equal(measured.equation, '9000 − 0 = 9000; 10000 − 9000 = 1000 > 500');
      assert.equal(deals.length, 1);
      const text = JSON.stringify(JSON.parse(file.text), undefined, 2);
      const key = await client.get<{ publicKey: string }>('/evidence-key');
      const good = await verified(text, '--key', key.body.publicKey);
      assert.deepEqual([good.code, good.stderr], [0, '']);
      assert.match(good.stdout, /equation: 9000 − 0 = 9000; 10000 − 9000 = 1000 > 500, in USD\n/);
      const other9600 = text.replace('\\"equity\\":9000', '\\"equity\\":9600');
      assert.notEqual(other9600, text);
      const altered = await verified(other9600);
      assert.equal(altered.code, 1);
      assert.match(
        altered.stdout,
        /does NOT hold\n {2}faults\n {4}the statement is not in the tree/,
      );
      assert.doesNotMatch(altered.stdout, /equation/);
      const other = await verified(text, '--key', 'AAAA');
      assert.match(other.stdout, /signed by another key/);
    });

    it('shows who handled the event, and is invalid with another name or word', async () => {
      const id = await newAccount(client);
      const [number = 0] = await breaches(id, ['2026-03-02']);
      assert.deepEqual((await readCase(number)).annex.entries, []);
      const handling = { acknowledged: true, assignee: 'Ada', note: 'The trader was called' };
      const handled = { ids: [number], ...handling };
      assert.equal((await client.call('PATCH', '/users/current/incidents', handled)).status, 200);
      const file = await readCase(number);
      const { acknowledged, entries, actions } = file.annex;
      assert.deepEqual([acknowledged, actions], [true, []]);
      assert.deepEqual(
        entries.map(({ kind, words }) => [kind, words]),
        [
          ['assigned', 'Ada'],
          ['noted', 'The trader was called'],
          ['acknowledged', undefined],
        ],
      );
      const { text } = file;
      assert.deepEqual(verifyText(text, {}).faults, []);
      const author = entries[0]?.author ?? '';
      for (const [from, to] of [
        ['The trader was called', 'The trader was not called'],
        [`\\"author\\":\\"${author}\\"`, '\\"author\\":\\"Nobody\\"'],
      ] as const) {
        assert.ok(text.includes(from), from);
        const { faults } = verifyText(text.replace(from, to), {});
        assert.deepEqual(faults, ['the annex was changed']);
      }
    });

    it('shows the positions open at the event, and says if they are unknown', async () => {
      const id = await newAccount(client);
      const [number = 0] = await breaches(id, ['2026-03-02']);
      const { openPositions } = (await readCase(number)).annex;
      assert.deepEqual(
        { ...openPositions, remark: undefined },
        {
          ...{ source: 'deals', remark: undefined, count: 1, openResult: -1000 },
          positions: [
            {
              ...{ positionId: '2026-03-02', type: 'DEAL_TYPE_BUY', symbol: 'EURUSD' },
              ...{ volume: 1, openBrokerTime: '2026-03-02 10:00:00.000', openPrice: 1.1 },
            },
          ],
        },
      );
      // A position closed later was open then; one closed before was not.
      const deal = { symbol: 'EURUSD', price: 1.1, profit: 0, volume: 1 };
      const deals = [
        { ...deal, id: 'a', positionId: 'A', type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_IN' },
        { ...deal, id: 'b', positionId: 'A', type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_OUT' },
        { ...deal, id: 'c', positionId: 'B', type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_IN' },
        { ...deal, id: 'd', positionId: 'B', type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_OUT' },
      ];
      const hours = ['08', '09', '10', '12'];
      const sent = deals.map((one, index) => ({
        ...{ ...one, brokerTime: `2026-03-02 ${hours[index]}:30:00` },
      }));
      await client.post(`/users/current/accounts/${id}/deals`, sent);
      const { positions } = (await readCase(number)).annex.openPositions;
      assert.deepEqual(
        positions.map((each) => (each as { positionId: string }).positionId),
        ['2026-03-02', 'B'],
      );
      const silent = await newAccount(client);
      await client.post(`/users/current/accounts/${silent}/trackers`, {
        ...{ name: 'Daily loss', period: 'date', relativeDrawdownThreshold: 0.05 },
      });
      const row = { accountId: silent, balance: 10_000 };
      await client.post('/users/current/snapshots', [
        { ...row, brokerTime: '2026-03-02 10:00:00', equity: 10_000 },
        { ...row, brokerTime: '2026-03-02 11:00:00', equity: 9000 },
      ]);
      const path = `/users/current/tracker-events/stream?accountId=${silent}&wait=0`;
      let events: Event[] = [];
      await until(async () => {
        events = (await client.get<Event[]>(path)).body;
        return events.length > 0;
      }, 'the event');
      const unknown = (await readCase(events[0]?.sequenceNumber ?? 0)).annex.openPositions;
      assert.deepEqual([unknown.source, unknown.count, unknown.openResult], ['none', 0, -1000]);
    });

    it('shows a position opened 50,000 deals before, and closed after the event', async () => {
      const id = await newAccount(client);
      const startMs = Date.UTC(2026, 0, 5);
      const brokerTime = (second: number) => formatBrokerTime(startMs + second * 1000);
      const trade = (index: number, fields: object) => ({
        ...{ id: `d${index}`, symbol: 'EURUSD', volume: 1, price: 1.1, profit: 0 },
        ...{ brokerTime: brokerTime(index * 60), ...fields },
      });
      const send = (deals: object[]) =>
        client.post<{ accepted: number }>(`/users/current/accounts/${id}/deals`, deals);
      const [buys, sells] = [{ type: 'DEAL_TYPE_BUY' }, { type: 'DEAL_TYPE_SELL' }];
      for (let start = 0; start < 50_000; start += 10_000) {
        const deals = Array.from({ length: 10_000 }, (_, place) => {
          const index = start + place;
          if (index === 0) return trade(0, { ...buys, positionId: 'first', volume: 2 });
          return trade(index, {
            ...(index % 2 === 0 ? sells : buys),
            positionId: `p${(index + 1) >> 1}`,
          });
        });
        assert.equal((await send(deals)).body.accepted, 10_000);
      }
      const [number = 0] = await breaches(id, ['2026-02-10'], { withDeals: false });
      const sides = ({ annex }: Case) =>
        annex.openPositions.positions.map((each) => {
          const { positionId, volume } = each as { positionId: string; volume: number };
          return [positionId, volume];
        });
      // The last of the 50,000 opened another.
      const open = [
        ['first', 2],
        ['p25000', 1],
      ];
      assert.deepEqual(sides(await readCase(number)), open);
      const later = { brokerTime: '2026-02-11 00:00:00' };
      await send([trade(60_000, { ...sells, ...later, positionId: 'first', volume: 2 })]);
      assert.deepEqual(sides(await readCase(number)), open);
      // A part of it was closed before, as becomes known late.
      const before = { brokerTime: '2026-01-06 00:00:30' };
      await send([trade(60_001, { ...sells, ...before, positionId: 'first', volume: 0.5 })]);
      assert.deepEqual(sides(await readCase(number)), [['first', 1.5], ...open.slice(1)]);
    });

    it('keeps all events of the user in one tree, whose heads are shown to be one history', async () => {
      const days = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'];
      const before = await exported('');
      const numbers = await breaches(await newAccount(client), days);
      const cases = [];
      for (const number of numbers) cases.push(await readCase(number));
      const whole = await exported('');
      assert.equal(whole.seals.length, before.seals.length + days.length);
      assert.deepEqual(
        cases.map(({ statement }) => statement.place),
        days.map((_, index) => before.seals.length + index + 1),
      );
      const list = (await client.get<KeyList>('/evidence-key')).body;
      const size = whole.seals.length;
      const texts = cases.map(({ text }) => text);
      for (let fromPlace = 1; fromPlace <= size + 1; fromPlace += 1) {
        for (const limit of [1, 2, size]) {
          const page = await exported(`?fromPlace=${fromPlace}&limit=${limit}`);
          const heads = fromPlace - 1 <= before.seals.length ? [before.head ?? ''] : [];
          const asText = JSON.stringify(page);
          assert.deepEqual(verifyText(asText, { list }).faults, [], `${fromPlace} ${limit}`);
          const isShown = fromPlace - 1 + page.seals.length >= before.seals.length;
          const [report] = verifyTexts([asText], { list, heads });
          if (isShown) assert.deepEqual(report?.faults, [], `${fromPlace} ${limit}`);
        }
      }
      const all = verifyTexts([JSON.stringify(whole), ...texts], {
        list,
        heads: [before.head ?? ''],
      });
      for (const { faults } of all) assert.deepEqual(faults, []);
      // Without the last event it was answered earlier, or cut.
      const cut = verifyTexts([JSON.stringify(before)], { list, heads: [whole.head ?? ''] });
      assert.match(cut[0]?.faults.join() ?? '', /it ends before the given head/);
      const beyond = `/users/current/tracker-events/seals?fromPlace=${size + 2}`;
      assert.equal((await client.get(beyond)).status, 400);
    });

    it('of warnings, profits and clocks of their own hold, too', async () => {
      const id = await newAccount(client);
      const resetClock = { zone: 'America/New_York', time: '17:00' };
      const limits = [
        { name: 'Loss', absoluteDrawdownThreshold: 1000, warnAt: 0.5, resetClock },
        { name: 'Profit', absoluteProfitThreshold: 100 },
      ];
      for (const limit of limits) {
        const tracker = { period: 'date', ...limit };
        const made = await client.post(`/users/current/accounts/${id}/trackers`, tracker);
        assert.equal(made.status, 201, JSON.stringify(made.body));
      }
      const equities = [10_000, 9400, 8900, 10_200];
      const rows = equities.map((equity, hour) => ({
        ...{ accountId: id, brokerTime: `2026-03-02 1${hour}:00:00`, balance: 10_000, equity },
      }));
      await client.post('/users/current/snapshots', rows);
      const kinds = async () =>
        (
          await client.get<{ kind: string; sequenceNumber: number }[]>(
            `/users/current/tracker-events/stream?accountId=${id}&wait=0`,
          )
        ).body;
      await until(async () => (await kinds()).length >= 3, 'events');
      const found = await kinds();
      assert.deepEqual([...new Set(found.map(({ kind }) => kind))].sort(), [
        ...['drawdown', 'profit', 'warning'],
      ]);
      for (const { sequenceNumber } of found) {
        const { text } = await readCase(sequenceNumber);
        assert.deepEqual(verifyText(text, {}).faults, []);
      }
    });

    it('does not go on from hashes that were changed in the database', async () => {
      const { userId } = client;
      const [first = 0] = await breaches(await newAccount(client), ['2026-03-02']);
      await readCase(first);
      const { head = '' } = await exported('');
      const { size = 0 } =
        (await running.database.database.get<{ size: number }>(
          'select size from seal_tree where user_id = $1',
          [userId],
        )) ?? {};
      assert.match(head, new RegExp(`^plimsoll/[0-9a-f]{32}/${userId}\\n${size}\\n`));
      const change = (hashes: Uint8Array) =>
        running.database.database.run(
          'update event_seal set hashes = $1 where user_id = $2 and place = $3',
          [hashes, userId, size],
        );
      const row = await running.database.database.get<{ hashes: Uint8Array }>(
        'select hashes from event_seal where user_id = $1 and place = $2',
        [userId, size],
      );
      assert.ok(row);
      await change(new Uint8Array(row.hashes.length));
      const [second = 0] = await breaches(await newAccount(client), ['2026-03-02']);
      await until(() => running.server.log().includes('are not those that were signed'), 'refusal');
      const path = `/users/current/tracker-events/${second}/case`;
      await until(async () => {
        const { status, body } = await client.get<{ message: string }>(path);
        assert.equal(status, 409);
        return body.message.includes('restore the rows of event_seal');
      }, 'an answer that says why');
      const unsealed = () => metricOf(running.server.address, 'plimsoll_unsealed_users');
      assert.equal(await unsealed(), 1);
      await change(row.hashes);
      await readCase(second);
      await until(async () => (await unsealed()) === 0, 'nobody who waits');
    });

    it('is hidden from all others', async () => {
      const id = await newAccount(client);
      const [number = 0] = await breaches(id, ['2026-03-02']);
      await readCase(number);
      const other = await newUser(running.server.address);
      const path = `/users/current/tracker-events/${number}/case`;
      assert.equal((await other.get(path)).status, 404);
      assert.deepEqual(
        (await other.get<Export>('/users/current/tracker-events/seals')).body.seals,
        [],
      );
      assert.equal((await client.get('/users/current/tracker-events/0/case')).status, 404);
    });
  });
}
