import { type BrokerClock, brokerTimeAt, DAY_MS } from '../../src/domain/broker-time.ts';
import { isBreach } from '../../src/domain/live/live-records.ts';
import { trackersOf } from '../../src/domain/programs/phase-trackers.ts';
import type {
  Consistency,
  EnrolmentDefinition,
  Objective,
  ProfitTarget,
  Rule,
  Size,
} from '../../src/domain/programs/program-definition.ts';
import type { DealItem, OracleItem, SnapshotItem } from './oracle-items.ts';
import { baselinesOf } from './oracle-period.ts';
import { bookedOf, fundsOf } from './oracle-start.ts';
import { calendarOf, firstUtcOf } from './oracle-time.ts';
import { oracleTracker, stretchesOf } from './oracle-trackers.ts';

/** Sums of deals and snapshots, as of an order. */
export type OracleFigures = {
  profit: number | undefined;
  equityProfit: number | undefined;
  total: number;
  winning: number;
  best: number;
  today: number;
  tradingDays: number;
  profitableDays: number;
  /** Only of a phase with payouts. */
  payouts?: number;
  paidOut?: number;
};

export type OracleEnd = {
  to: 'passed' | 'failed';
  ruleIndex: number | undefined;
  timeMs: number;
  figures: OracleFigures;
  /** Of the item by which it is known. */
  order: number;
};

/** Whether rules over deals let a phase pass at a snapshot. */
export type MayPass = (snapshot: SnapshotItem) => boolean;

/** A deal that only closes a position, in the feeds that are simulated: a sell. */
export const closesInFeed = ({ type }: { type: string }): boolean => type === 'DEAL_TYPE_SELL';

/** With the day of its own time. */
type DealOfDay = DealItem & { day: number };

const SCALE = 10_000_000n;
const DAYS_KEPT = 32;

/**
 * The course of an enrolment that exists from the feed's beginning: each question is answered from
 * the feed up to an item, again for each item. Phases without credit among their deals.
 */
export class OracleEnrolment {
  readonly end: OracleEnd | undefined;
  /** Its course if objectives could not pass it. */
  readonly endWithoutPassing: OracleEnd | undefined;
  readonly #definition: EnrolmentDefinition;
  readonly #items: readonly OracleItem[];
  readonly #mayPass: MayPass;
  readonly #clock: BrokerClock;
  readonly #calendar: BrokerClock;
  readonly #startUtcMs: number;
  readonly #deals: readonly DealOfDay[];
  /** The newest moment known by each item. */
  readonly #newestUtcMs: readonly number[];
  readonly #profitsAt: (order: number) => { profit?: number; equityProfit?: number };

