import type { DealEntry } from '../../words/deals.ts';
import { MAX_VIOLATIONS } from '../../words/programs.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import { compareDeals, type TradeDeal } from '../deal.ts';
import type { Money, Volume } from '../money.ts';
import { noTakenIds } from '../trades/trade-ids.ts';
import { createTradeState, opensIn, type TradeState } from '../trades/trade-state.ts';
import { decodeTradeState, encodeTradeState } from '../trades/trade-state-codec.ts';
import type { PhaseClock } from './closed-hours.ts';
import { allowedLoss } from './deal-limits.ts';
import { foldMoment, heldAt, type JudgedRule, lastOf, type Violation } from './judge-deals.ts';
import { breachesUntilFailed, type EnrolmentDefinition, isDealRule } from './program-definition.ts';

/*
 * The rules over deals of one enrolment. The newest deals are kept singly and judged anew with each
 * that comes, so the verdict is that of the deals, whatever the order in which they came. Those
 * that are older are settled: a deal from so far back counts as the first of those that are kept.
 */

/** Deals that are kept singly; with more, the older half is settled. */
export const MAX_KEPT = 128;
/**
 * A position counts as held once a fact that is so much newer shows no close: deals may come some
 * seconds after a snapshot.
 */
export const HELD_AFTER_MS = 60_000;

/** What is judged of an enrolment's deals. */
export type DealTerms = {
  startTimeMs: BrokerTimeMs;
  utcOf: (timeMs: BrokerTimeMs) => number;
  inOrder: (deals: readonly TradeDeal[], isOpen: (positionId: string) => boolean) => TradeDeal[];
  clock: PhaseClock;
};

export type DealVerdict = {
  /** The newest, oldest first, and how many there are of each rule over deals. */
  violations: readonly Violation[];
  counts: ReadonlyMap<number, number>;
  /** Of each rule that warns, the first time that its limit was near. */
  near: readonly Violation[];
  /** The one that ends the phase. */
  broken: Violation | undefined;
  /** The same if no more deals come for seconds that are not over. */
  expected: Violation | undefined;
};

/** What a checkpoint stores. */
export type StoredDealRules = {
  enrolmentId: string;
  kept: readonly StoredDeal[];
  base?: string | undefined;
  settled: readonly [ruleIndex: number, count: number][];
  listed: readonly Violation[];
  ended?: Violation | undefined;
  told?: number | undefined;
  pauses: readonly Pause[];
  near?: readonly Violation[] | undefined;
  warned?: readonly number[] | undefined;
};

/** Short: it is stored with each change of the account. */
type StoredDeal = readonly [
  id: string,
  type: TradeDeal['type'],
  timeMs: BrokerTimeMs,
  volume: Volume,
  ...trade: [
    symbol?: string | null | undefined,
    positionId?: string | null | undefined,
    entry?: DealEntry | null | undefined,
    volumeClosed?: Volume | null | undefined,
    loss?: Money | null | undefined,
  ],
];

/** Nothing is judged from one moment to another. */
type Pause = readonly [fromUtcMs: number, untilUtcMs: number | null];

type Judged = JudgedRule & { failsAt: number };

export class DealRules {
  readonly enrolmentId: string;
  readonly rules: readonly Judged[];
  /** The rule by which its end was told. */
  told: number | undefined;
  /** Rules whose warnings were told. */
  warned: readonly number[] = [];
  /** Broker time from which the passing of time changes the verdict; NaN: it is to be found. */
  dueTimeMs = Number.NaN;
  verdict: DealVerdict | undefined;
  #kept: readonly TradeDeal[] = [];
  #base: string | undefined;
  #settled = new Map<number, number>();
  #listed: readonly Violation[] = [];
  #ended: Violation | undefined;
  #near: readonly Violation[] = [];
  #pauses: readonly Pause[] = [];

  constructor({ id, phase, initialBalance }: EnrolmentDefinition) {
    this.enrolmentId = id;
    this.rules = phase.rules.flatMap((rule, ruleIndex) => {
      if (!isDealRule(rule)) return [];
      const limit = rule.kind === 'openLoss' ? allowedLoss(rule, initialBalance) : undefined;
      return [{ rule, ruleIndex, failsAt: breachesUntilFailed(rule), limit }];
    });
  }

