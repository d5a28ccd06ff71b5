import { type BrokerClock, brokerTimeAt, formatBrokerTime } from '../../src/domain/broker-time.ts';
import { Random } from './random.ts';
import { type SimulatedAccount, START_BALANCE } from './simulated-accounts.ts';
import type { FeedBatch, WireDeal, WireSnapshot } from './wire.ts';

export type FeedOptions = {
  seed: number;
  accounts: readonly SimulatedAccount[];
  startUtcMs: number;
  days: number;
  /** Mean minutes between two snapshots of an account. */
  pace?: number;
  /**
   * Late, repeated and impossible snapshots, late deals; default true. `deals`: snapshots come in
   * order, though some twice; their deals before, with or after them or never, in whole seconds for
   * half of the accounts: all of that leaves the verdict as it is.
   */
  faults?: boolean | 'deals';
  /** Accounts that begin without money, or lose all of it; default true. */
  ruins?: boolean;
};

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const MAX_BATCH = 7;

/** An account's true state, in cents. */
type Desk = {
  account: SimulatedAccount;
  utcMs: number;
  balance: number;
  ruins: boolean;
  open: number;
  credit: number;
  /** Its platform books whole seconds; its deals are never sent. */
  isCoarse: boolean;
  isSilent: boolean;
  /** Deals that are sent later: with which of its snapshots. */
  held: { at: number; deals: WireDeal[] }[];
  count: number;
  /** The newest time of a deal: a platform's ledger has one order. */
  bookedUtcMs: number;
};

/** Snapshots that a late deal may come after: a log keeps them all. */
const MOST_LATE = 20;

/**
 * The requests of a feed over the given days, in the order of receipt. Accounts take turns, with
 * gaps, trades, deposits, withdrawals and credit; some begin without money, some lose all of it,
 * and are funded later, not always with a deal that tells so. With faults also late and repeated
 * snapshots, repeated batches, clocks a day ahead, and deals that come before or after their
 * snapshot.
 */
export function* simulateFeed(options: FeedOptions): Generator<FeedBatch> {
  const { seed, accounts, startUtcMs, days, pace = 40 } = options;
  const { faults = true, ruins = true } = options;
  const isDisordered = faults === true;
  const random = new Random(seed);
  const desks = accounts.map((account) => ({
    account,
    utcMs: startUtcMs + random.between(0, 5 * MINUTE),
    balance: ruins && random.chance(0.3) ? 0 : START_BALANCE * 100,
    ruins,
    ...{ open: 0, credit: 0, held: [] as Desk['held'], count: 0, bookedUtcMs: 0 },
    isCoarse: faults === 'deals' && random.chance(0.5),
    isSilent: faults === 'deals' && random.chance(0.1),
  }));
  const delayed: WireSnapshot[] = [];
  let dealNumber = 0;
  const nextId = () => `deal-${seed}-${String(++dealNumber).padStart(6, '0')}`;
  let batch: WireSnapshot[] = [];
  for (;;) {
    const desk = desks.reduce((first, other) => (other.utcMs < first.utcMs ? other : first));
    if (desk.utcMs >= startUtcMs + days * DAY) break;
    const receivedUtcMs = desk.utcMs + random.between(5, 900);
    const deals = moveDesk(desk, random, nextId);
    const snapshot = snapshotOf(desk);
    if (faults === 'deals') {
      const { before, after } = dealOut(desk, deals, snapshot, random);
      const accountId = desk.account.id;
      if (before.length > 0 || after.length > 0) {
        if (batch.length > 0) yield { kind: 'snapshots', receivedUtcMs, snapshots: batch };
        batch = [];
        if (after.length > 0) yield { kind: 'deals', receivedUtcMs, accountId, deals: after };
        if (before.length > 0) yield { kind: 'deals', receivedUtcMs, accountId, deals: before };
      }
      batch.push(snapshot);
    } else if (isDisordered && deals.length > 0 && random.chance(0.25)) {
      if (batch.length > 0) yield { kind: 'snapshots', receivedUtcMs, snapshots: batch };
      batch = [];
      yield { kind: 'deals', receivedUtcMs, accountId: desk.account.id, deals };
      desk.utcMs += stepMs(desk, random, pace);
      continue;
    } else if (deals.length > 0 && isDisordered && random.chance(0.15)) {
      const early = random.chance(0.5);
      if (batch.length > 0) yield { kind: 'snapshots', receivedUtcMs, snapshots: batch };
      batch = [];
      if (!early) yield { kind: 'snapshots', receivedUtcMs, snapshots: [snapshot] };
      yield { kind: 'deals', receivedUtcMs, accountId: desk.account.id, deals };
      if (early) batch.push(snapshot);
    } else {
      if (deals.length > 0) snapshot.deals = deals;
      if (isDisordered && random.chance(0.03) && delayed.length < 20) delayed.push(snapshot);
      else batch.push(snapshot, ...(isDisordered ? othersOfTheMoment(snapshot, random) : []));
    }
    if (faults && random.chance(0.02)) batch.push(aheadOf(snapshot, desk));
    if (faults && random.chance(0.02)) batch.push(snapshot);
    const late = random.chance(0.1) ? delayed.shift() : undefined;
    if (late) batch.push(late);
    if (batch.length >= random.between(1, MAX_BATCH)) {
      yield { kind: 'snapshots', receivedUtcMs, snapshots: batch };
      if (faults && random.chance(0.03))
        yield { kind: 'snapshots', receivedUtcMs, snapshots: batch };
      batch = [];
    }
    const midnightMs = faults === 'deals' && random.chance(0.1) ? untilMidnight(desk) : DAY;
    if (midnightMs < 6 * HOUR) desk.utcMs += midnightMs - random.between(1, 1500);
    else desk.utcMs += stepMs(desk, random, pace);
  }
  const receivedUtcMs = startUtcMs + days * DAY;
  const snapshots = [...batch, ...delayed];
  if (snapshots.length > 0) yield { kind: 'snapshots', receivedUtcMs, snapshots };
  for (const { account, held } of desks) {
    const deals = held.flatMap((late) => late.deals);
    if (deals.length > 0) yield { kind: 'deals', receivedUtcMs, accountId: account.id, deals };
  }
}

