import { cell, linesOf, type P5Account, p5HistoryRows } from './p5-report.ts';
import { shownFigures } from './p5-results.ts';
import { pageOf, sectionsOf } from './p5-variants.ts';
import { printNumber, printTime } from './print.ts';
import type { SheetRow } from './sheet.ts';
import type { Sample } from './trading.ts';

const SETTINGS = ['Expert', 'Symbol', 'Period', 'Inputs', 'Broker', 'Currency', 'Initial Deposit'];
/** As they come in a row, three at a time, and one more in the last but six. */
const RESULTS = `History Quality|Bars|Ticks|Symbols|Total Net Profit|Balance Drawdown Absolute|
Equity Drawdown Absolute|Gross Profit|Balance Drawdown Maximal|Equity Drawdown Maximal|Gross Loss|
Balance Drawdown Relative|Equity Drawdown Relative|Profit Factor|Expected Payoff|Margin Level|
Recovery Factor|Sharpe Ratio|Z-Score|AHPR|LR Correlation|OnTester result|GHPR|LR Standard Error|
Total Trades|Short Trades (won %)|Long Trades (won %)|Total Deals|Profit Trades (% of total)|
Loss Trades (% of total)|Largest profit trade|Largest loss trade|Average profit trade|
Average loss trade|Maximum consecutive wins ($)|Maximum consecutive losses ($)|
Maximal consecutive profit (count)|Maximal consecutive loss (count)|Average consecutive wins|
Average consecutive losses`
  .replaceAll('\n', '')
  .split('|');
/** Where figures of a tick or of a formula of the terminal's own would stand. */
const NONE = '–';

/** The strategy tester's report: settings and results, orders and deals. */
export function p5TesterPage(sample: Sample, account: P5Account): Buffer {
  const [, , orders = [], deals = []] = sectionsOf(p5HistoryRows(sample, account));
  const title = (text: string): SheetRow => ({
    heading: true,
    cells: [cell(0, text, undefined, 13)],
  });
  const settings = [...settingsOf(sample, account), `1:${account.leverage}`];
  return pageOf([
    title('Strategy Tester Report'),
    title('Settings'),
    ...[...SETTINGS, 'Leverage'].map((label, index) => ({
      cells: [cell(0, `${label}:`, undefined, 3), cell(3, settings[index] ?? '', undefined, 10)],
    })),
    title('Results'),
    ...resultsOf(sample, account).map((text, index) => ({
      cells: [cell(0, `${RESULTS[index]}:`, undefined, 3), cell(3, text)],
    })),
    ...orders,
    ...deals,
  ]);
}

function settingsOf(sample: Sample, { broker, currency, moneyDigits, look }: P5Account): string[] {
  const [deposit] = sample.operations;
  const symbol = sample.positions[0]?.symbol.name ?? '';
  const date = (timeMs: number) => printTime(timeMs).slice(0, 10);
  const period = `H1 (${date(deposit?.timeMs ?? 0)} - ${date(sample.endMs)})`;
  const amount = printNumber(deposit?.amount ?? 0, moneyDigits, look);
  return ['Sample Expert', symbol, period, 'Risk=0.02', broker, currency, amount];
}

function resultsOf(sample: Sample, account: P5Account): string[] {
  const texts = shownFigures(sample, account).map(({ text }) => text);
  const [net, gained, lost, factor, payoff, recovery, sharpe, absolute, maximal, relative] =
    texts.slice(7);
  const [trades, short, long, ...streaks] = texts.slice(17);
  const dealCount = linesOf(sample).filter(({ fill }) => fill).length;
  return [
    ...['100%', '3100', '910000', '2', net, absolute, absolute, gained, maximal, maximal, lost],
    ...[relative, relative, factor, payoff, '450.00%', recovery, sharpe, NONE, NONE, NONE, '0'],
    ...[NONE, NONE, trades, short, long, String(dealCount), ...streaks],
  ].map((text) => text ?? NONE);
}
