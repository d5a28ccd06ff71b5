import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/broker-time.ts';
import type { LiveDeal } from '../../src/domain/live/live-records.ts';
import type { DealRule } from '../../src/domain/programs/program-definition.ts';

type Found = { ruleIndex: number; timeMs: number };

/** The wall clock of a phase at a broker time. */
export type WallClock = (timeMs: number) => number;
const OWN_CLOCK: WallClock = (timeMs) => timeMs;

/**
 * The violation that ends a phase, by sums of all deals up to each moment. Positions have an id or,
 * without, the name of their symbol.
 */
export function naiveVerdict(
  rules: readonly DealRule[],
  deals: readonly LiveDeal[],
  startMs: number,
  endMs: number,
  wallOf = OWN_CLOCK,
  initialBalance = 0,
): Found | undefined {
  const ends = rules.flatMap((rule, ruleIndex) => {
    const own = sized(rule, initialBalance);
    const times = violationsOf(own, deals, startMs, endMs, wallOf).sort((a, b) => a - b);
    const failsAt = rule.onBreach === 'record' ? (rule.failsAt ?? Infinity) : 1;
    const timeMs = times[failsAt - 1];
    return timeMs === undefined ? [] : [{ ruleIndex, timeMs }];
  });
  return ends.sort((a, b) => a.timeMs - b.timeMs || a.ruleIndex - b.ruleIndex)[0];
}

/** Of each rule that warns, when its limit was first near, without being exceeded. */
export const naiveWarnings = (
  rules: readonly DealRule[],
  deals: readonly LiveDeal[],
  startMs: number,
  endMs: number,
  initialBalance = 0,
): Found[] =>
  rules.flatMap((rule, ruleIndex) => {
    if (!('warnAt' in rule) || rule.warnAt === undefined) return [];
    const own = sized(rule, initialBalance);
    const times = violationsOf(own, deals, startMs, endMs, OWN_CLOCK, rule.warnAt);
    return times.length > 0 ? [{ ruleIndex, timeMs: Math.min(...times) }] : [];
  });

/** How often a rule is broken. */
export const naiveCount = (
  rule: DealRule,
  deals: readonly LiveDeal[],
  startMs: number,
  endMs: number,
  wallOf = OWN_CLOCK,
  initialBalance = 0,
): number => violationsOf(sized(rule, initialBalance), deals, startMs, endMs, wallOf).length;

/** A share of the initial balance as an amount, which need not be whole. */
const sized = (rule: DealRule, initialBalance: number): DealRule =>
  rule.kind === 'openLoss' && rule.share !== undefined
    ? { ...rule, amount: initialBalance * rule.share }
    : rule;

/** The last moment that a time may mean. */
const lastOf = (timeMs: number): number => (timeMs % 1000 === 0 ? timeMs + 999 : timeMs);

const inOrder = (a: LiveDeal, b: LiveDeal): number =>
  a.timeMs - b.timeMs || Number(a.id) - Number(b.id) || (a.id < b.id ? -1 : 1);

/** Without those of a whole second that is not over, and what comes after it. */
export function certainDeals(deals: readonly LiveDeal[], endMs: number): LiveDeal[] {
  const sorted = deals.toSorted(inOrder);
  const untilMs = Math.max(endMs, sorted.at(-1)?.timeMs ?? -Infinity);
  const open = sorted.findIndex(({ timeMs }) => timeMs % 1000 === 0 && lastOf(timeMs) >= untilMs);
  return open < 0 ? sorted : sorted.slice(0, open);
}

const keyOf = ({ trade }: LiveDeal): string => trade?.positionId ?? `${trade?.symbol}`;
const signed = ({ type, trade }: LiveDeal): number =>
  (type === 'DEAL_TYPE_BUY' ? 1 : -1) * (trade?.volume ?? 0);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function violationsOf(
  rule: DealRule,
  all: readonly LiveDeal[],
  startMs: number,
  endMs: number,
  wallOf: WallClock,
  warnAt?: number,
): number[] {
  /** Beyond the limit or, for warnings, between a part of it and the limit. */
  const isIn = (value: number, limit: number, inclusive = false): boolean => {
    const isBeyond = inclusive ? value >= limit : value > limit;
    return warnAt === undefined ? isBeyond : value >= limit * warnAt && !isBeyond;
  };
  const own = all.filter(({ timeMs }) => lastOf(timeMs) >= startMs).toSorted(inOrder);
  const deals = withoutStrayCloses(own);
  const before = (deal: LiveDeal): number => {
    const place = deals.indexOf(deal);
    return sum(
      deals
        .slice(0, place)
        .filter((one) => keyOf(one) === keyOf(deal))
        .map(signed),
    );
  };
  const isOpening = (deal: LiveDeal): boolean => {
    const [was, is] = [before(deal), before(deal) + signed(deal)];
    return is !== 0 && (Math.sign(is) !== Math.sign(was) || Math.abs(is) > Math.abs(was));
  };
  const opening = deals.filter(isOpening);
  switch (rule.kind) {
    case 'allowedSymbols':
      return opening.filter(({ trade }) => !isAllowed(rule, `${trade?.symbol}`)).map(timeOf);
    case 'openAtOnce':
    case 'hedging':
      return [...new Set(opening.map(timeOf))].flatMap((timeMs) => {
        const own = opening.filter((one) => one.timeMs === timeMs);
        const isPerSymbol = rule.kind === 'hedging' || rule.per === 'symbol';
        const scopes = isPerSymbol ? new Set(own.map(({ trade }) => trade?.symbol)) : [undefined];
        return [...scopes].flatMap((symbol) => {
          const counted = deals.filter(
            (one) => one.timeMs <= timeMs && (symbol === undefined || one.trade?.symbol === symbol),
          );
          const nets = [...Map.groupBy(counted, keyOf).values()].map((some) =>
            sum(some.map(signed)),
          );
          const open = nets.filter((net) => net !== 0);
          return isTooMuch(rule, open, isIn) ? [timeMs] : [];
        });
      });
    case 'closedHours':
      if (rule.forbids === 'opening') {
        return opening.filter(({ timeMs }) => isClosed(rule, wallOf(timeMs))).map(timeOf);
      }
      return legsOf(deals).flatMap(({ fromMs, toMs = endMs - MINUTE_MS }) => {
        const first = firstClosed(rule, fromMs, wallOf);
        return toMs > first ? [first] : [];
      });
    case 'holdingTime':
      return legsOf(deals).flatMap(({ fromMs, toMs }) => {
        if (toMs === undefined) return [];
        return lastOf(toMs) - fromMs < rule.seconds * 1000 ? [toMs] : [];
      });
    case 'openLoss':
      return deals
        .filter((deal) => before(deal) * signed(deal) < 0)
        .filter(({ trade }) => trade?.loss !== undefined)
        .filter(({ trade }) => isIn(trade?.loss ?? 0, rule.amount ?? 0, rule.inclusive))
        .map(timeOf);
  }
}

