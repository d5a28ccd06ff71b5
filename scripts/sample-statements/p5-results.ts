import { averageCount, type Figures, figuresOf, largest, longest, type Streak } from './figures.ts';
import { cell, floatingOf, linesOf, type P5Account } from './p5-report.ts';
import { P5_RESULT_LABELS, type P5Words } from './p5-words.ts';
import { printNumber } from './print.ts';
import type { SheetCell, SheetRow } from './sheet.ts';
import type { Sample } from './trading.ts';

type Shown = { text: string; value?: number };

/** The account block and the result block: labels and values, three pairs a row at most. */
export function resultRows(sample: Sample, account: P5Account, words: P5Words): SheetRow[] {
  const shown = shownFigures(sample, account);
  const pairs = P5_RESULT_LABELS.map((label, index) => ({
    label: account.language === 'en' ? label : `${words.sections[4]} ${index + 1}`,
    ...(shown[index] ?? { text: '' }),
  }));
  const rows: SheetRow[] = [];
  const put = (count: number, columns: readonly [label: number, value: number][]) => {
    const cells = pairs.splice(0, count).flatMap(({ label, text, value }, index): SheetCell[] => {
      const [labelAt, valueAt] = columns[index] ?? [0, 3];
      return [
        cell(labelAt, `${label}:`, undefined, 3),
        { ...cell(valueAt, text, value), bold: true },
      ];
    });
    rows.push({ cells });
  };
  const two = [
    [0, 3],
    [6, 9],
  ] as const;
  const three = [
    [0, 3],
    [4, 7],
    [8, 11],
  ] as const;
  for (const count of [2, 2, 2, 1])
    put(
      count,
      two.map(([a, b]) => [a, b]),
    );
  rows.push({ heading: true, cells: [cell(0, words.sections[4], undefined, 13)] });
  for (const count of [3, 2, 2])
    put(
      count,
      three.map(([a, b]) => [a, b]),
    );
  rows.push({ cells: [cell(0, 'Balance Drawdown:', undefined, 3)] });
  for (const count of [3, 3])
    put(
      count,
      three.map(([a, b]) => [a, b]),
    );
  for (let row = 0; row < 6; row++)
    put(
      2,
      three.slice(1).map(([a, b]) => [a, b]),
    );
  return rows;
}

/** All figures of a history report, in its order. */
export function shownFigures(sample: Sample, account: P5Account): Shown[] {
  const { moneyDigits: digits, look } = account;
  const text = (value: number, d = digits) => printNumber(value, d, look);
  const money = (value: number): Shown => ({ text: text(value), value });
  const ratio = (value: number): Shown => ({ text: text(value, 2), value });
  const count = (value: number): Shown => ({ text: String(value), value });
  const both = (first: string, second: string): Shown => ({ text: `${first} (${second})` });
  const percent = (value: number) => `${value.toFixed(2)}%`;
  const streak = ({ count: n, sum }: Streak) => both(String(n), text(sum));
  const turned = ({ count: n, sum }: Streak) => both(text(sum), String(n));

  const lines = linesOf(sample).filter(({ type }) => type !== 'credit');
  const balance = lines.reduce(
    (sum, { profit, fill }) => sum + profit + (fill?.swap ?? 0) + (fill?.commission ?? 0),
    0,
  );
  const open = sample.positions.filter(({ lotsLeft }) => lotsLeft > 0);
  const floating = open.reduce((sum, one) => sum + floatingOf(sample, one, digits), 0);
  const margin = open.reduce(
    (sum, one) =>
      sum + (one.lotsLeft * one.openPrice * one.symbol.lotValue(one.openPrice)) / account.leverage,
    0,
  );
  const f = figuresOfSample(sample);
  const [equity, trades] = [balance + floating, Math.max(1, f.trades)];
  const level = margin === 0 ? 0 : (100 * equity) / margin;
  return [
    ...[money(balance), money(equity - margin), money(0), money(margin), money(floating)],
    ...[{ text: `${text(level, 2)}%` }, money(equity)],
    ...[money(f.net), money(f.grossProfit), money(f.grossLoss)],
    ...[ratio(f.profitFactor), ratio(f.payoff)],
    ...[ratio(f.drawdownMaximal === 0 ? 0 : f.net / f.drawdownMaximal), ratio(f.sharpe)],
    money(f.drawdownAbsolute),
    both(text(f.drawdownMaximal), percent(f.drawdownMaximalPercent)),
    both(percent(f.drawdownRelativePercent), text(f.drawdownRelative)),
    count(f.trades),
    ...[f.short, f.long].map((side) => both(String(side.count), percent(side.percent))),
    both(String(f.won.length), percent((100 * f.won.length) / trades)),
    both(String(f.lost.length), percent((100 * f.lost.length) / trades)),
    ...[money(Math.max(0, ...f.won)), money(Math.min(0, ...f.lost))],
    ...[ratio(f.averageWon), ratio(f.averageLost)],
    ...[streak(longest(f.streaks.wins)), streak(longest(f.streaks.losses))],
    ...[turned(largest(f.streaks.wins)), turned(largest(f.streaks.losses))],
    ...[count(averageCount(f.streaks.wins)), count(averageCount(f.streaks.losses))],
  ];
}

function figuresOfSample(sample: Sample): Figures {
  const results = sample.fills.map((fill) => ({
    money: fill.profit + fill.swap + fill.commission,
    closing: fill.entry !== 'in',
    // A long position is closed by a sale.
    isLong: fill.side === 'sell',
  }));
  return figuresOf(results, sample.operations[0]?.amount ?? 0);
}