/** Decides with which snapshot deals travel, and which travel alone before this one. */
function dealOut(desk: Desk, deals: readonly WireDeal[], snapshot: WireSnapshot, random: Random) {
  desk.count += 1;
  const after = desk.held.filter(({ at }) => at <= desk.count).flatMap((late) => late.deals);
  desk.held = desk.held.filter(({ at }) => at > desk.count);
  const before: WireDeal[] = [];
  for (const deal of deals) {
    if (desk.isSilent) continue;
    const kind = mustTravel(desk, deal) ? 0 : random.next();
    if (kind < 0.4) snapshot.deals = [...(snapshot.deals ?? []), deal];
    else if (kind < 0.6) before.push(deal);
    else if (kind < 0.95) {
      const late = random.chance(0.5) ? 1 : random.between(1, MOST_LATE);
      desk.held.push({ at: desk.count + late, deals: [deal] });
    }
  }
  return { before, after };
}

/** Some deals' places are never shown by a balance, or a clock. */
const mustTravel = ({ account, utcMs }: Desk, { type, profit, commission = 0 }: WireDeal) =>
  type === 'DEAL_TYPE_CREDIT' || profit + commission === 0 || changesSoon(account.clock, utcMs);

/** Without the rows a day ahead of the feed's clock: a server that lives later would take them. */
export function* admissible(batches: Iterable<FeedBatch>): Generator<FeedBatch> {
  for (const batch of batches) {
    if (batch.kind === 'deals') yield batch;
    else {
      const snapshots = batch.snapshots.filter(({ equity }) => equity !== 1);
      if (snapshots.length > 0) yield { ...batch, snapshots };
    }
  }
}

/** Seconds, minutes, about an hour, now and then some days; closely where the clock changes. */
function stepMs({ account, utcMs }: Desk, random: Random, pace: number): number {
  const kind = random.next();
  // In an hour that is shown twice, a small step back would be taken for late.
  if (changesSoon(account.clock, utcMs)) return random.between(1, kind < 0.9 ? 400_000 : 800_000);
  if (kind < 0.25) return random.between(1, 30_000);
  if (kind < 0.55) return random.between(1, 12) * MINUTE + random.between(0, 999);
  if (kind < 0.995) return random.between(1, Math.round(pace * 4)) * MINUTE;
  return random.between(1, 6) * DAY;
}

/** Whether a clock changes within some hours, or just has. */
function changesSoon(clock: BrokerClock, utcMs: number): boolean {
  const shiftAt = (moment: number) => brokerTimeAt(moment, clock) - moment;
  return shiftAt(utcMs - 3 * HOUR) !== shiftAt(utcMs + 3 * HOUR);
}

/** By the account's clock, unless it changes soon. */
function untilMidnight({ account, utcMs }: Desk): number {
  const leftMs = DAY - (brokerTimeAt(utcMs, account.clock) % DAY);
  return leftMs > 2000 && !changesSoon(account.clock, utcMs) ? leftMs : DAY;
}

