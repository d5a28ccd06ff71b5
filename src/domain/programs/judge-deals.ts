import { MAX_VIOLATION_DEALS } from '../../words/programs.ts';
import { type BrokerTimeMs, formatBrokerTime } from '../broker-time.ts';
import type { Deal, TradeDeal } from '../deal.ts';
import { fromVolume } from '../money.ts';
import { heldMsOf, type Trade } from '../trade.ts';
import { type OpenPosition, openVolume } from '../trades/open-position.ts';
import { closedBy, enteredBy, foldTradeDeal, type TradeState } from '../trades/trade-state.ts';
import { closedFrom, heldFrom, type PhaseClock } from './closed-hours.ts';
import { type AllowedLoss, type Counted, type Reached, reachedOf } from './deal-limits.ts';
import type { AllowedSymbols, DealRule, OpenAtOnce } from './program-definition.ts';

/*
 * Rules over deals. What is open is what the deals leave open, at the end of each moment: of deals
 * that were booked at the same time nobody can tell in which order they came, so what was opened
 * and closed within one whole second was never open. A time in whole seconds may be any moment of
 * its second, and is taken to be the one that breaks nothing.
 */

/**
 * A rule was broken or, with `used`, its limit is near. Without deals it was broken by holding on.
 * The equation lacks amounts of money, whose digits are not known here: see `equationOf`.
 */
export type Violation = Reached & { ruleIndex: number; timeMs: BrokerTimeMs };

/** `limit` is that of a rule on open losses. */
export type JudgedRule = { rule: DealRule; ruleIndex: number; limit?: AllowedLoss | undefined };

/** The last moment that a time may mean. */
export const lastOf = (timeMs: BrokerTimeMs): BrokerTimeMs =>
  timeMs % 1000 === 0 ? timeMs + 999 : timeMs;

/**
 * Positions that are known to be open after a moment: the newest. A close of another is one of a
 * position that is not known, and breaks nothing.
 */
export const MAX_OPEN = 256;
/** Deals, positions and symbols that are named. */
const TERMS = 8;

type Opened = TradeDeal;
type Closed = { deal: TradeDeal; trade: Trade };
type Losing = { deal: TradeDeal; position: OpenPosition };
type Moment = {
  opened: Opened[];
  closed: Closed[];
  losing: Losing[];
  open: OpenPosition[];
  clock: PhaseClock;
};
type Broken = Reached & { timeMs?: BrokerTimeMs };

/** Folds the deals of one moment into the open positions: what they broke, or came near to. */
export function foldMoment(
  state: TradeState,
  deals: readonly TradeDeal[],
  rules: readonly JudgedRule[],
  clock: PhaseClock,
): Violation[] {
  const opened: Opened[] = [];
  const closed: Closed[] = [];
  const losing: Losing[] = [];
  for (const deal of deals) {
    const whole = wholeDeal(deal);
    const before = enteredBy(state, whole);
    const position = deal.trade.loss === undefined ? undefined : closedBy(state, whole);
    if (position) losing.push({ deal, position });
    for (const trade of foldTradeDeal(state, whole)) closed.push({ deal, trade });
    if (enteredBy(state, whole) > before) opened.push(deal);
  }
  const moment = { opened, closed, losing, open: [...state.positions.values()], clock };
  const timeMs = deals[0]?.timeMs ?? 0;
  const violations = rules.flatMap(({ rule, ruleIndex, limit }) =>
    brokenBy(rule, moment, limit).map((broken) => ({ ruleIndex, timeMs, ...broken })),
  );
  for (const key of state.positions.keys()) {
    if (state.positions.size <= MAX_OPEN) break;
    state.positions.delete(key);
  }
  return violations;
}

/** What is broken by positions that are still open at a moment. */
export function heldAt(
  state: TradeState,
  timeMs: BrokerTimeMs,
  rules: readonly JudgedRule[],
  clock: PhaseClock,
): { violations: Violation[]; nextMs: BrokerTimeMs } {
  const violations: Violation[] = [];
  let nextMs = Number.POSITIVE_INFINITY;
  for (const { rule, ruleIndex } of rules) {
    if (rule.kind !== 'closedHours' || rule.forbids !== 'holding') continue;
    for (const { positionId, symbol, openTimeMs, incomplete } of state.positions.values()) {
      if (incomplete) continue;
      const heldMs = heldFrom(rule, openTimeMs, clock);
      if (timeMs > heldMs) {
        violations.push({ ruleIndex, ...holding(positionId, symbol, openTimeMs, heldMs) });
      } else nextMs = Math.min(nextMs, heldMs);
    }
  }
  return { violations, nextMs };
}

const NO_MONEY = { profit: 0, swap: 0, commission: 0, fee: 0 };
const wholeDeal = ({ trade, ...deal }: TradeDeal): Deal => ({ ...deal, ...trade, ...NO_MONEY });

