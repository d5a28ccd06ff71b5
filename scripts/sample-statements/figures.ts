/** The figures of a report's result block, by the platforms' own definitions. */
export type Figures = {
  net: number;
  grossProfit: number;
  grossLoss: number;
  profitFactor: number;
  payoff: number;
  sharpe: number;
  drawdownAbsolute: number;
  drawdownMaximal: number;
  drawdownMaximalPercent: number;
  drawdownRelative: number;
  drawdownRelativePercent: number;
  trades: number;
  short: Won;
  long: Won;
  won: number[];
  lost: number[];
  /** Of p5 the commissions of entries are among the losses. */
  averageWon: number;
  averageLost: number;
  streaks: { wins: Streak[]; losses: Streak[] };
};
export type Won = { count: number; percent: number };
export type Streak = { count: number; sum: number };
export type Result = { money: number; closing: boolean; isLong: boolean };

const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
const percent = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole);

export function figuresOf(results: readonly Result[], startBalance: number): Figures {
  const closing = results.filter((result) => result.closing);
  const wonShare = (isLong: boolean): Won => {
    const own = closing.filter((result) => result.isLong === isLong);
    const won = own.filter(({ money }) => money >= 0);
    return { count: own.length, percent: percent(won.length, own.length) };
  };
  const money = results.map((result) => result.money);
  const won = closing.map((result) => result.money).filter((amount) => amount >= 0);
  const lost = closing.map((result) => result.money).filter((amount) => amount < 0);
  const grossProfit = total(money.filter((amount) => amount > 0));
  const grossLoss = total(money.filter((amount) => amount < 0));
  return {
    ...{ net: total(money), grossProfit, grossLoss, trades: closing.length },
    profitFactor: grossLoss === 0 ? 0 : grossProfit / -grossLoss,
    payoff: closing.length === 0 ? 0 : total(money) / closing.length,
    ...drawdownOf(results, startBalance),
    sharpe: sharpeOf(results, startBalance),
    ...{ short: wonShare(false), long: wonShare(true), streaks: streaksOf(closing) },
    ...{ won, lost },
    averageWon: won.length === 0 ? 0 : grossProfit / won.length,
    averageLost: lost.length === 0 ? 0 : grossLoss / lost.length,
  };
}

function drawdownOf(results: readonly Result[], start: number) {
  let balance = start;
  let peak = start;
  let lowest = start;
  let [maximal, maximalPercent, relative, relativePercent] = [0, 0, 0, 0];
  for (const { money } of results) {
    balance += money;
    peak = Math.max(peak, balance);
    lowest = Math.min(lowest, balance);
    const drop = peak - balance;
    if (drop > maximal) [maximal, maximalPercent] = [drop, percent(drop, peak)];
    if (percent(drop, peak) > relativePercent)
      [relative, relativePercent] = [drop, percent(drop, peak)];
  }
  return {
    drawdownAbsolute: start - lowest,
    drawdownMaximal: maximal,
    drawdownMaximalPercent: maximalPercent,
    drawdownRelative: relative,
    drawdownRelativePercent: relativePercent,
  };
}

function sharpeOf(results: readonly Result[], start: number): number {
  let balance = start;
  const ratios: number[] = [];
  for (const { money, closing } of results) {
    if (closing) ratios.push((balance + money) / balance);
    balance += money;
  }
  if (ratios.length < 2) return 0;
  const mean = total(ratios) / ratios.length;
  const spread = Math.sqrt(total(ratios.map((ratio) => (ratio - mean) ** 2)) / ratios.length);
  return spread === 0 ? 0 : (mean - 1) / spread;
}

function streaksOf(closing: readonly Result[]) {
  const wins: Streak[] = [];
  const losses: Streak[] = [];
  let current: Streak | undefined;
  let winning: boolean | undefined;
  for (const { money } of closing) {
    if (!current || money >= 0 !== winning) {
      current = { count: 0, sum: 0 };
      winning = money >= 0;
      (winning ? wins : losses).push(current);
    }
    current.count += 1;
    current.sum += money;
  }
  return { wins, losses };
}

/** Of equally long ones the one with more money. */
export const longest = (streaks: readonly Streak[]): Streak =>
  streaks.reduce(
    (best, one) =>
      one.count > best.count || (one.count === best.count && Math.abs(one.sum) > Math.abs(best.sum))
        ? one
        : best,
    { count: 0, sum: 0 },
  );
export const largest = (streaks: readonly Streak[]): Streak =>
  streaks.reduce((best, one) => (Math.abs(one.sum) > Math.abs(best.sum) ? one : best), {
    ...{ count: 0, sum: 0 },
  });
export const averageCount = (streaks: readonly Streak[]): number =>
  streaks.length === 0 ? 0 : Math.round(total(streaks.map(({ count }) => count)) / streaks.length);
