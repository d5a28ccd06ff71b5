import type { Money } from '../money.ts';
import { ratioOf } from './ratio.ts';
import { isWon, type WonRule } from './win-loss.ts';

/** Trades of one kind in a row, and their money together. */
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

/** Runs of one kind, the current one included: how many, of how many trades, and the greatest. */
type Runs = { runs: number; trades: number; longest: Streak; largest: Streak };

/** What is known of the runs so far. */
export type StreakRuns = {
  /** Absent before the first result. */
  current?: (Streak & { isWon: boolean }) | undefined;
  wins: Runs;
  losses: Runs;
};

const none = (): Streak => ({ count: 0, money: 0 });
const noRuns = (): Runs => ({ runs: 0, trades: 0, longest: none(), largest: none() });

export const noStreaks = (): StreakRuns => ({ wins: noRuns(), losses: noRuns() });

export function addToStreaks(state: StreakRuns, result: Money, rule: WonRule = 'positive'): void {
  const won = isWon(result, rule);
  const runs = won ? state.wins : state.losses;
  if (state.current?.isWon === won) {
    state.current.count += 1;
    state.current.money += result;
  } else {
    state.current = { isWon: won, count: 1, money: result };
    runs.runs += 1;
  }
  runs.trades += 1;
  // A run only grows in count and money, so it can be compared before it has ended.
  const { count, money } = state.current;
  if (isGreater(count, runs.longest.count, money, runs.longest.money))
    runs.longest = { count, money };
  if (isGreater(Math.abs(money), Math.abs(runs.largest.money), count, runs.largest.count))
    runs.largest = { count, money };
}

/** By the first pair of numbers, then by the size of the second. */
const isGreater = (a: number, b: number, a2: number, b2: number): boolean =>
  a > b || (a === b && Math.abs(a2) > Math.abs(b2));

/** Runs of wins and of losses, in the order of the results. */
export function streaksOf(results: readonly Money[], rule: WonRule = 'positive'): Streaks {
  const state = noStreaks();
  for (const result of results) addToStreaks(state, result, rule);
  return streaksFrom(state);
}

export const streaksFrom = ({ wins, losses }: StreakRuns): Streaks => ({
  longestWin: wins.longest,
  longestLoss: losses.longest,
  largestWin: wins.largest,
  largestLoss: losses.largest,
  averageWins: ratioOf(wins.trades, wins.runs),
  averageLosses: ratioOf(losses.trades, losses.runs),
});
