import { Faults } from '../../src/contract/faults.ts';
import type { DealRecord } from '../../src/contract/operations/deals.ts';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { compareDeals, type Deal } from '../../src/domain/deal.ts';
import { moneyDigits } from '../../src/domain/money.ts';
import { readDeal } from '../../src/ingest/read-deals.ts';
import { createAccount } from '../../src/services/accounts/create-account.ts';
import { correctDeal, deleteDeal } from '../../src/services/deals/change-deal.ts';
import { recordDeals } from '../../src/services/deals/record-deals.ts';
import { storeReading } from '../../src/services/imports/import-statement.ts';
import { deleteImport } from '../../src/services/imports/manage-imports.ts';
import { readMetrics } from '../../src/services/metrics/read-metrics.ts';
import { readHistoricalTrades } from '../../src/services/trades/read-historical-trades.ts';
import { readOpenTrades } from '../../src/services/trades/read-open-trades.ts';
import { searchTrades } from '../../src/services/trades/search-trades.ts';
import type { Random } from '../simulation/random.ts';
import { headOf } from '../statement-head.ts';
import type { BookTruth } from './book-truth.ts';
import type { Answer, Calls } from './calls.ts';
import { SETTINGS } from './clients.ts';
import type { SimulatedProcess } from './process.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
/** Some seconds after midnight, where worlds begin: so the time of day matters in them. */
const FIRST_MS = Date.UTC(2026, 9, 20, 0, 0, 5);
const CURRENCY_DIGITS = moneyDigits('USD');
const DEALS_PER_PAGE = 5;
const MAX_PAGE = 1000;
const UTC = { zone: 'Etc/UTC', shiftHours: 0 };

export type KeeperParts = {
  world: World;
  calls: Calls;
  truth: BookTruth;
  anyProcess: () => SimulatedProcess | undefined;
  untilMs: number;
};

/** A report file: its listed deals, and whether it states earlier ones. */
type Report = { hash: string; deals: Deal[]; carriedIn: number | undefined };

/** The acknowledged state of a deal or a report, and whether undoing it was tried since. */
type Promised = { isThere: boolean; isDoubtful: boolean };

/** The actions of a run's people on the deals of one account, some concurrent, and the answers. */
export class BookKeepers {
  readonly #parts: KeeperParts;
  readonly #userId: string;
  readonly #accountId: string;
  readonly #known: DealRecord[] = [];
  readonly #reports: Report[];
  readonly #importIds = new Map<string, string>();
  /** Deals that only clients send, by id. */
  readonly promisedDeals = new Map<string, Promised>();