  constructor(
    definition: EnrolmentDefinition,
    clock: BrokerClock,
    items: readonly OracleItem[],
    mayPass: MayPass = () => true,
  ) {
    this.#definition = definition;
    this.#mayPass = mayPass;
    this.#items = items;
    this.#clock = clock;
    this.#calendar = calendarOf({ ...NO_TRACKER, resetClock: definition.phase.resetClock }, clock);
    const { startTimeMs } = definition;
    this.#startUtcMs =
      startTimeMs === undefined
        ? (items.find(canBegin)?.utcMs ?? Infinity)
        : firstUtcOf(startTimeMs, clock);
    this.#deals = items
      .filter((item) => item.kind === 'deal')
      .filter((deal) => deal.endUtcMs >= this.#startUtcMs)
      .map((deal) => ({ ...deal, day: this.#dayOf(deal.ownUtcMs) }));
    let newest = this.#startUtcMs;
    this.#newestUtcMs = items.map((item) => {
      if (!isWaiting(item)) newest = Math.max(newest, item.utcMs);
      return newest;
    });
    this.#profitsAt = this.#progress();
    this.end = this.#findEnd(true);
    this.endWithoutPassing = this.end?.to === 'passed' ? this.#findEnd(false) : this.end;
  }

  /** Broker time of its begin. */
  get startTimeMs(): number {
    return this.#definition.startTimeMs ?? brokerTimeAt(this.#startUtcMs, this.#clock);
  }

  /** How many snapshots happened before an item. */
  readingsBefore(order: number): number {
    return this.#items.slice(0, order).filter(({ kind }) => kind === 'snapshot').length;
  }

  /** The kind of the rule that caused an end. */
  ruleOf(end: OracleEnd | undefined): Rule['kind'] | undefined {
    return this.#definition.phase.rules[end?.ruleIndex ?? -1]?.kind;
  }

  /** As of an order; `untilUtcMs` is a moment that has come by then, beside those of the items. */
  figuresAt(order: number, untilUtcMs = -Infinity): OracleFigures {
    const { profit, equityProfit } = this.#profitsAt(order);
    const paid = this.#payoutsBy(order).map(({ money }) => -money);
    const sums = { payouts: paid.length, paidOut: paid.reduce((sum, money) => sum + money, 0) };
    const { payout } = this.#definition.phase;
    return {
      ...{ profit, equityProfit, ...this.#daysAt(order, untilUtcMs) },
      ...(payout && this.#hasBegunAt(order) ? sums : {}),
    };
  }

  #findEnd(canPass: boolean): OracleEnd | undefined {
    const breaches = this.#breaches();
    for (const item of this.#items) {
      if (isWaiting(item)) break;
      const { order, utcMs, timeMs } = item;
      if (!this.#hasBegunAt(order)) continue;
      const over = this.#overAt(order, utcMs);
      if (over) {
        const endTimeMs = brokerTimeAt(over.utcMs, this.#clock);
        const figures = this.figuresAt(order - 1, utcMs);
        return { to: 'failed', ruleIndex: over.ruleIndex, timeMs: endTimeMs, figures, order };
      }
      const broken = breaches.find((breach) => breach.order === order);
      if (broken) {
        const figures = this.figuresAt(order);
        return { to: 'failed', ruleIndex: broken.ruleIndex, timeMs, figures, order };
      }
      if (!canPass || item.kind !== 'snapshot' || !this.#isPassedAt(order)) continue;
      if (this.#mayPass(item)) {
        const figures = this.figuresAt(order);
        return { to: 'passed', ruleIndex: undefined, timeMs, figures, order };
      }
    }
    return undefined;
  }

  /** What may be withdrawn as of the end of the feed. */
  payoutAtEnd() {
    const { phase, initialBalance: _ } = this.#definition;
    const { payout, objectives } = phase;
    if (!payout) return undefined;
    const { profit, equityProfit, payouts = 0 } = this.figuresAt(Infinity);
    if (profit === undefined || equityProfit === undefined)
      return { amount: 0, hindrances: ['waiting'] };
    const earned = Math.max(0, Math.min(profit, equityProfit));
    const share = Number((BigInt(earned) * partsOf(payout.share ?? 1)) / SCALE);
    const cap = payout.caps?.[payouts] ?? payout.caps?.at(-1) ?? Infinity;
    const most = Math.min(share, earned - (payout.buffer ?? 0), cap);
    const amount = most >= (payout.minimum ?? 1) ? most : 0;
    const last = this.#lastPayoutDayAt(Infinity);
    const fromDay =
      last === -Infinity
        ? this.#dayOf(this.#startUtcMs) + (payout.firstDays ?? payout.days ?? 0)
        : last + (payout.days ?? 0);
    const isMet = this.#areMetAt(Infinity, objectives);
    return {
      amount,
      hindrances: [
        ...(this.#todayAt(Infinity) < fromDay ? ['days'] : []),
        ...(isMet ? [] : ['objectives']),
        ...(amount === 0 ? ['profit'] : []),
      ],
    };
  }

  #payoutsBy(order: number): DealOfDay[] {
    if (!this.#definition.phase.payout) return [];
    return this.#dealsBy(order).filter(
      ({ type, money }) => type === 'DEAL_TYPE_BALANCE' && money < 0,
    );
  }

  #lastPayoutDayAt(order: number): number {
    const known = this.#payoutsBy(order).filter((deal) => this.#isKept(deal));
    return Math.max(...known.map(({ day }) => day));
  }

  #hasBegunAt(order: number): boolean {
    return this.#items
      .slice(0, order + 1)
      .some((item) => canBegin(item) && item.utcMs >= this.#startUtcMs);
  }

  /** The limit of days that has come to its end by a moment. */
  #overAt(order: number, utcMs: number): { utcMs: number; ruleIndex: number } | undefined {
    const { rules } = this.#definition.phase;
    const startDay = this.#dayOf(this.#startUtcMs);
    const active = this.#dealsBy(order - 1)
      .filter((deal) => deal.isTrade)
      .map(({ day }) => day);
    const lastActive = Math.max(startDay, ...active);
    const ends = rules.flatMap((rule: Rule, ruleIndex) => {
      if (rule.kind === 'timeLimit') {
        return [{ utcMs: this.#startOf(startDay + rule.days), ruleIndex, place: 0 }];
      }
      if (rule.kind !== 'inactivity') return [];
      return [{ utcMs: this.#startOf(lastActive + rule.days + 1), ruleIndex, place: 1 }];
    });
    return ends
      .filter((end) => utcMs >= end.utcMs)
      .sort((a, b) => a.utcMs - b.utcMs || a.place - b.place)[0];
  }

  /** Limits of loss that end the phase, in the order in which they are broken. */
  #breaches(): { order: number; ruleIndex: number }[] {
    const { phase } = this.#definition;
    const found = trackersOf(this.#definition).flatMap(({ definition, ruleIndex }) => {
      const rule = ruleIndex === undefined ? undefined : phase.rules[ruleIndex];
      if (!rule || ruleIndex === undefined || !('onBreach' in rule || isLoss(rule))) return [];
      const failsAt = 'failsAt' in rule ? rule.failsAt : undefined;
      const isRecorded = 'onBreach' in rule && rule.onBreach === 'record';
      if (isRecorded && failsAt === undefined) return [];
      const { events } = oracleTracker('account', definition, this.#clock, this.#items);
      return events
        .filter(isBreach)
        .slice((failsAt ?? 1) - 1)
        .flatMap((event) => {
          const at = this.#items.find(
            (item) =>
              item.kind === 'snapshot' &&
              item.timeMs === event.timeMs &&
              item.balance === event.balance &&
              item.equity === event.equity,
          );
          // The last reading of a day is known to be that at the next one.
          const verdict = definition.judgedAtEnd
            ? this.#items.find((item) => item.kind === 'snapshot' && item.order > (at?.order ?? 0))
            : at;
          return verdict ? [{ order: verdict.order, ruleIndex }] : [];
        });
    });
    return found.sort((a, b) => a.order - b.order || a.ruleIndex - b.ruleIndex);
  }

  #isPassedAt(order: number): boolean {
    const { objectives, payout } = this.#definition.phase;
    return objectives.length > 0 && !payout && this.#areMetAt(order, objectives);
  }

  #areMetAt(order: number, objectives: readonly Objective[]): boolean {
    const { profit, equityProfit } = this.#profitsAt(order);
    if (profit === undefined || equityProfit === undefined) return false;
    const days = this.#daysAt(order);
    const isMet = (objective: Objective): boolean => {
      switch (objective.kind) {
        case 'profitTarget':
          return this.#isAtLeast(profitFor(objective, profit, equityProfit), objective);
        case 'tradingDays':
          return days.tradingDays >= objective.days;
        case 'profitableDays':
          return days.profitableDays >= objective.days;
        case 'consistency':
          return this.#isConsistent(objective, days);
      }
    };
    return objectives.every(isMet);
  }

  #isConsistent(rule: Consistency, days: Pick<OracleFigures, 'total' | 'winning' | 'best'>) {
    const { share, inclusive, of } = rule;
    const whole =
      of === 'winningDays' ? days.winning : of === 'profitTarget' ? this.#target() : days.total;
    if (whole <= 0) return false;
    const [part, limit] = [BigInt(days.best) * SCALE, BigInt(whole) * partsOf(share)];
    return inclusive ? part < limit : part <= limit;
  }

  /** In units, rounded up, as amounts are whole units. */
  #target(): number {
    const targets = this.#definition.phase.objectives.filter(({ kind }) => kind === 'profitTarget');
    const amounts = targets.map((target) => this.#leastOf(target as ProfitTarget));
    return Math.max(...amounts);
  }

  #leastOf({ share, amount }: Size): number {
    if (amount !== undefined) return amount;
    const product = BigInt(this.#definition.initialBalance) * partsOf(share ?? 0);
    return Number((product + SCALE - 1n) / SCALE);
  }

  #isAtLeast = (value: number, size: Size): boolean => {
    if (size.amount !== undefined) return value >= size.amount;
    const least = BigInt(this.#definition.initialBalance) * partsOf(size.share ?? 0);
    return BigInt(value) * SCALE >= least;
  };

  #daysAt(order: number, untilUtcMs = -Infinity) {
    const { phase } = this.#definition;
    const adjusts: readonly string[] = phase.adjustDeals ?? ['DEAL_TYPE_BALANCE'];
    const ended = this.#lastPayoutDayAt(order);
    const deals = this.#dealsBy(order).filter(({ day }) => day > ended);
    const results = deals.filter((deal) => !deal.isCredit && !adjusts.includes(deal.type));
    const counted = deals.filter((deal) => this.#isKept(deal));
    const sums = new Map<number, number>();
    for (const deal of counted) {
      if (!results.includes(deal)) continue;
      sums.set(deal.day, (sums.get(deal.day) ?? 0) + deal.money);
    }
    const traded = phase.objectives.find((objective) => objective.kind === 'tradingDays');
    const isOpening = (deal: DealItem) => traded?.count === 'traded' || !closesInFeed(deal);
    const tradingDays = counted
      .filter((deal) => deal.isTrade && isOpening(deal))
      .map(({ day }) => day);
    const today = Math.max(this.#todayAt(order), this.#dayOf(untilUtcMs));
    const size = phase.objectives.find((objective) => objective.kind === 'profitableDays');
    const overDays = [...sums].filter(([day]) => day < today);
    const profitable = overDays.filter(([, result]) => size && this.#isAtLeast(result, size));
    return {
      total: results.reduce((sum, { money }) => sum + money, 0),
      winning: [...sums.values()].reduce((sum, result) => sum + Math.max(0, result), 0),
      best: Math.max(0, ...sums.values()),
      today: sums.get(today) ?? 0,
      tradingDays: new Set(tradingDays).size,
      profitableDays: profitable.length,
    };
  }

  /** Deals of the phase that are known by an order. */
  #dealsBy(order: number) {
    return this.#deals.filter((deal) => deal.order <= order);
  }

  /** Not if it became known so late that its day was settled. */
  #isKept({ order, day }: DealOfDay): boolean {
    return day > this.#todayAt(order) - DAYS_KEPT;
  }

  /** The day of the newest known moment. */
  #todayAt(order: number): number {
    return this.#dayOf(this.#newestUtcMs[Math.min(order, this.#items.length - 1)] ?? -Infinity);
  }

  #dayOf = (utcMs: number): number =>
    Number.isFinite(utcMs) ? Math.floor(brokerTimeAt(utcMs, this.#calendar) / DAY_MS) : -Infinity;

  #startOf = (day: number): number => firstUtcOf(day * DAY_MS, this.#calendar);

  /**
   * The profit at the newest snapshot up to an order, once the account holds something in the
   * phase. Deals that wait for a snapshot count as if it were there.
   */
  #progress() {
    const [progress] = trackersOf(this.#definition);
    if (!progress) throw new Error('An enrolment has a tracker of its phase');
    const { definition } = progress;
    const [stretch] = stretchesOf(definition, this.#clock, this.#items);
    if (!stretch) return () => ({});
    const baselines = baselinesOf(definition, this.#calendar, this.#items, stretch);
    const held = this.#items.find(
      (item) => item.kind === 'snapshot' && (item.balance > 0 || item.equity > 0),
    );
    return (untilOrder: number) => {
      const snapshot = this.#items.findLast(
        (item) => item.kind === 'snapshot' && item.order <= untilOrder,
      );
      if (snapshot?.kind !== 'snapshot') return {};
      const waiting = this.#items
        .filter((item) => item.kind === 'deal')
        .filter((deal) => isWaiting(deal) && deal.order <= untilOrder);
      const order = waiting.at(-1)?.order ?? snapshot.order;
      const origin = baselines.findLast(({ start }) => start.order <= order);
      const isKnown = snapshot.order >= (held?.order ?? Infinity);
      const isInPhase = snapshot.utcMs >= this.#startUtcMs;
      if (!origin || !isKnown || !isInPhase || !(origin.start.balance > 0)) return {};
      const { initialBalance } = this.#definition;
      const taken = origin.adjustmentAt(order);
      const cash = taken - origin.creditAt(order);
      return {
        profit: snapshot.balance + bookedOf(waiting) - cash - initialBalance,
        equityProfit: snapshot.equity + fundsOf(waiting) - taken - initialBalance,
      };
    };
  }
}

/** No snapshot includes it yet. */
const isWaiting = (item: OracleItem): boolean =>
  item.kind === 'deal' && item.snapshotOrder === Infinity;

const canBegin = (item: OracleItem): boolean => item.kind === 'snapshot' || item.mayBegin;

const NO_TRACKER = { id: '', name: '', period: 'lifetime' } as const;

const isLoss = ({ kind }: Rule): boolean => kind === 'dailyLoss' || kind === 'maximumLoss';

const partsOf = (share: number): bigint => BigInt(Math.round(share * Number(SCALE)));

function profitFor({ by = 'balance' }: ProfitTarget, balance: number, equity: number): number {
  if (by === 'balance') return balance;
  return by === 'equity' ? equity : Math.min(balance, equity);
}

/** The oracle has no phase that waits for money: one that would begins with the feed. */
export function begunWithFeed(
  definition: EnrolmentDefinition,
  items: readonly OracleItem[],
): EnrolmentDefinition {
  const first = items.find((item) => item.kind === 'snapshot');
  if (!first || first.balance >= definition.initialBalance * 0.9) return definition;
  return { startTimeMs: items.find(canBegin)?.timeMs, ...definition };
}
