import type { Money } from '../money.ts';
import { ratioOf } from './ratio.ts';
import { isWon, type WonRule } from './win-loss.ts';

/** Trades of one kind in a row, and what they brought together. */
export type Streak = { count: number; money: Money };

export type Streaks = {
  /** Most wins in a row; of equally long ones the one with more money. */
  longestWin: Streak;
  longestLoss: Streak;
  /** Most money won in a row. */
  largestWin: Streak;
  largestLoss: Streak;
  /** Average lengths. */
  averageWins?: number | undefined;
  averageLosses?: number | undefined;
};

/** Runs of wins and of losses, in the order of the results. */
export function streaksOf(results: readonly Money[], rule: WonRule = 'positive'): Streaks {
  const wins: Streak[] = [];
  const losses: Streak[] = [];
  let wasWon: boolean | undefined;
  for (const result of results) {
    const won = isWon(result, rule);
    const runs = won ? wins : losses;
    const current = runs.at(-1);
    if (current && won === wasWon) {
      current.count += 1;
      current.money += result;
    } else runs.push({ count: 1, money: result });
    wasWon = won;
  }
  return {
    longestWin: bestOf(wins, byCount),
    longestLoss: bestOf(losses, byCount),
    largestWin: bestOf(wins, byMoney),
    largestLoss: bestOf(losses, byMoney),
    averageWins: averageLength(wins),
    averageLosses: averageLength(losses),
  };
}

const size = (streak: Streak): number => Math.abs(streak.money);
const byCount = (a: Streak, b: Streak): number => a.count - b.count || size(a) - size(b);
const byMoney = (a: Streak, b: Streak): number => size(a) - size(b) || a.count - b.count;

const bestOf = (runs: readonly Streak[], compare: (a: Streak, b: Streak) => number): Streak =>
  runs.reduce((best, run) => (compare(run, best) > 0 ? run : best), { count: 0, money: 0 });

const averageLength = (runs: readonly Streak[]): number | undefined =>
  ratioOf(
    runs.reduce((total, run) => total + run.count, 0),
    runs.length,
  );
