import type { Deal, DealEntry } from '../deal.ts';
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
 * All that is needed to fold the next deal: the open positions, the balance, and what closed just
 * now. It does not grow with the history. Belongs to one owner, who folds deals in their order.
 */
export type TradeState = {
  /** Sum of the money of all deals so far, without credit. */
  balance: Money;
  /** The last deal that was folded. */
  last?: Pick<Deal, 'id' | 'timeMs'> | undefined;
  /** By position id, or by symbol and side where the source does not tell positions apart. */
  readonly positions: Map<string, OpenPosition>;
  readonly taken: TakenIds;
  /** Known pip sizes; not part of the state proper. */
  readonly pipSizes: Map<string, number | undefined>;
};

export const createTradeState = (): TradeState => ({
  balance: 0,
  positions: new Map(),
  taken: noTakenIds(),
  pipSizes: new Map(),
});

/** The trades of a whole history in the order of their closing, whatever the order of arrival. */
export function tradesOf(deals: readonly Deal[]): Trade[] {
  const state = createTradeState();
  return deals.toSorted(compareDeals).flatMap((deal) => foldDeal(state, deal));
}

/**
 * Folds the next deal into the state and returns the trades it completed. Nothing of a deal's money
 * is ever lost: profits of the trades and money held in open positions add up to that of the deals.
 *
 * A position becomes one trade when its open volume is gone. A reversal closes one leg and opens
 * the next. A closing deal without a known position is a trade at once, marked incomplete; so is a
 * late deal without volume (a correction) for a position that is closed already. A canceled deal
 * counts for its money only, since the platform books its reversal as a deal of its own (MQL5
 * reference, DEAL_TYPE_BUY_CANCELED). Every other deal is a balance operation, and a trade at once.
 */
export function foldDeal(state: TradeState, deal: Deal): Trade[] {
  const trades = isTradeDeal(deal) ? foldExecution(state, deal) : foldOperation(state, deal);
  if (!isCredit(deal)) state.balance += moneyOf(deal);
  state.last = { id: deal.id, timeMs: deal.timeMs };
  return trades;
}

/** The line of a deal that no position holds; the balance is left to the caller. */
export function foldOperation(state: TradeState, deal: Deal): Trade[] {
  if (deal.type === 'DEAL_TYPE_BUY_CANCELED' || deal.type === 'DEAL_TYPE_SELL_CANCELED') {
    const position = deal.positionId && state.positions.get(idKey(deal.positionId));
    if (position) addMoney(position, deal);
    if (position || moneyOf(deal) === 0) return [];
  }
  return [toOperation(deal, takeOperationId(state.taken, deal.id))];
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

/** Closes what is open and opens the rest of the deal's volume on the other side. */
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

/** The leg that a reversal opens behind the one that it closed, if there was any. */
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
 * Profit and swap of a reversing deal belong to the leg it closes; commission and fee are shared by
 * volume. The second share is the rest of the first, so that no unit is lost.
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
  return toTrade(position, deal.timeMs, knownPipSize(state, position));
}

const idKey = (positionId: string): string => `#${positionId}`;
const nettingKey = (deal: Deal, side: string): string =>
  deal.positionId ? idKey(deal.positionId) : `${side}:${deal.symbol ?? ''}`;

/** Where the deal's position lies: its own id, else the side of the symbol which it works on. */
function keyFor(state: TradeState, deal: Deal, side: Side): string {
  const own = nettingKey(deal, side);
  if (deal.positionId || deal.entry === 'DEAL_ENTRY_IN') return own;
  const other = nettingKey(deal, opposite(side));
  return deal.entry !== undefined || state.positions.has(other) ? other : own;
}

/** What the deal does to the position: as it says, else by its side and volume. */
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