  /** Notes a pause, which may be known, or its end. */
  notePause(fromUtcMs: number, untilUtcMs: number): void {
    const isSame = ([from]: Pause): boolean => from === fromUtcMs;
    const until = Number.isFinite(untilUtcMs) ? untilUtcMs : null;
    // A log that is folded again pauses again; its end may be beyond what is folded.
    if (until === null && this.#pauses.some(isSame)) return;
    this.#pauses = [...this.#pauses.filter((one) => !isSame(one)), [fromUtcMs, until]];
    this.dueTimeMs = Number.NaN;
  }

  /** Notes deals; `terms` are absent before the phase has begun. */
  add(deals: readonly TradeDeal[], terms: DealTerms | undefined): void {
    if (deals.length === 0) return;
    this.#kept = [...this.#kept, ...deals].sort(compareDeals);
    this.dueTimeMs = Number.NaN;
    while (this.#kept.length > MAX_KEPT) this.#settle(terms);
  }

  /** Judges the deals by the facts known up to a moment. */
  weigh(terms: DealTerms, lastTimeMs: BrokerTimeMs): DealVerdict {
    const untilMs = Math.max(lastTimeMs, this.#kept.at(-1)?.timeMs ?? Number.NEGATIVE_INFINITY);
    const isOver = ({ timeMs }: TradeDeal): boolean =>
      timeMs % 1000 !== 0 || untilMs > lastOf(timeMs);
    const state = this.#state();
    const open = this.#kept.findIndex((deal) => !isOver(deal));
    const over = open < 0 ? this.#kept : this.#kept.slice(0, open);
    const found = this.#fold(state, over, terms);
    const { violations, nextMs } = heldAt(state, untilMs - HELD_AFTER_MS, this.rules, terms.clock);
    const certain = inOrder([...found.filter(isBroken), ...this.#unpaused(violations, terms)]);
    const rest = open < 0 ? [] : this.#kept.slice(open);
    const all = inOrder([...certain, ...this.#fold(state, rest, terms).filter(isBroken)]);
    const secondMs = rest[0] ? lastOf(rest[0].timeMs) + 1 : Number.POSITIVE_INFINITY;
    this.dueTimeMs = Math.min(secondMs, nextMs + HELD_AFTER_MS + 1);
    const counts = new Map(this.#settled);
    for (const { ruleIndex } of certain) counts.set(ruleIndex, (counts.get(ruleIndex) ?? 0) + 1);
    this.verdict = {
      violations: [...this.#listed, ...certain].slice(-MAX_VIOLATIONS),
      counts,
      near: this.#nearOf(found),
      broken: this.#endOf(certain),
      expected: this.#endOf(all),
    };
    return this.verdict;
  }

  store(): StoredDealRules | undefined {
    if (this.#kept.length + this.#pauses.length === 0 && this.#base === undefined) return undefined;
    return {
      ...{ enrolmentId: this.enrolmentId, kept: this.#kept.map(storedDeal), base: this.#base },
      ...{ settled: [...this.#settled], listed: this.#listed },
      ...{ ended: this.#ended, told: this.told, pauses: this.#pauses },
      ...(this.#near.length > 0 ? { near: this.#near } : {}),
      ...(this.warned.length > 0 ? { warned: this.warned } : {}),
    };
  }

  restore(stored: StoredDealRules): void {
    const { kept, base, settled, listed, ended, told, pauses, near = [], warned = [] } = stored;
    this.#kept = kept.map(restoredDeal);
    this.#base = base;
    this.#settled = new Map(settled);
    this.#listed = listed;
    this.#ended = ended;
    this.told = told;
    this.#pauses = pauses;
    this.#near = near;
    this.warned = warned;
  }

  #state(): TradeState {
    return this.#base === undefined ? createTradeState() : decodeTradeState(this.#base);
  }

  /** What was opened before the phase began is not its trade. */
  #fold(state: TradeState, deals: readonly TradeDeal[], terms: DealTerms): Violation[] {
    const own = deals.filter(({ timeMs }) => lastOf(timeMs) >= terms.startTimeMs);
    const ordered = terms.inOrder(own, opensIn(state));
    const found: Violation[] = [];
    for (let start = 0; start < ordered.length; ) {
      const end = endOfMoment(ordered, start);
      found.push(...foldMoment(state, ordered.slice(start, end), this.rules, terms.clock));
      start = end;
    }
    return this.#unpaused(found, terms);
  }

  #unpaused(violations: readonly Violation[], { utcOf }: DealTerms): Violation[] {
    return violations.filter(({ timeMs }) => {
      const utcMs = utcOf(timeMs);
      return !this.#pauses.some(
        ([from, until]) => utcMs >= from && !(utcMs >= (until ?? Number.POSITIVE_INFINITY)),
      );
    });
  }

  /** Whole moments, so that a moment's deals are judged together. */
  #settle(terms: DealTerms | undefined): void {
    const state = this.#state();
    const ordered = terms ? terms.inOrder(this.#kept, opensIn(state)) : this.#kept;
    const end = endOfMoment(ordered, ordered.length - MAX_KEPT / 2);
    const old = ordered.slice(0, end);
    this.#kept = ordered.slice(end).sort(compareDeals);
    if (!terms) return;
    const all = this.#fold(state, old, terms);
    this.#near = this.#nearOf(all);
    const found = inOrder(all.filter(isBroken));
    // No trade is named by them.
    this.#base = encodeTradeState({ ...state, taken: noTakenIds() });
    this.#ended = this.#endOf(found);
    this.#listed = [...this.#listed, ...found].slice(-MAX_VIOLATIONS);
    for (const { ruleIndex } of found) {
      this.#settled.set(ruleIndex, (this.#settled.get(ruleIndex) ?? 0) + 1);
    }
  }

  #nearOf(found: readonly Violation[]): Violation[] {
    const near = inOrder(found.filter((one) => !isBroken(one)));
    const firsts = Map.groupBy([...this.#near, ...near], ({ ruleIndex }) => ruleIndex).values();
    return [...firsts].flatMap(([first]) => first ?? []);
  }

  /** The first violation that is one too many of its rule. */
  #endOf(violations: readonly Violation[]): Violation | undefined {
    const ends = this.rules.flatMap(({ ruleIndex, failsAt }) => {
      const left = failsAt - (this.#settled.get(ruleIndex) ?? 0);
      return violations.filter((one) => one.ruleIndex === ruleIndex)[left - 1] ?? [];
    });
    return inOrder([...(this.#ended ? [this.#ended] : []), ...ends])[0];
  }
}

/** The wall time may come again, in the second pass of an hour that is shown twice. */
function endOfMoment(deals: readonly TradeDeal[], start: number): number {
  let end = start + 1;
  while (end < deals.length && deals[end]?.timeMs === deals[start]?.timeMs) end += 1;
  return end;
}

const isBroken = ({ used }: Violation): boolean => used === undefined;

const inOrder = (violations: readonly Violation[]): Violation[] =>
  violations.toSorted((a, b) => a.timeMs - b.timeMs || a.ruleIndex - b.ruleIndex);

const storedDeal = ({ id, type, timeMs, trade }: TradeDeal): StoredDeal => {
  const { volume, symbol, positionId, entry, volumeClosed, loss } = trade;
  const known = [id, type, timeMs, volume, symbol, positionId, entry] as const;
  if (loss !== undefined) return [...known, volumeClosed, loss];
  return volumeClosed === undefined ? known : [...known, volumeClosed];
};

const restoredDeal = ([id, type, timeMs, volume, ...rest]: StoredDeal): TradeDeal => {
  // JSON writes null for undefined.
  const [symbol, positionId, entry, volumeClosed, loss] = rest;
  const names = { symbol: symbol ?? undefined, positionId: positionId ?? undefined };
  const closing = { entry: entry ?? undefined, volumeClosed: volumeClosed ?? undefined };
  return {
    ...{ id, type, timeMs },
    trade: { volume, ...names, ...closing, loss: loss ?? undefined },
  };
};