function moveDesk(desk: Desk, random: Random, nextId: () => string): WireDeal[] {
  const deals: WireDeal[] = [];
  if (desk.balance <= 0 && random.chance(0.05)) {
    const amount = random.between(0, 2 * START_BALANCE * 100 - desk.balance);
    desk.balance += amount;
    if (random.chance(0.2)) return deals;
    return [{ ...dealAt(desk, random, nextId(), amount), type: 'DEAL_TYPE_BALANCE' }];
  }
  if (desk.balance <= 0 && desk.credit === 0) {
    if (!random.chance(0.03)) return deals;
    desk.credit = random.between(10_000, 200_000);
    return [creditAt(desk, random, nextId(), desk.credit)];
  }
  desk.open += random.between(-60_000, 59_000);
  const isRuined = desk.ruins && random.chance(0.001);
  if (isRuined) desk.open = -desk.balance - desk.credit - random.pick([0, 0, 1000, 50_000]);
  if (isRuined || random.chance(0.12)) {
    const share = isRuined || random.chance(0.5) ? 1 : 0.5;
    const realised = Math.round(desk.open * share);
    const commission = isRuined ? 0 : -random.between(0, 700);
    desk.open -= realised;
    desk.balance += realised + commission;
    deals.push({
      ...dealAt(desk, random, nextId(), realised),
      type: random.chance(0.5) ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
      commission: commission / 100,
      positionId: `position-${nextId()}`,
      entry: 'DEAL_ENTRY_OUT',
      symbol: 'EURUSD',
      volume: 0.1,
      price: 1.1,
    });
  }
  const isLate = DAY - (brokerTimeAt(desk.utcMs, desk.account.clock) % DAY) < 2000;
  if (random.chance(isLate ? 0.3 : 0.01)) {
    const amount = random.between(-400_000, 500_000);
    desk.balance += amount;
    deals.push({ ...dealAt(desk, random, nextId(), amount), type: 'DEAL_TYPE_BALANCE' });
  }
  if (random.chance(0.004)) {
    const amount = desk.credit > 0 ? -desk.credit : random.between(10_000, 200_000);
    desk.credit += amount;
    deals.push(creditAt(desk, random, nextId(), amount));
  }
  return deals;
}

/** Booked some milliseconds before the snapshot, or a little after it by a coarser clock. */
function dealAt(desk: Desk, random: Random, id: string, cents: number): Omit<WireDeal, 'type'> {
  const aheadMs = random.chance(0.1) ? random.between(1, 900) : -random.between(0, 900);
  desk.bookedUtcMs = Math.max(desk.bookedUtcMs, desk.utcMs + aheadMs);
  const brokerTime = wall(desk.bookedUtcMs, desk.account.clock);
  return {
    id,
    profit: cents / 100,
    brokerTime: desk.isCoarse ? wholeSecond(brokerTime) : brokerTime,
  };
}

/** No balance shows which snapshot is the first to include credit: its time must. */
function creditAt(desk: Desk, random: Random, id: string, cents: number): WireDeal {
  const deal = dealAt(desk, random, id, cents);
  const brokerTime = wall(desk.utcMs, desk.account.clock);
  return { ...deal, brokerTime, type: 'DEAL_TYPE_CREDIT' };
}

function snapshotOf({ account, utcMs, balance, open, credit }: Desk): WireSnapshot {
  return {
    accountId: account.id,
    brokerTime: wall(utcMs, account.clock),
    balance: balance / 100,
    equity: (balance + open + credit) / 100,
  };
}

/** Now and then more states of the same millisecond; the deals then travel with any of them. */
function othersOfTheMoment(snapshot: WireSnapshot, random: Random): WireSnapshot[] {
  if (!random.chance(0.05)) return [];
  const { deals, ...state } = snapshot;
  const equity = Math.round(state.equity * 100 + random.between(-90_000, 90_000)) / 100;
  const other = { ...state, equity };
  if (!deals || random.chance(0.5)) return [other, ...(random.chance(0.3) ? [state] : [])];
  delete snapshot.deals;
  return [{ ...other, deals }];
}

function aheadOf(snapshot: WireSnapshot, { account, utcMs }: Desk): WireSnapshot {
  const { deals: _deals, ...state } = snapshot;
  return { ...state, equity: 1, brokerTime: wall(utcMs + 30 * DAY, account.clock) };
}

const wholeSecond = (brokerTime: string): string => `${brokerTime.slice(0, 19)}.000`;

const wall = (utcMs: number, clock: BrokerClock): string =>
  formatBrokerTime(brokerTimeAt(utcMs, clock));
