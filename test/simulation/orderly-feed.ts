import type { BrokerClock } from '../../src/domain/broker-time.ts';
import { brokerTimeAt, formatBrokerTime } from '../../src/domain/broker-time.ts';
import { Random } from './random.ts';
import type { FeedBatch, WireDeal, WireSnapshot } from './wire.ts';

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

export type OrderlyOptions = {
  seed: number;
  clock: BrokerClock;
  startUtcMs: number;
  days: number;
  /** Snapshots in an hour at most. */
  perHour: number;
  /** Money may come in without a deal for it; default false. */
  unreported?: boolean;
  /** Credit is given and taken, at times that no balance shows; default true. */
  credit?: boolean;
  /** Deals that travel with a snapshot may be some milliseconds later than it; default false. */
  skewed?: boolean;
};

/** A snapshot and the deals that it contains and the one before did not. */
type Moment = { utcMs: number; snapshot: WireSnapshot; deals: WireDeal[] };

/** The account's true state, in cents. */
type Truth = { balance: number; open: number; credit: number };

/**
 * The events of one account, in the order of time: trades, deposits, withdrawals and credit. It may
 * begin without money, lose all of it, and be funded again.
 */
export function orderlyMoments(options: OrderlyOptions): Moment[] {
  const { seed, clock, startUtcMs, days, perHour } = options;
  const random = new Random(seed);
  const truth = { balance: random.pick([0, 0, 10_000_000, 10_000_000, -5000]), open: 0, credit: 0 };
  const perWallHour = new Map<number, number>();
  const moments: Moment[] = [];
  let lastUtcMs = startUtcMs;
  let deals: WireDeal[] = [];
  let utcMs = startUtcMs + random.between(0, HOUR);
  for (let step = 0; utcMs < startUtcMs + days * DAY; step += 1) {
    const wallHour = Math.floor(brokerTimeAt(utcMs, clock) / HOUR);
    const count = perWallHour.get(wallHour) ?? 0;
    const fromUtcMs = Math.max(lastUtcMs + 1, utcMs - 30 * MINUTE);
    deals.push(...happenings(truth, random, options, `${seed}-${step}`, fromUtcMs, utcMs));
    // In an hour that is shown twice, a small step back would be taken for late.
    const backMs = brokerTimeAt(lastUtcMs, clock) - brokerTimeAt(utcMs, clock);
    if (count < perHour && !(backMs > 0 && backMs <= 30 * MINUTE)) {
      perWallHour.set(wallHour, count + 1);
      const { balance, open, credit } = truth;
      const brokerTime = formatBrokerTime(brokerTimeAt(utcMs, clock));
      const equity = (balance + open + credit) / 100;
      const snapshot = { accountId: 'account', brokerTime, balance: balance / 100, equity };
      moments.push({ utcMs, snapshot, deals });
      lastUtcMs = utcMs;
      deals = [];
    }
    utcMs += stepMs(random, perHour);
  }
  return moments;
}

/** The moments as they arrive: each snapshot with its deals, or some of them just before it. */
export function orderlyBatches(moments: readonly Moment[], seed: number): FeedBatch[] {
  const random = new Random(seed);
  return moments.flatMap(({ utcMs, snapshot, deals }): FeedBatch[] => {
    const isLater = (deal: WireDeal) => deal.brokerTime > snapshot.brokerTime;
    const split = deals.some(isLater) ? 0 : random.between(0, deals.length * 2) - deals.length;
    const before = deals.slice(0, Math.max(0, split));
    const own = deals.slice(before.length);
    const received = { receivedUtcMs: utcMs + 500 };
    const alone = { ...received, kind: 'deals' as const, accountId: 'account', deals: before };
    const snapshots = [own.length > 0 ? { ...snapshot, deals: own } : snapshot];
    const batch = { ...received, kind: 'snapshots' as const, snapshots };
    return before.length > 0 ? [alone, batch] : [batch];
  });
}

/**
 * The same moments as they arrive over bad lines: snapshots and deals late and out of order, each
 * for itself, and some of them twice. The first snapshots are in time.
 */
export function disorderlyBatches(moments: readonly Moment[], seed: number): FeedBatch[] {
  const random = new Random(seed);
  const arrivals = moments.flatMap(({ snapshot, deals }, index) => {
    const inTime = index < 3;
    const delay = (chance: number) =>
      !inTime && random.chance(chance) ? random.between(1, 20) : 0;
    const rows: { at: number; batch: FeedBatch }[] = [];
    const add = (at: number, batch: FeedBatch) => {
      rows.push({ at, batch });
      if (random.chance(0.05)) rows.push({ at: at + random.between(0, 20), batch });
    };
    const receivedUtcMs = Number.MAX_SAFE_INTEGER;
    const alone = { kind: 'deals' as const, receivedUtcMs, accountId: 'account', deals };
    const apart = deals.length > 0 && random.chance(0.5);
    if (apart) add(index - 0.5 + delay(0.5), alone);
    const sent = deals.length > 0 && !apart ? { ...snapshot, deals } : snapshot;
    add(index + delay(0.1), { kind: 'snapshots', receivedUtcMs, snapshots: [sent] });
    return rows;
  });
  return arrivals.sort((a, b) => a.at - b.at).map(({ batch }) => batch);
}

function happenings(
  truth: Truth,
  random: Random,
  { clock, unreported = false, credit = true, skewed = false }: OrderlyOptions,
  id: string,
  fromUtcMs: number,
  untilUtcMs: number,
): WireDeal[] {
  const deals: WireDeal[] = [];
  const book = (type: WireDeal['type'], cents: number): void => {
    const lateMs = skewed && random.chance(0.2) ? random.between(1, 900) : 0;
    const utcMs = lateMs > 0 ? untilUtcMs + lateMs : random.between(fromUtcMs, untilUtcMs);
    const brokerTime = formatBrokerTime(brokerTimeAt(utcMs, clock));
    deals.push({ id: `${id}-${deals.length}`, type, profit: cents / 100, brokerTime });
  };
  const transfer = (cents: number): void => {
    truth.balance += cents;
    if (!unreported || random.chance(0.5)) book('DEAL_TYPE_BALANCE', cents);
  };
  const isEmpty = truth.balance <= 0 && truth.credit === 0;
  if (truth.balance <= 0 && random.chance(0.15)) transfer(random.between(1, 20_000_000));
  if (!isEmpty) {
    truth.open += random.between(-60_000, 59_000);
    if (random.chance(0.003)) truth.open = -truth.balance - random.pick([0, 1000]);
    if (random.chance(0.15)) {
      truth.balance += truth.open;
      book('DEAL_TYPE_SELL', truth.open);
      truth.open = 0;
    }
  }
  if (truth.balance > 0 && random.chance(0.03)) transfer(random.between(-400_000, 500_000));
  if (credit && random.chance(0.01)) {
    const cents = truth.credit > 0 ? -truth.credit : random.between(10_000, 200_000);
    truth.credit += cents;
    book('DEAL_TYPE_CREDIT', cents);
  }
  return deals.sort((a, b) => (a.brokerTime < b.brokerTime ? -1 : 1));
}

function stepMs(random: Random, perHour: number): number {
  if (random.chance(0.01)) return random.between(1, 3) * DAY;
  if (random.chance(0.3)) return random.between(1, 90) * SECOND;
  return random.between(1, Math.ceil(240 / perHour)) * MINUTE;
}