  constructor(parts: KeeperParts, userId: string, accountId: string) {
    this.#parts = parts;
    this.#userId = userId;
    this.#accountId = accountId;
    const { random } = parts.world;
    const pool = Array.from({ length: random.between(6, 60) }, (_, n) => newDeal(random, `r${n}`));
    this.#reports = Array.from({ length: random.between(1, 3) }, (_, n) =>
      newReport(random, `${accountId}-${n}`, pool),
    );
  }

  get accountId(): string {
    return this.#accountId;
  }

  async work(): Promise<void> {
    const { random } = this.#parts.world;
    await this.#createAccount();
    const keepers = random.between(1, 3);
    const changers = Array.from({ length: keepers }, () => this.#goOn(() => this.#change()));
    const readers = Array.from({ length: random.between(1, 3) }, () =>
      this.#goOn(() => this.#read()),
    );
    await Promise.all([...changers, ...readers]);
  }

  async #goOn(act: () => Promise<void>): Promise<void> {
    const { world, untilMs } = this.#parts;
    const meanMs = world.random.pick([5, 50, 300]);
    while (world.nowMs < untilMs) {
      await this.#pause(meanMs);
      await act();
    }
  }

  async #change(): Promise<void> {
    const { random } = this.#parts.world;
    const kind = random.pick(['record', 'record', 'correct', 'delete', 'import', 'takeBack']);
    if (kind === 'record') await this.#record();
    else if (kind === 'import') await this.#import();
    else if (kind === 'takeBack') await this.#takeBack();
    else await this.#amend(kind === 'delete');
  }

  /** Reads everything, once all are at rest, until it is there. */
  async readAll(): Promise<void> {
    while (!(await this.#readTrades(true))) await this.#pause(500);
    while (!(await this.#readMetrics())) await this.#pause(500);
  }

  async #createAccount(): Promise<void> {
    const id = this.#accountId;
    const account = { id, name: id, platform: 'p5', login: id, broker: 'Sim' } as const;
    const input = { ...account, currency: 'USD', leverage: 100, brokerClock: UTC };
    const { world, untilMs } = this.#parts;
    while (world.nowMs < untilMs) {
      const answer = await this.#send('create account', ({ context }, principal) =>
        createAccount({ ...context, ...SETTINGS }, principal, input),
      );
      if (answer.kind !== 'unknown') return;
      await this.#pause(200);
    }
  }

  async #record(): Promise<void> {
    const { random } = this.#parts.world;
    const count = random.chance(0.1) ? random.between(20, 60) : random.between(1, 4);
    const records = Array.from({ length: count }, () => this.#anyRecord(random));
    const promised = records.map(({ id }) => this.#promiseOf(id));
    const answer = await this.#send('record deals', ({ context }, principal) =>
      recordDeals(context, principal, this.#accountId, records),
    );
    if (answer.kind !== 'done') return;
    for (const deal of promised) if (!deal.isDoubtful) deal.isThere = true;
  }

  /** A new one, or sometimes an earlier one with another amount. */
  #anyRecord(random: Random): DealRecord {
    if (this.#known.length > 0 && random.chance(0.2)) {
      return { ...random.pick(this.#known), profit: random.between(-500, 500) };
    }
    const record = newDeal(random, `a${this.#known.length}`);
    this.#known.push(record);
    return record;
  }

  async #amend(isDeletion: boolean): Promise<void> {
    const { random } = this.#parts.world;
    const listed = random.pick(this.#reports).deals;
    const ids = [...this.#known.map(({ id }) => id), ...listed.map(({ id }) => id)];
    const id = random.pick(ids);
    this.#promiseOf(id).isDoubtful ||= isDeletion;
    const record = newDeal(random, id);
    await this.#send(isDeletion ? 'delete deal' : 'correct deal', ({ context }, principal) =>
      isDeletion
        ? deleteDeal(context, principal, this.#accountId, id)
        : correctDeal(context, principal, this.#accountId, record),
    );
  }

  async #import(): Promise<void> {
    const { random } = this.#parts.world;
    const report = random.pick(this.#reports);
    const answer = await this.#send('import', async (process, principal) => {
      const { context, trades } = process;
      const account = await context.catalogue.account(this.#userId, this.#accountId);
      if (!account) return undefined;
      const by = { actor: `user:${this.#userId}`, tokenId: principal.tokenId };
      const { hash, deals, carriedIn } = report;
      const reading = { head: headOf(hash, deals, carriedIn), pages: () => pagesOf(report) };
      return storeReading({ ...context, trades }, by, account, reading, {
        force: true,
        adopt: true,
      });
    });
    if (answer.kind === 'done' && answer.value?.id)
      this.#importIds.set(report.hash, answer.value.id);
  }

  async #takeBack(): Promise<void> {
    const ids = [...this.#importIds.values()];
    if (ids.length === 0) return;
    const id = this.#parts.world.random.pick(ids);
    await this.#send('take back', ({ context }, principal) =>
      deleteImport(context, principal, this.#accountId, id),
    );
  }

  async #read(): Promise<void> {
    const { random } = this.#parts.world;
    const what = random.pick(['trades', 'trades', 'metrics', 'metrics', 'search', 'open']);
    if (what === 'trades') await this.#readTrades(random.chance(0.5));
    else if (what === 'metrics') await this.#readMetrics();
    else if (what === 'search') await this.#searchTrades();
    else await this.#readOpenTrades();
  }

  async #searchTrades(): Promise<void> {
    const { world, truth } = this.#parts;
    const fromMs = world.nowMs;
    const answer = await this.#send('search trades', ({ context, trades }, principal) =>
      searchTrades({ ...context, trades }, principal, this.#accountId, { limit: MAX_PAGE }),
    );
    if (answer.kind !== 'done' || !answer.value.ready) return;
    const { total, trades } = answer.value;
    const found = { total, ids: trades.map(({ _id }) => _id) };
    truth.check('found trades', this.#accountId, { fromMs, toMs: world.nowMs }, found, (figures) =>
      figures.newestFirst(MAX_PAGE),
    );
  }

  async #readOpenTrades(): Promise<void> {
    const { world, truth } = this.#parts;
    const fromMs = world.nowMs;
    const answer = await this.#send('read open trades', ({ context, trades }, principal) =>
      readOpenTrades({ ...context, trades }, principal, this.#accountId, {
        limit: MAX_PAGE,
        offset: 0,
      }),
    );
    if (answer.kind !== 'done' || !answer.value.ready) return;
    const found = answer.value.page.items.map(({ positionId, volume }) => ({ positionId, volume }));
    truth.check('open trades', this.#accountId, { fromMs, toMs: world.nowMs }, found, (figures) =>
      figures.open(),
    );
  }

  /** Whether they were there. */
  async #readTrades(isWhole: boolean): Promise<boolean> {
    const { world, truth } = this.#parts;
    const { random } = world;
    const startMs = FIRST_MS + (isWhole ? -DAY_MS : random.between(0, 12) * DAY_MS);
    const endMs = startMs + (isWhole ? 100 : random.between(0, 5)) * DAY_MS;
    const offset = random.chance(0.7) ? 0 : random.between(1, 40);
    const limit = random.pick([1, 10, 1000]);
    const query = { limit, offset, updateHistory: false };
    const range = { startTime: formatBrokerTime(startMs), endTime: formatBrokerTime(endMs) };
    const fromMs = world.nowMs;
    const answer = await this.#send('read trades', async (process, principal) => {
      const { context, trades, pages } = process;
      const parts = { ...context, trades, pages, updateHistory: async () => true };
      return readHistoricalTrades(parts, principal, this.#accountId, { ...range, ...query });
    });
    if (answer.kind !== 'done') return false;
    if (!answer.value.ready) return notReady(world, 'trades');
    const found = Buffer.concat(answer.value.body).toString();
    truth.check('trades', this.#accountId, { fromMs, toMs: world.nowMs }, found, (figures) =>
      figures.page(startMs, endMs, offset, limit),
    );
    return true;
  }

  /** Whether they were there. */
  async #readMetrics(): Promise<boolean> {
    const { world, truth } = this.#parts;
    const fromMs = world.nowMs;
    const answer = await this.#send('read metrics', async (process, principal) => {
      const { context, trades, live, lasting } = process;
      const atMs = context.now();
      const parts = { ...context, trades, live, lasting };
      const options = { includeOpenPositions: false };
      const metrics = await readMetrics(parts, principal, this.#accountId, options);
      return { atMs, isSameDay: sameDay(atMs, context.now()), metrics };
    });
    if (answer.kind !== 'done' || !answer.value.isSameDay) return false;
    const { atMs, metrics } = answer.value;
    if (!metrics.ready) return notReady(world, 'metrics');
    const { inclusive, equity, equityPercent, ...found } = JSON.parse(
      Buffer.concat(metrics.body).toString(),
    );
    truth.check('metrics', this.#accountId, { fromMs, toMs: world.nowMs }, found, (figures) =>
      figures.metrics(atMs),
    );
    return true;
  }

  #promiseOf(id: string): Promised {
    const promised = this.promisedDeals.get(id) ?? { isThere: false, isDoubtful: false };
    this.promisedDeals.set(id, promised);
    return promised;
  }

  async #send<T>(
    what: string,
    work: Parameters<typeof Calls.prototype.send<T>>[3],
  ): Promise<Answer<T>> {
    const { world, calls } = this.#parts;
    const process = this.#parts.anyProcess();
    if (!process) {
      await this.#pause(100);
      return { kind: 'unknown' };
    }
    const answer = await calls.send(process, what, this.#userId, work);
    world.count(`${what}: ${answer.kind}`);
    world.tell(() => {
      const outcome = answer.kind === 'refused' ? `refused ${answer.code}` : answer.kind;
      return `${what} of ${this.#accountId} at ${process.machine.name}: ${outcome}`;
    });
    return answer;
  }

  #pause(meanMs: number): Promise<void> {
    const { world } = this.#parts;
    return new Promise((resolve) => world.after(2 * meanMs * world.random.next(), resolve));
  }
}

