import type { DrawdownRecord } from '../../../src/contract/operations/drawdown.ts';
import { brokerTimeMs } from '../lib/format.ts';
import type { Seconds } from './seen-stretch.ts';

const HOUR_SECONDS = 3_600;
/** If values are unknown for longer than this, no line is drawn. */
const BREAK_SECONDS = 6 * HOUR_SECONDS;

/** An account's index by hours, transfers taken out. */
export type IndexPoints = Pick<DrawdownRecord, 'points'>['points'];

/** The value of one unit in an account since the first hour of the comparison. */
export type ComparedAccount = {
  /**
   * Fraction of gain at the end of each of the chart's times; null in a break, undefined between.
   */
  gains: (number | null | undefined)[];
  /** At the newest hour. */
  gain: number;
  /** The deepest fall from a high before, at ends of hours, as a fraction. */
  deepest: number;
};

export type Comparison = {
  /** Ends of hours, in seconds of the brokers' wall clocks. */
  times: number[];
  accounts: (ComparedAccount | undefined)[];
};

type Hour = { seconds: number; index: number };

/**
 * Accounts on one time axis, each from 0 on at the first hour in which all of them have figures:
 * earlier hours would compare different times. An account without figures is left out. A stretch is
 * treated as if there were no other hours.
 */
export function compareAccounts(
  all: readonly IndexPoints[],
  [from, to]: Seconds = [0, Number.POSITIVE_INFINITY],
): Comparison {
  const hours = all.map((points) =>
    points
      .map(({ startBrokerTime, index }): Hour => {
        return { seconds: brokerTimeMs(startBrokerTime) / 1000 + HOUR_SECONDS, index };
      })
      .filter(({ seconds }) => seconds >= from && seconds <= to),
  );
  const known = hours.filter((own) => own.length > 0);
  const start = Math.max(...known.map((own) => own[0]?.seconds ?? 0));
  const shown = hours.map((own) => own.filter(({ seconds }) => seconds >= start));
  const times = [...new Set(shown.flatMap(timesOf))].sort((a, b) => a - b);
  const places = new Map(times.map((seconds, place) => [seconds, place]));
  return {
    times,
    accounts: shown.map((own) => (own.length > 0 ? compared(own, places) : undefined)),
  };
}

/** An account's hours, and one in each break. */
const timesOf = (own: readonly Hour[]): number[] =>
  own.flatMap(({ seconds }, index) => {
    const before = own[index - 1]?.seconds ?? seconds;
    return seconds - before > BREAK_SECONDS ? [before + 1, seconds] : [seconds];
  });

function compared(own: readonly Hour[], places: ReadonlyMap<number, number>): ComparedAccount {
  const gains: ComparedAccount['gains'] = Array.from({ length: places.size });
  const first = own[0]?.index ?? 1;
  let [peak, deepest, gain] = [1, 0, 0];
  for (const [row, { seconds, index }] of own.entries()) {
    const before = own[row - 1]?.seconds ?? seconds;
    if (seconds - before > BREAK_SECONDS) gains[places.get(before + 1) ?? 0] = null;
    // An account that began with nothing has lost nothing.
    const unit = first > 0 ? index / first : 1;
    gain = unit - 1;
    gains[places.get(seconds) ?? 0] = gain;
    peak = Math.max(peak, unit);
    deepest = Math.max(deepest, 1 - unit / peak);
  }
  return { gains, gain, deepest };
}
