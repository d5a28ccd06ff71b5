import assert from 'node:assert/strict';
import { it } from 'node:test';
import { presentTracker } from '../../src/services/trackers/present-tracker.ts';
import { needs, testedOn } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { freePort } from '../servers/free-ports.ts';
import { type Client, newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { orderlyBatches, orderlyMoments } from '../simulation/orderly-feed.ts';
import { Random } from '../simulation/random.ts';
import { type SimulatedAccount, simulatedAccounts } from '../simulation/simulated-accounts.ts';
import { simulateFeed } from '../simulation/simulated-feed.ts';
import {
  byKey,
  drawdownOf,
  type ShownEvent,
  standingOf,
  type ToldEvent,
} from '../simulation/standing-events.ts';
import { type Send, snapshotsOf, TWINS, type Twin, twinSends } from '../simulation/twins.ts';
import { SIMULATION_DIGITS, type WireDeal } from '../simulation/wire.ts';

needs('postgres', 'server');

/** PLIMSOLL_TEST_ROUNDS=20 tries more accounts, one after another. */
const ROUNDS = Number(process.env.PLIMSOLL_TEST_ROUNDS ?? 1);
const SEED = seedOr(20_261_129);
const ACCOUNTS = 2;
const START_UTC_MS = Date.UTC(2025, 5, 1, 17);
const DAYS = 3;
const PERIOD = 'startTime=2025-05-01 00:00:00.000&endTime=2025-07-01 00:00:00.000&realTime=true';

const UNREACHABLE = { kind: 'profitTarget', amount: 100_000_000 };
const PHASES = [
  {
    name: 'daily',
    rules: [{ kind: 'dailyLoss', share: 0.02, from: 'higherOfBoth', settleSeconds: 3 }],
    objectives: [{ kind: 'profitTarget', share: 0.03 }],
  },
  {
    name: 'trailing',
    rules: [
      { kind: 'maximumLoss', share: 0.04, trails: 'equity', lockAbove: 0 },
      { kind: 'timeLimit', days: 3 },
    ],
    objectives: [{ kind: 'tradingDays', days: 2, count: 'traded' }],
  },
].flatMap((phase) => [
  phase,
  // A failed phase passes no more: it continues like this one.
  {
    ...phase,
    name: `${phase.name} unpassable`,
    objectives: [...phase.objectives, UNREACHABLE],
  },
]);

type Period = { startBrokerTime: string; period: string };
type Enrolment = {
  state: string;
  isDisputed: boolean;
  figures?: object;
  transitions: { state: string; brokerTime: string; rule?: string }[];
};
type Fed = { id: string; twin: Twin; of: SimulatedAccount; sends: Send[][] };

for (const kind of testedOn()) {
  for (let round = 0; round < ROUNDS; round += 1) {
    const seed = SEED + round;
    it(`verdicts do not depend on the arrival of facts, on ${kind} (seed ${seed})`, async () => {
      await using stack = new AsyncDisposableStack();
      const database = await openTestDatabase(kind);
      stack.defer(() => database.close());
      const own = { PORT: String(await freePort()), LOG_LEVEL: 'fatal' };
      const start = () => startPlimsoll({ ...database.environment, ...own });
      let server = await start();
      stack.defer(() => server.kill());
      const desk = new TwinDesk(await newUser(server.address));
      const fed = fedAccounts(seed);
      await desk.setUp(fed);
      await desk.send(fed, 0);
      await desk.addLater(fed);
      await desk.send(
        fed.filter(({ twin }) => twin === 'plain'),
        1,
      );
      await server.kill();
      server = await start();
      await desk.send(
        fed.filter(({ twin }) => twin !== 'plain'),
        1,
      );
      for (const { id, of } of fed.filter(({ twin }) => twin === 'plain')) {
        for (const twin of fed.filter((one) => one.of === of)) await desk.compare(twin, id);
      }
      await desk.compareSeeded(seed);
    });
  }
}

function fedAccounts(seed: number): Fed[] {
  const random = new Random(seed);
  const accounts = simulatedAccounts(seed, ACCOUNTS, 4, START_UTC_MS);
  for (const tracker of accounts.flatMap(({ trackers }) => trackers)) {
    const { absoluteDrawdownThreshold, relativeDrawdownThreshold } = tracker;
    if ((absoluteDrawdownThreshold ?? relativeDrawdownThreshold) === undefined) {
      delete tracker.lockAt;
    } else if (random.chance(0.3)) tracker.settleSeconds = random.between(1, 60);
    tracker.endTimeMs = undefined;
  }
  const feed = { seed, accounts, startUtcMs: START_UTC_MS, days: DAYS, pace: 25, faults: false };
  const batches = [...simulateFeed(feed)];
  return accounts.flatMap((of) => {
    const own = snapshotsOf(batches, of.id);
    const gap = random.between(1, own.length - 1);
    return TWINS.map((twin): Fed => {
      const id = `${of.id}-${twin}`;
      const { before, after } = twinSends(
        twin,
        own.map((row) => ({ ...row, accountId: id })),
        gap,
        random,
      );
      return { id, twin, of, sends: [before, after] };
    });
  });
}

/** A user whose accounts get the same facts in different ways. */
class TwinDesk {
  readonly #client: Client;
  readonly #programs = new Map<string, string>();

  constructor(client: Client) {
    this.#client = client;
  }

  async setUp(fed: readonly Fed[]): Promise<void> {
    for (const phase of PHASES) {
      const { id } = await this.#post<{ id: string }>('programs', {
        ...{ name: phase.name, phases: [phase] },
      });
      this.#programs.set(phase.name, id);
    }
    await each(fed, async ({ id, of }) => {
      await newAccount(this.#client, { id, name: id, brokerClock: of.clock });
      for (const { id: name, ...tracker } of of.trackers) await this.#track(id, name, tracker);
      for (const programId of this.#programs.values()) {
        await this.#post(`accounts/${id}/enrolments`, { programId, initialBalance: 100_000 });
      }
    });
  }

  /** The same trackers once more, in the middle of the feed. */
  async addLater(fed: readonly Fed[]): Promise<void> {
    await each(fed, async ({ id, of }) => {
      for (const { id: name, startTimeMs: _start, ...tracker } of of.trackers) {
        await this.#track(id, `later ${name}`, tracker);
      }
    });
  }

  async send(fed: readonly Fed[], part: 0 | 1): Promise<void> {
    await each(fed, async ({ id, sends }) => {
      for (const send of sends[part] ?? []) {
        if ('snapshots' in send) await this.#post('snapshots', send.snapshots);
        else await this.#post(`accounts/${id}/deals`, send.deals);
      }
    });
  }

  async compare(twin: Fed, plainId: string): Promise<void> {
    const isShifted = twin.twin === 'clock';
    const shown = isShifted ? withoutTimes : <T>(one: T): T => one;
    const what = `${twin.id}: ${JSON.stringify(twin.of)}`;
    const chart = (id: string) => this.#get<object[]>(`accounts/${id}/equity-chart?${PERIOD}`);
    if (!isShifted) assert.deepEqual(await chart(twin.id), await chart(plainId), what);
    const names = await this.#trackerIds(plainId);
    const own = await this.#trackerIds(twin.id);
    for (const [name, trackerId] of names) {
      const periods = (id: string, of: string) =>
        this.#get<Period[]>(`accounts/${id}/trackers/${of}/statistics?limit=1000&realTime=true`);
      const [is, should] = [
        await periods(twin.id, own.get(name) ?? ''),
        await periods(plainId, trackerId),
      ];
      const present = (all: Period[]) => all.map((one) => shown(withoutOwnStart(one)));
      assert.deepEqual(present(is), present(should), `${name} of ${what}`);
    }
    await until(async () => {
      const [is, should] = [
        await this.#events(twin.id, own, shown),
        await this.#events(plainId, names, shown),
      ];
      return is === should;
    }, `the events of ${what}`);
    for (const [place, name] of [...this.#programs.keys()].entries()) {
      if (!name.endsWith('unpassable')) await this.#compareEnrolment(twin.id, plainId, place, what);
    }
  }

  /** A tracker that existed before, one created when all was over, and its preview. */
  async compareSeeded(seed: number): Promise<void> {
    const random = new Random(seed);
    const clock = { zone: 'Europe/Athens', shiftHours: 0 };
    const kind = { perHour: 2, credit: false, skewed: random.chance(0.5) };
    const moments = orderlyMoments({
      ...{ seed, clock, startUtcMs: START_UTC_MS, days: 5 },
      ...kind,
    });
    const id = await newAccount(this.#client, { brokerClock: clock });
    const rules = ['startBalance', 'startEquity', 'peakEquity', 'peakBalance'].map((baseline) => ({
      ...{ baseline, relativeDrawdownThreshold: 0.04, absoluteProfitThreshold: 3000 },
      period: random.pick(['day', 'date', 'week', 'lifetime']),
      startBrokerTime: `2025-06-0${random.between(2, 4)} ${random.pick(['00', '07'])}:00:00.000`,
    }));
    for (const [index, rule] of rules.entries()) await this.#track(id, `live ${index}`, rule);
    for (const batch of orderlyBatches(moments, seed)) {
      const complete = (deals: readonly WireDeal[] = []) => deals.map(completeDeal);
      if (batch.kind === 'deals') await this.#post(`accounts/${id}/deals`, complete(batch.deals));
      else {
        const rows = batch.snapshots.map((row) => ({
          ...{ ...row, accountId: id, deals: complete(row.deals) },
        }));
        await this.#post('snapshots', rows);
      }
    }
    for (const [index, rule] of rules.entries()) await this.#track(id, `seeded ${index}`, rule);
    const ids = await this.#trackerIds(id);
    for (const [index, rule] of rules.entries()) {
      const path = `accounts/${id}/trackers`;
      const of = async (name: string) => {
        const own = ids.get(`${name} ${index}`);
        const shown = await this.#get<Period[]>(
          `${path}/${own}/statistics?limit=1000&realTime=true`,
        );
        return shown.map(withoutTimes).sort(byText);
      };
      const previewed = await this.#post<{ periods: Period[] }>(`${path}/preview`, {
        ...{ ...rule, name: 'preview' },
      });
      const live = await of('live');
      assert.deepEqual(await of('seeded'), live, JSON.stringify(rule));
      assert.deepEqual(
        previewed.periods.map(withoutTimes).sort(byText),
        live,
        JSON.stringify(rule),
      );
    }
  }

  async #compareEnrolment(id: string, plainId: string, place: number, what: string) {
    const [is, plain, unpassable] = [
      await this.#enrolment(id, place),
      await this.#enrolment(plainId, place),
      await this.#enrolment(plainId, place + 1),
    ];
    const ends = is.transitions;
    const should = ends.some(({ state }) => state === 'failed') ? unpassable : plain;
    const isOpen = is.state === 'running' || is.isDisputed;
    assert.equal(isOpen, should.state === 'running', `${what}: ${JSON.stringify([is, should])}`);
    const [last, end] = [ends.at(-1), should.transitions.at(-1)];
    if (!isOpen) assert.deepEqual([last?.state, last?.rule], [end?.state, end?.rule], what);
    if (is.state === 'running') assert.deepEqual(is.figures, should.figures, what);
  }

  async #enrolment(id: string, place: number): Promise<Enrolment> {
    const enrolments = await this.#get<{ id: string; programId: string }[]>(
      `accounts/${id}/enrolments`,
    );
    const programId = [...this.#programs.values()][place];
    const own = enrolments.find((one) => one.programId === programId);
    let found: Enrolment | undefined;
    await until(async () => {
      found = await this.#get<Enrolment>(`accounts/${id}/enrolments/${own?.id}?realTime=true`);
      // Its end is stored a moment after it has none any more.
      return found.state !== 'running' || found.figures !== undefined;
    }, `the figures or the end of an enrolment of ${id}`);
    assert.ok(found);
    return found;
  }

  /** The events after revisions, as text, with names of trackers for their ids. */
  async #events(
    id: string,
    trackers: ReadonlyMap<string, string>,
    shown: (event: object) => object,
  ): Promise<string> {
    const names = new Map([...trackers].map(([name, trackerId]) => [trackerId, name]));
    const told: ToldEvent[] = [];
    for (;;) {
      const after = told.at(-1)?.sequenceNumber ?? 0;
      const page = await this.#get<ToldEvent[]>(
        `tracker-events/stream?wait=0&accountId=${id}&previousSequenceNumber=${after}`,
      );
      if (page.length === 0) break;
      told.push(...page);
    }
    const own = told.filter(({ trackerId }) => names.has(trackerId));
    return JSON.stringify(
      standingOf(own)
        .found.map((event) => ({
          ...drawdownOf(event),
          trackerId: names.get(event.trackerId) ?? '',
        }))
        .map((event): ShownEvent => ({ ...withoutOwnStart(event), accountId: '' }) as ShownEvent)
        .sort(byKey)
        .map((event) => Object.entries(shown(event)).sort(byText)),
    );
  }

  async #trackerIds(accountId: string): Promise<Map<string, string>> {
    const trackers = await this.#get<{ _id: string; name: string }[]>(
      `accounts/${accountId}/trackers`,
    );
    return new Map(trackers.map(({ _id, name }) => [name, _id]));
  }

  async #track(accountId: string, name: string, tracker: object): Promise<void> {
    const shown =
      'baseline' in tracker && 'startBrokerTime' in tracker
        ? tracker
        : presentTracker({ ...tracker, id: '', name } as never, SIMULATION_DIGITS);
    await this.#post(`accounts/${accountId}/trackers`, { ...shown, name, _id: undefined });
  }

  async #get<T>(path: string): Promise<T> {
    return this.#client.asOfNow<T>(`/users/current/${path}`);
  }

  async #post<T>(path: string, body: unknown): Promise<T> {
    const { status, body: answer } = await this.#client.post<T>(`/users/current/${path}`, body);
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(answer)} ${JSON.stringify(body)}`);
    return answer;
  }
}

/** A lifetime without a start begins with the first that was known of it, and keeps that. */
function withoutOwnStart<T extends { startBrokerTime: string }>(one: T): T {
  const isLifetime = 'period' in one && one.period === 'lifetime';
  return isLifetime ? { ...one, startBrokerTime: '' } : one;
}

/** Another clock moves the moments of snapshots. */
function withoutTimes(one: object): object {
  return Object.fromEntries(
    Object.entries(one).filter(
      ([name]) => !['brokerTime', 'maxDrawdownTime', 'maxProfitTime'].includes(name),
    ),
  );
}

const completeDeal = (deal: WireDeal): object =>
  deal.type === 'DEAL_TYPE_SELL'
    ? { ...deal, symbol: 'EURUSD', volume: 0.1, price: 1.1, entry: 'DEAL_ENTRY_OUT' }
    : deal;

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  await Promise.all(items.map(work));
}