function notReady(world: World, what: string): false {
  world.count(`${what} not ready`);
  return false;
}

const sameDay = (a: number, b: number): boolean =>
  Math.floor(a / DAY_MS) === Math.floor(b / DAY_MS);

/** At one of few moments, so that many are at the same one, and mostly late. */
function newDeal(random: Random, id: string): DealRecord {
  const timeMs = FIRST_MS + random.between(0, 12) * DAY_MS + random.between(0, 3) * 3_600_000;
  const record = {
    id,
    brokerTime: formatBrokerTime(timeMs),
    profit: random.between(-300, 500),
    commission: random.pick([0, -2]),
  };
  if (random.chance(0.3)) return { ...record, type: 'DEAL_TYPE_BALANCE' };
  return {
    ...record,
    type: random.pick(['DEAL_TYPE_BUY', 'DEAL_TYPE_SELL']),
    ...(random.chance(0.5) ? { positionId: `p${random.between(1, 6)}` } : {}),
    ...(random.chance(0.7)
      ? { entry: random.pick(['DEAL_ENTRY_IN', 'DEAL_ENTRY_OUT', 'DEAL_ENTRY_INOUT'] as const) }
      : {}),
    symbol: random.pick(['EURUSD', 'XAUUSD']),
    volume: random.pick([0.1, 0.3, 1]),
    price: random.between(100, 200) / 100,
  };
}

function newReport(random: Random, hash: string, pool: readonly DealRecord[]): Report {
  const fromMs = FIRST_MS + random.between(0, 8) * DAY_MS;
  const isPart = random.chance(0.5);
  const deals = pool
    .filter(() => random.chance(0.7))
    .map((record) => dealOf(record))
    .filter(({ timeMs }) => !isPart || timeMs >= fromMs)
    .sort(compareDeals);
  const carriedIn = isPart && random.chance(0.7) ? random.between(-500, 5000) * 100 : undefined;
  return { hash, deals: deals.length > 0 ? deals : pool.slice(0, 1).map(dealOf), carriedIn };
}

function dealOf(record: DealRecord): Deal {
  const faults = new Faults();
  const deal = readDeal(record, CURRENCY_DIGITS, '', faults);
  if (!faults.isEmpty) throw new Error(`Invariant: ${JSON.stringify(faults.list)}`);
  return deal;
}

async function* pagesOf({ deals }: Report): AsyncGenerator<Deal[], void, undefined> {
  for (let start = 0; start < deals.length; start += DEALS_PER_PAGE) {
    yield deals.slice(start, start + DEALS_PER_PAGE);
  }
}
