import { parseBrokerTime } from '../../domain/broker-time.ts';
import { quotedPairs } from '../../domain/margin/exchange-rates.ts';
import type { Quote } from '../../domain/margin/market.ts';
import { type MarketRecord, readMarket } from '../../domain/margin/read-market.ts';
import { saveMarket } from '../../storage/market-store.ts';
import { replaceQuotes } from '../../storage/quote-store.ts';
import { accessAccount, held } from '../accounts/access-account.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { type Fault, invalid } from '../errors.ts';

/**
 * Replaces the market of an account, and what rates are made of. Throws `validation` naming every
 * invalid symbol and quote.
 */
export async function saveAccountMarket(
  context: Context,
  principal: Principal,
  accountId: string,
  market: MarketRecord,
): Promise<void> {
  const account = await accessAccount(context, principal, accountId);
  const read = readMarket(account.platform, market);
  const faults = [...('faults' in read ? read.faults : []), ...marketFaults(market)];
  if (faults.length > 0) throw invalid(faults);
  await context.changes.make(actorOf(principal), async (tx) => {
    const { number, userId, brokerClock } = await held(tx, account);
    const nowMs = context.now();
    await saveMarket(tx, number, market, nowMs);
    const clock = context.rules.clocks.viewOf(brokerClock);
    // A quote cannot be newer than what brought it, or it would never be too old.
    const quotedAt = ({ brokerTime = '' }: Quote) => {
      const timeMs = parseBrokerTime(brokerTime);
      return timeMs === undefined ? nowMs : Math.min(clock.utcOf(timeMs, Number.NaN), nowMs);
    };
    const pairs = quotedPairs(account.platform, market, quotedAt);
    await replaceQuotes(tx, { number, userId }, pairs);
    const details = { symbols: market.symbols.length, quotes: market.quotes.length };
    return {
      result: undefined,
      audit: [{ action: 'account.market-saved', userId, accountId, details }],
    };
  });
}

/** The faults of the given lists of a market, whatever its platform. */
export function marketFaults({ symbols = [], quotes = [] }: Partial<MarketRecord>): Fault[] {
  const faults: Fault[] = [];
  for (const [index, { volumeMin, volumeMax }] of symbols.entries())
    if (volumeMax > 0 && volumeMin > volumeMax)
      faults.push({
        parameter: `symbols[${index}].volumeMin`,
        message: 'must not be above volumeMax',
      });
  const seen = new Set<string>();
  for (const [index, { symbol, bid, ask }] of quotes.entries()) {
    if (bid > ask)
      faults.push({ parameter: `quotes[${index}].bid`, message: 'must not be above the ask' });
    if (seen.has(symbol))
      faults.push({ parameter: `quotes[${index}].symbol`, message: 'is duplicated' });
    seen.add(symbol);
  }
  return faults;
}
