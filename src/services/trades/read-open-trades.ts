import { brokerTimeAt, formatBrokerTime, MINUTE_MS } from '../../domain/broker-time.ts';
import { fromUnits, fromVolume, moneyDigits } from '../../domain/money.ts';
import { type OpenTrade, openPositionsOf } from '../../domain/trades/open-trades.ts';
import { decodeTradeState } from '../../domain/trades/trade-state-codec.ts';
import type { TradeComputer } from '../../histories/trade-computer.ts';
import { readFoldTexts } from '../../storage/history-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import type { Page } from '../page.ts';
import { requireStatistics } from './read-historical-trades.ts';

/** A page of the positions opened and not closed by the deals, in order of opening. */
export async function readOpenTrades(
  context: Context & { trades: TradeComputer },
  principal: Principal,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
) {
  const account = await accessAccount(context, principal, accountId);
  requireStatistics(account);
  const found = await context.trades.readWhole(account, async () => {
    const texts = await readFoldTexts(context.database, account.number);
    return texts ? openPositionsOf(decodeTradeState(texts.foldState)) : [];
  });
  if (!found.ready) return found;
  const digits = moneyDigits(account.currency);
  const nowMs = brokerTimeAt(context.now(), account.brokerClock);
  const positions = found.value;
  const trades = positions
    .slice(offset, offset + limit)
    .map((position) => present(position, accountId, digits, nowMs));
  const page: Page<(typeof trades)[number]> = {
    items: trades,
    total: positions.length,
    hasMore: positions.length > offset + limit,
    nextAfter: (_, n) => ({ offset: offset + n }),
  };
  return { ready: true as const, page };
}

function present(position: OpenTrade, accountId: string, digits: number, nowMs: number) {
  const { positionId, type, symbol, openTimeMs, openPrice, comment } = position;
  return {
    _id: `${accountId}+${positionId}`,
    ...{ accountId, positionId, type, symbol, openPrice, comment },
    volume: fromVolume(position.volume),
    openTime: formatBrokerTime(openTimeMs),
    durationInMinutes: Math.max(0, Math.floor((nowMs - openTimeMs) / MINUTE_MS)),
    realisedProfit: fromUnits(position.realisedProfit, digits),
    swap: fromUnits(position.swap, digits),
    commission: fromUnits(position.commission, digits),
    fee: fromUnits(position.fee, digits),
  };
}
