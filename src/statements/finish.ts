import { compareDeals, type Deal, isCredit, isTradeDeal, moneyOf } from '../domain/deal.ts';
import { fromUnits, type Money, toUnits } from '../domain/money.ts';
import { withinBounds } from './bounds.ts';
import type { Statement } from './statement.ts';
import { UnreadableStatement } from './unreadable-statement.ts';
import type { Warnings } from './warnings.ts';

const isClosing = (deal: Deal): boolean =>
  isTradeDeal(deal) && deal.entry !== undefined && deal.entry !== 'DEAL_ENTRY_IN';

/** Sum of all that trades and charges on them made, balance and credit operations left out. */
const tradeMoney = (deals: readonly Deal[]): Money =>
  deals.reduce((sum, deal) => (isTradeDeal(deal) ? sum + moneyOf(deal) : sum), 0);

const balanceMoney = (deals: readonly Deal[]): Money =>
  deals.reduce((sum, deal) => (isCredit(deal) ? sum : sum + moneyOf(deal)), 0);

const listsNoDeals = ({ kind }: Pick<Statement, 'kind'>): boolean =>
  kind === 'p5-trade' || kind === 'open-trades';

type Draft = Omit<Statement, 'warnings' | 'carriedInBalance'>;

/**
 * Orders the deals, drops repeated ids and deals beyond the bounds, and holds the sums against what
 * the report itself states. Throws UnreadableStatement when rows there were, but none was
 * understood.
 */
export function finishStatement(draft: Draft, warnings: Warnings, moneyDigits: number): Statement {
  const { openPositions } = draft;
  const stated = /^p[45]-/.test(draft.kind)
    ? { ...draft.stated, platform: draft.platform }
    : draft.stated;
  const bounded = withinBounds(draft.deals, moneyDigits, warnings);
  const deals = withoutRepeats(bounded, warnings).sort(compareDeals);
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
  return { ...draft, stated, deals, carriedInBalance, warnings: warnings.list() };
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

/**
 * Gives all deals of a symbol the most digits seen: workbooks and journals drop zeros at the end.
 */
export function evenDigits(deals: readonly Deal[]): void {
  const most = new Map<string, number>();
  for (const { symbol, digits } of deals)
    if (symbol !== undefined && digits !== undefined)
      most.set(symbol, Math.max(digits, most.get(symbol) ?? 0));
  for (const deal of deals) if (deal.symbol !== undefined) deal.digits = most.get(deal.symbol);
}
