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

/** Runs of one kind, including the current one: how many, of how many trades, and the greatest. */
type Runs = { runs: number; trades: number; longest: Streak; largest: Streak };

type Run = Streak & { isWon: boolean };

/** Figures of the runs so far. */
export type StreakRuns = {
  /** The run at the beginning of the results, and the one at the end; absent without any. */
  first?: Run | undefined;
  current?: Run | undefined;
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
  if (countOf(state) === 1) state.first = { ...state.current };
  // A run only grows in count and money, so it can be compared before it has ended.
  raise(runs, state.current);
}

const countOf = ({ wins, losses }: StreakRuns): number => wins.runs + losses.runs;

function raise(runs: Runs, { count, money }: Streak): void {
  if (isGreater(count, runs.longest.count, money, runs.longest.money))
    runs.longest = { count, money };
  if (isGreater(Math.abs(money), Math.abs(runs.largest.money), count, runs.largest.count))
    runs.largest = { count, money };
}

/** Joins the runs of results and of later ones. */
export function joinStreaks(a: StreakRuns, b: StreakRuns): StreakRuns {
  if (!a.current || !b.first) return a.current ? a : b;
  const joined = { wins: joinRuns(a.wins, b.wins), losses: joinRuns(a.losses, b.losses) };
  if (a.current.isWon !== b.first.isWon) return { ...joined, first: a.first, current: b.current };
  const count = a.current.count + b.first.count;
  const run = { isWon: b.first.isWon, count, money: a.current.money + b.first.money };
  const runs = run.isWon ? joined.wins : joined.losses;
  runs.runs -= 1;
  raise(runs, run);
  return {
    ...joined,
    first: countOf(a) === 1 ? run : a.first,
    current: countOf(b) === 1 ? run : b.current,
  };
}

function joinRuns(a: Runs, b: Runs): Runs {
  const joined = { ...a, runs: a.runs + b.runs, trades: a.trades + b.trades };
  raise(joined, b.longest);
  raise(joined, b.largest);
  return joined;
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