function brokenBy(rule: DealRule, moment: Moment, limit: AllowedLoss | undefined): Broken[] {
  const { opened, closed, losing, open, clock } = moment;
  switch (rule.kind) {
    case 'allowedSymbols':
      return opened.flatMap((deal) => strangeSymbol(rule, deal));
    case 'openAtOnce':
      return scopesOf(rule.per, opened, open).flatMap((scope) =>
        reachedOf(countedIn(rule, scope), rule.warnAt),
      );
    case 'hedging':
      return scopesOf('symbol', opened, open).flatMap(hedged);
    case 'closedHours':
      return rule.forbids === 'opening'
        ? opened.flatMap(({ id, timeMs }) => {
            if (!closedFrom(rule, clock.localOf(timeMs)).isInside) return [];
            const equation = `opened at ${formatBrokerTime(timeMs)}, closed from ${rule.starts} to ${rule.ends}`;
            return [{ dealIds: [id], equation }];
          })
        : closed.flatMap(
            ({ trade: { incomplete, positionId, symbol, openTimeMs, closeTimeMs } }) => {
              const heldMs = heldFrom(rule, openTimeMs, clock);
              if (incomplete || closeTimeMs <= heldMs) return [];
              return [holding(positionId, symbol, openTimeMs, heldMs)];
            },
          );
    case 'holdingTime':
      return closed.flatMap(({ deal: { id }, trade: { openTimeMs, closeTimeMs, incomplete } }) => {
        const heldMs = heldMsOf({ openTimeMs, closeTimeMs: lastOf(closeTimeMs) });
        if (incomplete || heldMs >= rule.seconds * 1000) return [];
        const equation = `${heldMsOf({ openTimeMs, closeTimeMs }) / 1000} s < ${rule.seconds} s`;
        return [{ dealIds: [id], equation }];
      });
    case 'openLoss':
      return losing.flatMap((one) =>
        lossOf(one, limit).flatMap((counted) => reachedOf(counted, rule.warnAt)),
      );
  }
}

/** Closed by an opposite position, it was closed at a price that is not the market's. */
function lossOf({ deal, position }: Losing, limit: AllowedLoss | undefined): Counted[] {
  const { loss = 0, entry } = deal.trade;
  if (!limit || entry === 'DEAL_ENTRY_OUT_BY') return [];
  const name = nameOf(position.positionId, position.symbol);
  const words = (sign: string): string => `loss of ${name} ${sign}`;
  const { allowed: most, inclusive } = limit;
  const suffered = { loss, ...limit };
  return [{ value: loss, most, inclusive, dealIds: [deal.id], words, suffered }];
}

function strangeSymbol(
  { only, excluded = [] }: AllowedSymbols,
  { id, trade }: TradeDeal,
): Broken[] {
  const { symbol } = trade;
  if (symbol === undefined) return [];
  const isNamed = (names: readonly string[]): boolean =>
    names.some((name) =>
      name.endsWith('*') ? symbol.startsWith(name.slice(0, -1)) : symbol === name,
    );
  if (only && !isNamed(only)) {
    return [{ dealIds: [id], equation: `${symbol} is not among ${listed(only)}` }];
  }
  if (!isNamed(excluded)) return [];
  return [{ dealIds: [id], equation: `${symbol} is among ${listed(excluded)}` }];
}

const listed = (names: readonly string[]): string =>
  [...names.slice(0, TERMS), ...(names.length > TERMS ? ['…'] : [])].join(', ');

type Scope = { symbol?: string | undefined; opened: Opened[]; open: OpenPosition[] };

/** What counts together with the positions that were opened. */
function scopesOf(per: OpenAtOnce['per'], opened: Opened[], open: OpenPosition[]): Scope[] {
  if (opened.length === 0) return [];
  if (per !== 'symbol') return [{ opened, open }];
  const openBySymbol = Map.groupBy(open, ({ symbol }) => symbol);
  return Array.from(
    Map.groupBy(opened, ({ trade }) => trade.symbol),
    ([symbol, own]) => ({ symbol, opened: own, open: openBySymbol.get(symbol) ?? [] }),
  );
}

function countedIn({ lots, positions = 0 }: OpenAtOnce, { symbol, opened, open }: Scope): Counted {
  const dealIds = idsOf(opened);
  const where = symbol === undefined ? '' : ` of ${symbol}`;
  if (lots === undefined) {
    const words = (sign: string): string => `${open.length} positions${where} ${sign} ${positions}`;
    return { value: open.length, most: positions, dealIds, words };
  }
  const value = open.reduce((sum, position) => sum + openVolume(position), 0);
  const words = (sign: string): string => {
    const sum =
      open.length > TERMS
        ? `${open.length} positions`
        : open.map((position) => `${fromVolume(openVolume(position))}`).join(' + ');
    return `${sum} = ${fromVolume(value)} lots${where} ${sign} ${fromVolume(lots)}`;
  };
  return { value, most: lots, dealIds, words };
}

function hedged({ symbol, opened, open }: Scope): Broken[] {
  const lotsOf = (type: OpenPosition['type']): number =>
    fromVolume(open.reduce((sum, one) => sum + (one.type === type ? openVolume(one) : 0), 0));
  const [bought, sold] = [lotsOf('DEAL_TYPE_BUY'), lotsOf('DEAL_TYPE_SELL')];
  if (symbol === undefined || bought === 0 || sold === 0) return [];
  const equation = `${bought} lots bought and ${sold} sold of ${symbol}`;
  return [{ dealIds: idsOf(opened), equation }];
}

const idsOf = (deals: readonly Opened[]): string[] =>
  deals.slice(0, MAX_VIOLATION_DEALS).map(({ id }) => id);

function holding(
  positionId: string,
  symbol: string | undefined,
  openTimeMs: BrokerTimeMs,
  timeMs: BrokerTimeMs,
): Broken & { timeMs: BrokerTimeMs } {
  const equation = `${nameOf(positionId, symbol)}, open since ${formatBrokerTime(openTimeMs)}, was held at ${formatBrokerTime(timeMs)}`;
  return { timeMs, dealIds: [], equation };
}

const nameOf = (positionId: string, symbol: string | undefined): string =>
  `position ${positionId}${symbol === undefined ? '' : ` of ${symbol}`}`;
