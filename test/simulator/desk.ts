import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { Random } from '../simulation/random.ts';
import type { Habits } from './habits.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;
/** The market lives in the past and faster than the world: hours and days end within a run. */
const MARKET_START_MS = Date.UTC(2026, 9, 1, 9);
/** A slow one only a day in the past: minutes are made of what is recent. */
const RECENT_START_MS = Date.UTC(2026, 10, 1);
const SLOW = 600;

export type WireRow = {
  accountId: string;
  brokerTime: string;
  balance: number;
  equity: number;
  deals?: WireDeal[];
};
export type WireDeal = {
  id: string;
  type: string;
  brokerTime: string;
  profit: number;
  positionId?: string;
  entry?: string;
  symbol?: string;
  volume?: number;
  price?: number;
};

/** A sent row: its time identifies it, as no two rows of an account have the same. */
export type SentRow = { accountId: string; timeMs: number };

/** Invents the events of a user's accounts. */
export class Desk {
  readonly #world: World;
  readonly #userId: string;
  readonly #speed: number;
  readonly #startMs: number;
  readonly #swing: number;
  readonly #states = new Map<string, { timeMs: number; cents: number; equity: number }>();
  readonly #used = new Set<string>();
  readonly #deals: { accountId: string; deal: WireDeal }[] = [];
  readonly #trades: boolean;

  constructor(world: World, userId: string, { speed, swing, enrolments }: Habits) {
    this.#trades = enrolments > 0;
    this.#world = world;
    this.#userId = userId;
    this.#speed = speed;
    this.#startMs = speed <= SLOW ? RECENT_START_MS : MARKET_START_MS;
    this.#swing = swing;
  }

  /** Broker time of the market now. */
  get marketMs(): number {
    return this.#startMs + Math.floor(this.#world.nowMs * this.#speed);
  }

  rows(
    accountIds: readonly string[],
    count: number,
    dealChance: number,
  ): { wire: WireRow[]; sent: SentRow[]; deals: { accountId: string; id: string }[] } {
    const wire: WireRow[] = [];
    const sent: SentRow[] = [];
    const deals: { accountId: string; id: string }[] = [];
    const { random } = this.#world;
    for (let index = 0; index < count; index += 1) {
      const accountId = random.pick(accountIds);
      const state = this.#stateOf(accountId);
      const timeMs = this.#timeOf(accountId, state);
      const row: WireRow = {
        accountId,
        brokerTime: formatBrokerTime(timeMs),
        ...walk(state, random, this.#swing),
      };
      if (random.chance(dealChance)) {
        const deal = this.deal(accountId, timeMs);
        state.cents += Math.round(deal.profit * 100);
        row.deals = [deal];
        deals.push({ accountId, id: deal.id });
      }
      wire.push(row);
      sent.push({ accountId, timeMs });
    }
    return { wire, sent, deals };
  }

  /** A new deal, or sometimes an earlier one. */
  deal(accountId: string, aroundMs = this.marketMs): WireDeal {
    const { random } = this.#world;
    const own = this.#deals.filter((known) => known.accountId === accountId);
    if (own.length > 0 && random.chance(0.3)) return random.pick(own).deal;
    const deal = {
      id: `${this.#userId}-${this.#deals.length}`,
      type: random.chance(0.7) ? 'DEAL_TYPE_BALANCE' : 'DEAL_TYPE_CREDIT',
      brokerTime: formatBrokerTime(
        aroundMs - random.between(0, random.chance(0.1) ? HOUR_MS : 900),
      ),
      profit: random.between(-40_000, 60_000) / 100,
    };
    const made = this.#trades && random.chance(0.7) ? traded(deal, random) : deal;
    this.#deals.push({ accountId, deal: made });
    return made;
  }

  balanceOf(accountId: string): number {
    return this.#stateOf(accountId).cents / 100;
  }

  #stateOf(accountId: string) {
    const known = this.#states.get(accountId);
    if (known) return known;
    const state = { timeMs: 0, cents: 1_000_000, equity: 1_000_000 };
    this.#states.set(accountId, state);
    return state;
  }

  #timeOf(accountId: string, state: { timeMs: number }): number {
    const { random } = this.#world;
    for (;;) {
      const isLate = random.chance(0.05);
      const ms = isLate
        ? this.marketMs - random.between(0, 5 * HOUR_MS)
        : Math.max(this.marketMs, state.timeMs + 1);
      const key = `${accountId} ${ms}`;
      if (this.#used.has(key)) {
        state.timeMs += 1;
        continue;
      }
      this.#used.add(key);
      if (!isLate) state.timeMs = ms;
      return ms;
    }
  }
}

/** Opens or closes one of few positions, now and then by a clock of whole seconds. */
function traded(deal: WireDeal, random: Random): WireDeal {
  const [isLong, opens] = [random.chance(0.5), random.chance(0.6)];
  const second = `${deal.brokerTime.slice(0, 19)}.000`;
  return {
    ...deal,
    ...{ type: isLong === opens ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL', price: 1.1 },
    ...{ symbol: isLong ? 'EURUSD' : 'XAUUSD', positionId: `${random.between(1, 9)}` },
    ...{ entry: opens ? 'DEAL_ENTRY_IN' : 'DEAL_ENTRY_OUT', volume: random.between(1, 9) / 10 },
    brokerTime: random.chance(0.3) ? second : deal.brokerTime,
  };
}

function walk(
  state: { cents: number; equity: number },
  random: Random,
  swing: number,
): { balance: number; equity: number } {
  const step = swing * (random.chance(0.1) ? 60_000 : 6000);
  state.equity += random.between(-step, step);
  // Back to the beginning, so that limits are broken repeatedly.
  if (random.chance(0.02)) state.equity = state.cents;
  if (random.chance(0.1)) state.cents = state.equity;
  return { balance: state.cents / 100, equity: state.equity / 100 };
}
