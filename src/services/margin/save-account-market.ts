import { type MarketRecord, readMarket } from '../../domain/margin/read-market.ts';
import { saveMarket } from '../../storage/market-store.ts';
import { accessAccount, held } from '../accounts/access-account.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { type Fault, invalid } from '../errors.ts';

/** Replaces the market of an account. Throws `validation` naming every invalid symbol and quote. */
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
    const { number, userId } = await held(tx, account);
    await saveMarket(tx, number, market, context.now());
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
