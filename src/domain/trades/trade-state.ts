import type { DealEntry } from '../../words/deals.ts';
import type { Deal } from '../deal.ts';
import { compareDeals, isCredit, isTradeDeal, moneyOf } from '../deal.ts';
import type { Money, Volume } from '../money.ts';
import type { Trade } from '../trade.ts';
import {
  addMoney,
  beginPosition,
  enter,
  exit,
  type MoneyParts,
  type OpenPosition,
  openVolume,
  opposite,
  type Side,
  toOperation,
  toTrade,
} from './open-position.ts';
import { pipSizeOf } from './pip-size.ts';
import { noTakenIds, type TakenIds, takeOperationId, takePositionId } from './trade-ids.ts';

const REMEMBERED_PIP_SIZES = 256;

/**
 * The state that folding the next deal needs. It grows with the open positions, not with the
 * history. One owner folds the deals in order of execution: see `inOrderOfExecution`.
 */
export type TradeState = {
  /** The money of all deals so far, without credit. */
  balance: Money;
  /** By position id, or by symbol and side if the source does not tell positions apart. */
  readonly positions: Map<string, OpenPosition>;
  readonly taken: TakenIds;
  /** A cache, which is not stored. */
  readonly pipSizes: Map<string, number | undefined>;
};

export const createTradeState = (): TradeState => ({
  balance: 0,
  positions: new Map(),
  taken: noTakenIds(),
  pipSizes: new Map(),
});

/**
 * The trades of a whole history, in the order they closed; deals may come in any order. For sources
 * whose clock is not known: no wall time is taken to be shown twice.
 */
export function tradesOf(deals: readonly Deal[]): Trade[] {
  const state = createTradeState();
  return deals.toSorted(compareDeals).flatMap((deal) => foldTradeDeal(state, deal));
}

/**
 * Folds the next deal into the state and returns the trades it completed. No money is lost: the
 * profits of all trades and the money held by open positions add up to the money of all deals.
 *
 * A position becomes one trade when no volume is left open. A reversal closes one leg and opens the
 * next. A closing deal whose position is unknown becomes a trade at once, marked incomplete. A deal
 * without volume (a correction) becomes one too if its position has closed. Of a cancelled deal
 * only the money counts, because the platform books its reversal as a separate deal (MQL5
 * reference, DEAL_TYPE_BUY_CANCELED). Any other deal is a balance operation, and a trade at once.
 */
export function foldTradeDeal(state: TradeState, deal: Deal): Trade[] {
  const trades = isTradeDeal(deal) ? foldExecution(state, deal) : foldOperation(state, deal);
  state.balance = balanceAfter(state, deal);
  return trades;
}

const balanceAfter = ({ balance }: TradeState, deal: Deal): Money =>
  isCredit(deal) ? balance : balance + moneyOf(deal);

/** Folds a deal that is not an execution; the caller updates the balance. */
export function foldOperation(state: TradeState, deal: Deal): Trade[] {
  if (deal.type === 'DEAL_TYPE_BUY_CANCELED' || deal.type === 'DEAL_TYPE_SELL_CANCELED') {
    const position = deal.positionId && state.positions.get(idKey(deal.positionId));
    if (position) addMoney(position, deal);
    if (position || moneyOf(deal) === 0) return [];
  }
  return [toOperation(deal, takeOperationId(state.taken, deal.id), balanceAfter(state, deal))];
}

function foldExecution(state: TradeState, deal: Deal): Trade[] {
  const side = deal.type === 'DEAL_TYPE_BUY' ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL';
  const key = keyFor(state, deal, side);
  const known = state.positions.get(key);
  const entry = entryOf(deal, known);
  if (entry === 'DEAL_ENTRY_INOUT') return reverse(state, deal, key, known);
  const isIn = entry === 'DEAL_ENTRY_IN';
  const position = known ?? begin(state, deal, isIn ? side : opposite(side));
  if (isIn) enter(position, deal, deal.volume);
  else exit(position, deal, deal.volume);
  if (!isIn && !known) position.incomplete = true;
  addMoney(position, deal);
  if (openVolume(position) === 0) return [close(state, key, position, deal)];
  state.positions.set(key, position);
  return [];
}

function begin(state: TradeState, deal: Deal, side: Side): OpenPosition {
  const positionId = deal.positionId || deal.id;
  const id = takePositionId(state.taken, positionId, deal.id);
  return beginPosition(deal, side, { positionId, id, leg: 1 }, state.balance);
}

