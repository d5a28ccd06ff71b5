import type { StoredDealRecord } from '../../contract/operations/deals.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import type { Deal } from '../../domain/deal.ts';
import { fromUnits, fromVolume } from '../../domain/money.ts';

/** A deal in the form in which clients send it. */
export function presentDeal(deal: Deal, moneyDigits: number): StoredDealRecord {
  const { id, positionId, type, entry, symbol, price, comment, digits, contractSize } = deal;
  const { magic, stopLoss, takeProfit } = deal;
  const given = {
    ...{ positionId, entry, symbol, price, comment, magic, stopLoss, takeProfit },
    ...{ digits, contractSize },
  };
  const isDefined = ([, value]: [string, unknown]): boolean => value !== undefined;
  return {
    id,
    type,
    ...(Object.fromEntries(Object.entries(given).filter(isDefined)) as Partial<StoredDealRecord>),
    volume: fromVolume(deal.volume),
    profit: fromUnits(deal.profit, moneyDigits),
    swap: fromUnits(deal.swap, moneyDigits),
    commission: fromUnits(deal.commission, moneyDigits),
    fee: fromUnits(deal.fee, moneyDigits),
    brokerTime: formatBrokerTime(deal.timeMs),
  };
}
