import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/broker-time.ts';
import { chance, mix, pick } from './random.ts';

/** An account's intention at a moment; whether it is possible is decided at that moment. */
export type Intention = { utcMs: number } & (
  | { kind: 'cash'; part: number; comment: string }
  | {
      kind: 'trade';
      symbol: string;
      side: 1 | -1;
      /** The part of the balance lost at the stop. */
      risk: number;
      /** Distances from the open price, as parts of the symbol's daily move. */
      stop: number;
      target: number;
      holdMs: number;
      /** Knows the price at the time-out. */
      informed: boolean;
      /** Half of the position is closed after half of the time. */
      partial: boolean;
    }
);

type Style = { tradesADay: number; risk: number; stop: number; target: number; holdMs: number };

const SCALPER: Style = {
  tradesADay: 24,
  risk: 0.0015,
  stop: 0.35,
  target: 0.45,
  holdMs: 1.5 * HOUR_MS,
};
const DAY_TRADER: Style = {
  tradesADay: 1.6,
  risk: 0.006,
  stop: 0.35,
  target: 0.45,
  holdMs: 6 * HOUR_MS,
};
const SWING: Style = { tradesADay: 0.4, risk: 0.01, stop: 0.8, target: 1.1, holdMs: 60 * HOUR_MS };
const RECKLESS: Style = {
  tradesADay: 1.2,
  risk: 0.035,
  stop: 0.3,
  target: 0.35,
  holdMs: 5 * HOUR_MS,
};
const STYLES: readonly (Style | undefined)[] = [undefined, SCALPER, DAY_TRADER, SWING, RECKLESS];
const SYMBOLS = 'EURUSD EURUSD GBPUSD GBPUSD USDJPY USDJPY EURJPY XAUUSD XAUUSD US500 BTCUSD';

/** The strategy of a login: logins ending in 0 and 5 hold money only, 1 and 6 scalp, and so on. */
const styleOf = (login: number): Style | undefined => STYLES[login % STYLES.length];

/** The intentions of an account for one day of UTC (days since 1970), oldest first. */
export function intentionsOfDay(seed: number, login: number, day: number): Intention[] {
  const state = mix(mix(seed, login), day);
  const style = styleOf(login);
  const skill = 0.15 + 0.4 * chance(mix(seed, login), 0x5c111);
  const intentions: Intention[] = [];
  if (chance(state, 1) < 1 / 30) intentions.push(cashIntention(state, day));
  if (style) {
    const trades = Math.floor(style.tradesADay * (0.5 + chance(state, 2)) + chance(state, 3));
    for (let index = 0; index < trades; index += 1)
      intentions.push(tradeIntention(mix(state, 100 + index), day, style, skill));
  }
  return intentions.sort((a, b) => a.utcMs - b.utcMs);
}

/** Deposits are twice as frequent as withdrawals. */
function cashIntention(state: number, day: number): Intention {
  const deposit = chance(state, 11) < 0.67;
  const part = (Math.ceil(chance(state, 12) * 8) / 100) * (deposit ? 1 : -1);
  return {
    kind: 'cash',
    utcMs: day * DAY_MS + 8 * HOUR_MS + Math.floor(chance(state, 13) * 8 * HOUR_MS),
    part,
    comment: deposit ? 'Deposit' : 'Withdrawal',
  };
}

function tradeIntention(state: number, day: number, style: Style, skill: number): Intention {
  return {
    kind: 'trade',
    utcMs: day * DAY_MS + Math.floor(chance(state, 21) * DAY_MS),
    symbol: pick(SYMBOLS.split(' '), state, 22),
    side: chance(state, 23) < 0.5 ? 1 : -1,
    risk: style.risk * (0.5 + chance(state, 24)),
    stop: style.stop * (0.7 + 0.6 * chance(state, 25)),
    target: style.target * (0.7 + 0.8 * chance(state, 26)),
    holdMs: MINUTE_MS + Math.floor(style.holdMs * 2 * chance(state, 27)),
    informed: chance(state, 29) < skill,
    partial: chance(state, 28) < 0.15,
  };
}
