import type { DailyReturn } from './daily-returns.ts';
import { rounded } from './growth.ts';

/** A fall of the index of daily returns from a high, until it is regained. */
export type DrawdownPeriod = {
  /** The deepest fall below the high, in percent of it. */
  depthPercent: number;
  /** The first day below the high, the deepest day, and the first day back at the high. */
  startDay: number;
  troughDay: number;
  /** Absent while the account has not come back. */
  recoveryDay?: number | undefined;
};

export type DrawdownHistory = {
  maximalPercent: number;
  /** Root of the mean square of the falls of all days, in percent. Source: Martin, 1987. */
  ulcerIndex: number;
  /** The deepest ones, deepest first. */
  deepest: DrawdownPeriod[];
};

/** The drawdowns of daily returns. The start is a high, so a loss on the first day counts. */
export function drawdownsOf(returns: readonly DailyReturn[], listed: number): DrawdownHistory {
  const periods: DrawdownPeriod[] = [];
  let [index, high, squares] = [1, 1, 0];
  let current: DrawdownPeriod | undefined;
  for (const { day, value } of returns) {
    index *= 1 + value;
    if (index >= high) {
      high = index;
      if (current) current.recoveryDay = day;
      current = undefined;
      continue;
    }
    const percent = (1 - index / high) * 100;
    squares += percent ** 2;
    if (!current) {
      current = { depthPercent: percent, startDay: day, troughDay: day };
      periods.push(current);
    } else if (percent > current.depthPercent) {
      current.depthPercent = percent;
      current.troughDay = day;
    }
  }
  periods.sort((a, b) => b.depthPercent - a.depthPercent);
  return {
    maximalPercent: rounded(periods[0]?.depthPercent ?? 0),
    ulcerIndex: returns.length === 0 ? 0 : Math.sqrt(squares / returns.length),
    deepest: periods
      .slice(0, listed)
      .map((period) => ({ ...period, depthPercent: rounded(period.depthPercent) })),
  };
}