/** Closes the open leg, and opens the rest of the deal's volume on the other side. */
function reverse(
  state: TradeState,
  deal: Deal,
  key: string,
  known: OpenPosition | undefined,
): Trade[] {
  const side = opposite(opposite(deal.type));
  const open = known ? openVolume(known) : 0;
  const closing = Math.min(deal.volume, deal.volumeClosed ?? open);
  const trades: Trade[] = [];
  const isClosing = known !== undefined || closing === deal.volume || closing > 0;
  const [closed, opened] = isClosing ? splitMoney(deal, closing) : [undefined, deal];
  let leg: OpenPosition | undefined;
  if (closed) {
    leg = known ?? begin(state, deal, opposite(side));
    exit(leg, deal, closing);
    addMoney(leg, closed);
    trades.push(close(state, key, leg, deal));
  }
  if (deal.volume > closing) {
    const ownKey = nettingKey(deal, side);
    const target = state.positions.get(ownKey) ?? nextLeg(state, deal, side, leg);
    enter(target, deal, deal.volume - closing);
    addMoney(target, opened);
    state.positions.set(ownKey, target);
  }
  return trades;
}

/** The leg that a reversal opens after the one it closed; incomplete if it closed none. */
function nextLeg(
  state: TradeState,
  deal: Deal,
  side: Side,
  closed: OpenPosition | undefined,
): OpenPosition {
  if (!closed) return { ...begin(state, deal, side), incomplete: true };
  const { positionId, id, leg } = closed;
  return beginPosition(deal, side, { positionId, id, leg: leg + 1 }, state.balance);
}

/**
 * The profit and swap of a reversal belong to the leg it closes; commission and fee are split by
 * volume. The second share is the remainder, so no unit is lost.
 */
function splitMoney(deal: Deal, closing: Volume): [MoneyParts, MoneyParts] {
  const share = (money: Money): Money =>
    closing >= deal.volume
      ? money
      : Number((BigInt(money) * BigInt(closing)) / BigInt(deal.volume));
  const commission = share(deal.commission);
  const fee = share(deal.fee);
  return [
    { profit: deal.profit, swap: deal.swap, commission, fee },
    { profit: 0, swap: 0, commission: deal.commission - commission, fee: deal.fee - fee },
  ];
}

function close(state: TradeState, key: string, position: OpenPosition, deal: Deal): Trade {
  state.positions.delete(key);
  const pipSize = knownPipSize(state, position);
  return toTrade(position, deal.timeMs, pipSize, balanceAfter(state, deal));
}

/** What was entered so far of the position that a deal adds to, if it opens anything. */
export function enteredBy({ positions }: TradeState, deal: Deal): Volume {
  const position = positions.get(nettingKey(deal, deal.type));
  return position?.type === deal.type ? position.entered : 0;
}

/** The position that a deal closes, whole or in part, if its deals are known. */
export function closedBy(state: TradeState, deal: Deal): OpenPosition | undefined {
  const side = opposite(opposite(deal.type));
  const known = state.positions.get(keyFor(state, deal, side));
  if (!known || known.incomplete) return undefined;
  return entryOf(deal, known) === 'DEAL_ENTRY_IN' ? undefined : known;
}

/** Whether a position is open, by its id. */
export const opensIn =
  ({ positions }: TradeState) =>
  (positionId: string): boolean =>
    positions.has(idKey(positionId));

const idKey = (positionId: string): string => `#${positionId}`;
const nettingKey = (deal: Deal, side: string): string =>
  deal.positionId ? idKey(deal.positionId) : `${side}:${deal.symbol ?? ''}`;

/** The key of the deal's position: its id, or else the symbol and the side it opens or closes. */
function keyFor(state: TradeState, deal: Deal, side: Side): string {
  const own = nettingKey(deal, side);
  if (deal.positionId || deal.entry === 'DEAL_ENTRY_IN') return own;
  const other = nettingKey(deal, opposite(side));
  return deal.entry !== undefined || state.positions.has(other) ? other : own;
}

/** The stated entry; if there is none, or it is IN against the position, by side and volume. */
function entryOf(deal: Deal, known: OpenPosition | undefined): DealEntry {
  const isOpposite = known !== undefined && known.type !== deal.type;
  if (deal.entry !== undefined && !(deal.entry === 'DEAL_ENTRY_IN' && isOpposite))
    return deal.entry;
  if (!isOpposite) return 'DEAL_ENTRY_IN';
  return deal.volume > openVolume(known) ? 'DEAL_ENTRY_INOUT' : 'DEAL_ENTRY_OUT';
}

function knownPipSize(state: TradeState, position: OpenPosition): number | undefined {
  const { symbol, digits, decimals } = position;
  if (symbol === undefined) return undefined;
  const key = `${digits ?? `~${decimals}`} ${symbol}`;
  if (state.pipSizes.has(key)) return state.pipSizes.get(key);
  if (state.pipSizes.size >= REMEMBERED_PIP_SIZES) state.pipSizes.clear();
  const size = pipSizeOf(symbol, digits, decimals);
  state.pipSizes.set(key, size);
  return size;
}
