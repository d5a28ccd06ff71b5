import { compareDeals, type Deal, isCredit, isTradeDeal, moneyOf } from '../domain/deal.ts';
import { fromUnits, type Money, toUnits } from '../domain/money.ts';
import { forEachPaced, type Pace } from './pace.ts';
import type { Statement } from './statement.ts';
import type { Warnings } from './warnings.ts';

export const isClosing = (deal: Deal): boolean =>
  isTradeDeal(deal) && deal.entry !== undefined && deal.entry !== 'DEAL_ENTRY_IN';

/** Sum of all that trades and charges on them made, balance and credit operations left out. */
export const tradeMoney = (deals: readonly Deal[]): Money =>
  deals.reduce((sum, deal) => (isTradeDeal(deal) ? sum + moneyOf(deal) : sum), 0);

export const balanceMoney = (deals: readonly Deal[]): Money =>
  deals.reduce((sum, deal) => (isCredit(deal) ? sum : sum + moneyOf(deal)), 0);

type Draft = Omit<Statement, 'warnings' | 'carriedInBalance'>;

/** Orders the deals, drops repeated ids, and holds the sums against what the report itself states. */
export async function finishStatement(
  draft: Draft,
  warnings: Warnings,
  moneyDigits: number,
  pace: Pace,
): Promise<Statement> {
  const deals = await withoutRepeats(draft.deals, warnings, pace);
  deals.sort(compareDeals);
  await pace.step(0.98);
  const { stated } = draft;
  const amount = (units: Money) => String(fromUnits(units, moneyDigits));
  const net = tradeMoney(deals);
  const statedNet = stated.total_net_profit ?? stated.closed_trade_pl;
  const half = toUnits(0.005, moneyDigits);
  if (statedNet !== undefined && Math.abs(net - toUnits(statedNet, moneyDigits)) > half)
    warnings.add(
      'net_profit_differs',
      `The listed trades sum up to ${amount(net)}, the report states ${statedNet}`,
    );
  const closing = deals.filter(isClosing).length;
  if (stated.total_trades !== undefined && stated.total_trades !== closing)
    warnings.add(
      'trade_count_differs',
      `${closing} closing deals are listed, the report states ${stated.total_trades} trades`,
    );
  const carriedInBalance =
    stated.balance === undefined
      ? undefined
      : toUnits(stated.balance, moneyDigits) - balanceMoney(deals);
  if (carriedInBalance)
    warnings.add(
      'balance_carried_in',
      `The listed rows sum up to ${amount(balanceMoney(deals))}, the report states a balance of ` +
        `${stated.balance}: ${amount(carriedInBalance)} comes from rows that it does not list`,
    );
  return { ...draft, deals, carriedInBalance, warnings: warnings.list() };
}

async function withoutRepeats(
  deals: readonly Deal[],
  warnings: Warnings,
  pace: Pace,
): Promise<Deal[]> {
  const byId = new Map<string, Deal>();
  const repeats: string[] = [];
  await forEachPaced(deals, pace, { from: 0.96, to: 0.98 }, (deal) => {
    if (!byId.has(deal.id)) byId.set(deal.id, deal);
    else repeats.push(deal.id);
  });
  if (repeats.length > 0)
    warnings.add(
      'duplicate_deal',
      `${repeats.length} rows repeat the id of an earlier one and were left out: ` +
        `${repeats.slice(0, 10).join(', ')}`,
    );
  return [...byId.values()];
}

/** Gives all deals of a symbol the most digits seen: workbooks and journals drop zeros at the end. */
export function evenDigits(deals: readonly Deal[]): void {
  const most = new Map<string, number>();
  for (const { symbol, digits } of deals)
    if (symbol !== undefined && digits !== undefined)
      most.set(symbol, Math.max(digits, most.get(symbol) ?? 0));
  for (const deal of deals) if (deal.symbol !== undefined) deal.digits = most.get(deal.symbol);
}

/** Language of a report by its heading for time, ISO 639-1. */
export function languageOf(timeHeading: string | undefined): string | undefined {
  const words: Record<string, string> = {
    Time: 'en',
    'Open Time': 'en',
    Heure: 'fr',
    Время: 'ru',
    Zeit: 'de',
    Hora: 'es',
    Fecha: 'es',
    Horário: 'pt',
    Ora: 'it',
    Време: 'bg',
    Час: 'uk',
    時間: 'ja',
    时间: 'zh',
    時間点: 'ja',
    시간: 'ko',
    Zaman: 'tr',
    Czas: 'pl',
    Čas: 'cs',
  };
  return timeHeading === undefined ? undefined : words[timeHeading];
}
