import { compareDeals, type Deal, isCredit, isTradeDeal, moneyOf } from '../domain/deal.ts';
import { fromUnits, type Money, toUnits } from '../domain/money.ts';
import { priceDecimals } from '../domain/trades/weighted-price.ts';
import { withinBounds } from './bounds.ts';
import type { Statement } from './statement.ts';
import { UnreadableStatement } from './unreadable-statement.ts';
import type { Warnings } from './warnings.ts';

const isClosing = (deal: Deal): boolean =>
  isTradeDeal(deal) && deal.entry !== undefined && deal.entry !== 'DEAL_ENTRY_IN';

/** Sum of trades and their costs, without balance and credit operations. */
const tradeMoney = (deals: readonly Deal[]): Money =>
  deals.reduce((sum, deal) => (isTradeDeal(deal) ? sum + moneyOf(deal) : sum), 0);

const balanceMoney = (deals: readonly Deal[]): Money =>
  deals.reduce((sum, deal) => (isCredit(deal) ? sum : sum + moneyOf(deal)), 0);

const listsNoDeals = ({ kind }: Pick<Statement, 'kind'>): boolean =>
  kind === 'p5-trade' || kind === 'open-trades';

type Draft = Omit<Statement, 'warnings' | 'readings' | 'carriedInBalance'>;

/**
 * Orders the deals, drops repeated ids and deals beyond the bounds, and compares the sums with the
 * report's own figures. Throws UnreadableStatement if there were rows, but none was understood.
 */
export function finishStatement(draft: Draft, warnings: Warnings, moneyDigits: number): Statement {
  const { openPositions } = draft;
  const stated: Statement['stated'] = {
    ...draft.stated,
    ...(/^p[45]-/.test(draft.kind) ? { platform: draft.platform } : {}),
  };
  // Only where a symbol has one position can a deal turn it; reports of 2016 do not name the mode.
  if (draft.deals.some(({ entry }) => entry === 'DEAL_ENTRY_INOUT'))
    stated.marginMode ??= 'ACCOUNT_MARGIN_MODE_RETAIL_NETTING';
  const bounded = withinBounds(draft.deals, moneyDigits, warnings);
  const deals = withoutRepeats(bounded, warnings).sort(compareDeals);
  evenDigits(deals);
  if (deals.length === 0 && openPositions.length === 0 && warnings.rows() > 0)
    throw new UnreadableStatement(
      `rows of a ${draft.kind} file`,
      `none of its ${warnings.rows()} rows could be understood. ${warnings.list()[0]?.message ?? ''}`,
    );
  const amount = (units: Money) => String(fromUnits(units, moneyDigits));
  const net = tradeMoney(deals);
  const half = toUnits(0.005, moneyDigits);
  if (stated.netProfit !== undefined && Math.abs(net - stated.netProfit) > half)
    warnings.add(
      'net_profit_differs',
      `The listed trades sum up to ${amount(net)}, the report states ${amount(stated.netProfit)}`,
    );
  const closing = deals.filter(isClosing).length;
  if (stated.trades !== undefined && stated.trades !== closing)
    warnings.add(
      'trade_count_differs',
      `${closing} closing deals are listed, the report states ${stated.trades} trades`,
    );
  const listed = balanceMoney(deals);
  const carriedInBalance =
    stated.balance === undefined || listsNoDeals(draft) ? undefined : stated.balance - listed;
  if (carriedInBalance)
    warnings.add(
      'balance_carried_in',
      `The listed rows sum up to ${amount(listed)}, the report states a balance of ` +
        `${amount(stated.balance ?? 0)}: ${amount(carriedInBalance)} comes from rows that it does not ` +
        'list',
    );
  const told = { readings: warnings.readings(), warnings: warnings.list() };
  return { ...draft, stated, deals, carriedInBalance, ...told };
}

function withoutRepeats(deals: readonly Deal[], warnings: Warnings): Deal[] {
  const byId = new Map<string, Deal>();
  const repeats: string[] = [];
  for (const deal of deals)
    if (!byId.has(deal.id)) byId.set(deal.id, deal);
    else repeats.push(deal.id);
  if (repeats.length > 0)
    warnings.add(
      'duplicate_deal',
      `${repeats.length} rows repeat the id of an earlier one and were left out: ` +
        `${repeats.slice(0, 10).join(', ')}`,
    );
  return [...byId.values()];
}

/** Among this many prices, not all end in a dropped zero. */
const PRICES_MIN = 20;

/**
 * Gives all deals of a symbol the digits of its price, if a price with a zero at its end proves how
 * many they are. Workbooks and programs drop such zeros: their digits are a lower bound.
 */
function evenDigits(deals: readonly Deal[]): void {
  type Seen = { most: number; prices: number; isProved: boolean };
  const seen = new Map<string, Seen>();
  for (const { symbol, digits, price } of deals) {
    if (symbol === undefined || digits === undefined || price === undefined) continue;
    const of = seen.get(symbol) ?? { most: 0, prices: 0, isProved: false };
    of.most = Math.max(of.most, digits);
    of.prices += 1;
    of.isProved ||= of.prices >= PRICES_MIN || digits > priceDecimals(price);
    seen.set(symbol, of);
  }
  for (const deal of deals) {
    const of = deal.symbol === undefined ? undefined : seen.get(deal.symbol);
    if (deal.symbol !== undefined) deal.digits = of?.isProved ? of.most : undefined;
  }
}
