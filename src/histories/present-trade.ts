import { formatBrokerTime } from '../domain/broker-time.ts';
import { fromUnits, fromVolume } from '../domain/money.ts';
import type { Trade } from '../domain/trade.ts';
import type { TradeItem } from '../storage/trade-store.ts';

/** A trade as JSON of the API, made once when it closes, and in the form of statistics. */
export function presentTrade(accountId: string, trade: Trade, moneyDigits: number): TradeItem {
  const record = {
    _id: `${accountId}+${trade.id}`,
    accountId,
    positionId: trade.positionId,
    volume: fromVolume(trade.volume),
    durationInMinutes: trade.durationInMinutes,
    profit: fromUnits(trade.profit, moneyDigits),
    gain: trade.gain,
    success: trade.success,
    openTime: formatBrokerTime(trade.openTimeMs),
    closeTime: formatBrokerTime(trade.closeTimeMs),
    type: trade.type,
    symbol: trade.symbol,
    openPrice: trade.openPrice,
    closePrice: trade.closePrice,
    pips: trade.pips,
    comment: trade.comment,
    magic: trade.magic,
    stopLoss: trade.stopLoss,
    takeProfit: trade.takeProfit,
    marketValue: trade.marketValue && fromUnits(trade.marketValue, moneyDigits),
    riskInBalancePercent: trade.riskPercent,
    riskInPips: trade.riskPips,
  };
  return {
    closeTimeMs: trade.closeTimeMs,
    id: trade.id,
    json: Buffer.from(JSON.stringify(record)),
    counted: trade,
  };
}