/** A close of what is not known to be open breaks nothing. */
function withoutStrayCloses(deals: readonly LiveDeal[]): LiveDeal[] {
  const nets = new Map<string, number>();
  return deals.filter((deal) => {
    const net = nets.get(keyOf(deal)) ?? 0;
    if (net === 0 && deal.trade?.entry === 'DEAL_ENTRY_OUT') return false;
    nets.set(keyOf(deal), net + signed(deal));
    return true;
  });
}

const timeOf = ({ timeMs }: LiveDeal): number => timeMs;

function isAllowed(rule: DealRule & { kind: 'allowedSymbols' }, symbol: string): boolean {
  const matches = (name: string) => new RegExp(`^${name.replace('*', '.*')}$`).test(symbol);
  if (rule.only && !rule.only.some(matches)) return false;
  return !rule.excluded?.some(matches);
}

type IsIn = (value: number, limit: number) => boolean;

function isTooMuch(rule: DealRule, open: readonly number[], isIn: IsIn): boolean {
  if (rule.kind === 'hedging') return open.some((net) => net > 0) && open.some((net) => net < 0);
  if (rule.kind !== 'openAtOnce') return false;
  if (rule.positions !== undefined) return isIn(open.length, rule.positions);
  return isIn(sum(open.map(Math.abs)), rule.lots ?? 0);
}

/** What was open without a break, on one side. */
function legsOf(deals: readonly LiveDeal[]): { fromMs: number; toMs: number | undefined }[] {
  return [...Map.groupBy(deals, keyOf).values()].flatMap((own) => {
    const legs: { fromMs: number; toMs: number | undefined }[] = [];
    let net = 0;
    for (const deal of own) {
      const was = net;
      net += signed(deal);
      const leg = legs.at(-1);
      if (was !== 0 && leg && Math.sign(net) !== Math.sign(was)) leg.toMs = deal.timeMs;
      if (net !== 0 && Math.sign(net) !== Math.sign(was)) {
        legs.push({ fromMs: deal.timeMs, toMs: undefined });
      }
    }
    return legs;
  });
}

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** The wall time of a moment in the form of the rule, to compare as text. */
function isClosed({ starts, ends }: DealRule & { kind: 'closedHours' }, timeMs: number): boolean {
  const date = new Date(timeMs);
  const rank = (text: string): number => {
    const [time = '', name] = text.split(' ').reverse();
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return (name ? WEEKDAYS.indexOf(name) : 0) * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS;
  };
  const isWeekly = starts.includes(' ');
  const now = (isWeekly ? date.getUTCDay() * DAY_MS : 0) + (timeMs % DAY_MS);
  const [from, to] = [rank(starts), rank(ends)];
  return from < to ? now >= from && now < to : now >= from || now < to;
}

/** Minute by minute: found once for each clock. */
const firsts = new WeakMap<WallClock, Map<string, number>>();

function firstClosed(
  rule: DealRule & { kind: 'closedHours' },
  fromMs: number,
  wallOf: WallClock,
): number {
  const known = firsts.get(wallOf) ?? new Map<string, number>();
  firsts.set(wallOf, known);
  const key = `${rule.starts} ${rule.ends} ${fromMs}`;
  const first = known.get(key) ?? searchClosed(rule, fromMs, wallOf);
  known.set(key, first);
  return first;
}

function searchClosed(
  rule: DealRule & { kind: 'closedHours' },
  fromMs: number,
  wallOf: WallClock,
): number {
  if (isClosed(rule, wallOf(fromMs))) return fromMs;
  let timeMs = Math.ceil((fromMs + 1) / MINUTE_MS) * MINUTE_MS;
  while (!isClosed(rule, wallOf(timeMs))) timeMs += MINUTE_MS;
  return timeMs;
}
