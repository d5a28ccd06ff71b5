import type { Ledger } from '../../src/demo/platform/ledger.ts';
import type { SimulatedGateway } from '../../src/demo/platform/simulated-gateway.ts';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { type Deal, isCredit } from '../../src/domain/deal.ts';
import { fromUnits, fromVolume } from '../../src/domain/money.ts';
import { PlatformError } from '../../src/platforms/gateway.ts';

const MONEY_DIGITS = 4;
const MARK_LENGTH = 13;

export type ClosedOrder = ReturnType<typeof closedOrderOf>;

/**
 * The p4 manager session of the bridge, here over the simulated platform. This is the file to
 * rewrite for a real server: each method is a call or two of the manager library.
 */
export class ManagerLibrary {
  readonly gateway: SimulatedGateway;

  constructor(gateway: SimulatedGateway) {
    this.gateway = gateway;
  }

  /** SymbolsGetAll after a Ping: a session that was logged out for idling sees none. */
  async symbols(group?: number): Promise<object[]> {
    return this.gateway.symbols(group);
  }

  /** A new Login; continues the same session if possible. */
  async logIn(): Promise<void> {}

  /** Lists of a logged-out session are always empty. */
  seen<T>(items: T[]): T[] {
    return items;
  }

  /** TradesUserHistory, without deleted pending orders; by time of closing, then ticket. */
  async closedOrders(login: number, fromMs: number, toMs: number): Promise<ClosedOrder[]> {
    const deals = await this.gateway.deals({ login, fromMs, toMs, moneyDigits: MONEY_DIGITS });
    const openings = new Map(deals.map((deal) => [deal.id, deal]));
    return deals
      .filter(({ entry }) => entry !== 'DEAL_ENTRY_IN')
      .map((deal) => closedOrderOf(deal, openings.get(`${deal.positionId}-in`)));
  }

  /**
   * TradeTransaction with a balance or credit record. The last characters of the comment mark the
   * operation: one already in the history is not repeated.
   */
  async bookMoney(
    login: number,
    type: 'DEAL_TYPE_BALANCE' | 'DEAL_TYPE_CREDIT',
    amount: number,
    comment: string,
  ): Promise<number> {
    const { broker } = this.gateway;
    const mark = comment.slice(-MARK_LENGTH);
    const find = (ledger: Ledger | undefined) =>
      ledger?.cash.find((entry) => entry.comment.endsWith(mark));
    await broker.operate(login, (ledger) => {
      const done = find(ledger);
      if (!done) return { kind: 'cash', login, type, amount, comment };
      if (done.type !== type || done.amount !== ledger.valuation.money(amount))
        throw new PlatformError('invalid', 'This key was used for another amount');
      return undefined;
    });
    return find(await broker.ledger(login, broker.moment(login)))?.ticket ?? 0;
  }
}

/** A ticket in the form of a TradeRecord, from the two deals used elsewhere. */
function closedOrderOf(deal: Deal, opening: Deal | undefined) {
  const closeTime = formatBrokerTime(deal.timeMs);
  const money = {
    profit: fromUnits(deal.profit, MONEY_DIGITS),
    swap: fromUnits(deal.swap, MONEY_DIGITS),
    commission: fromUnits(deal.commission, MONEY_DIGITS),
    taxes: fromUnits(deal.fee, MONEY_DIGITS),
    comment: deal.comment ?? '',
  };
  if (!opening) {
    const type = isCredit(deal) ? 'credit' : 'balance';
    return { order: Number(deal.id), type, lots: 0, openTime: closeTime, closeTime, ...money };
  }
  return {
    order: Number(deal.positionId),
    type: opening.type === 'DEAL_TYPE_BUY' ? 'buy' : 'sell',
    lots: fromVolume(deal.volume),
    symbol: `${deal.symbol}`,
    digits: deal.digits ?? 0,
    contractSize: deal.contractSize ?? 0,
    magic: deal.magic ?? 0,
    stopLoss: opening.stopLoss ?? 0,
    takeProfit: opening.takeProfit ?? 0,
    openPrice: opening.price ?? 0,
    closePrice: deal.price ?? 0,
    openTime: formatBrokerTime(opening.timeMs),
    closeTime,
    ...money,
  };
}
