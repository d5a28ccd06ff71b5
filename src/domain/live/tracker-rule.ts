import type { DealType } from '../deal.ts';
import type { Money } from '../money.ts';
import { BrokerClockView } from './broker-clock-view.ts';
import {
  type Baseline,
  type PeriodWord,
  RELATIVE_DIGITS,
  type ResetClock,
  type TrackerDefinition,
} from './tracker-definition.ts';

const RELATIVE_SCALE = 10 ** RELATIVE_DIGITS;

/** What a tracker measures, without whose and since when: trackers of one plan share one rule. */
export type TrackerRule = {
  readonly period: PeriodWord;
  readonly baseline: Baseline;
  /** The baseline rises within a period. */
  readonly trailing: boolean;
  /** NaN without one. */
  readonly initialCapital: Money;
  readonly relativeToCapital: boolean;
  /** A trailing baseline never rises above this. */
  readonly baselineCap: Money;
  /** Infinity without one. */
  readonly absoluteDrawdown: Money;
  readonly absoluteProfit: Money;
  /** Ten-millionths; NaN without one. */
  readonly relativeDrawdown: number;
  readonly relativeProfit: number;
  readonly adjustDeals: readonly DealType[];
  /** A clock whose midnight is the rule's own reset time; undefined: the account's clock. */
  readonly resetClock: BrokerClockView | undefined;
};

/** Makes rules of definitions; equal ones are made once. Holds one entry per distinct rule. */
export class TrackerRules {
  private readonly rules = new Map<string, TrackerRule>();

  ruleOf(definition: TrackerDefinition): TrackerRule {
    const { id: _id, name: _name, startTimeMs: _start, endTimeMs: _end, ...rest } = definition;
    const key = JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
    const found = this.rules.get(key);
    if (found) return found;
    const rule = makeRule(definition);
    this.rules.set(key, rule);
    return rule;
  }
}

function makeRule(definition: TrackerDefinition): TrackerRule {
  const baseline = definition.baseline ?? 'startBalance';
  return {
    period: definition.period,
    baseline,
    trailing: baseline === 'peakEquity' || baseline === 'peakEndOfDayBalance',
    initialCapital: definition.initialCapital ?? Number.NaN,
    relativeToCapital: definition.limitBase === 'initialCapital',
    baselineCap: baselineCapOf(definition),
    absoluteDrawdown: definition.absoluteDrawdownThreshold ?? Number.POSITIVE_INFINITY,
    absoluteProfit: definition.absoluteProfitThreshold ?? Number.POSITIVE_INFINITY,
    relativeDrawdown: partsOf(definition.relativeDrawdownThreshold),
    relativeProfit: partsOf(definition.relativeProfitThreshold),
    adjustDeals: definition.adjustDeals ?? ['DEAL_TYPE_BALANCE'],
    resetClock: definition.resetClock && resetClockView(definition.resetClock),
  };
}

/** The floor is the baseline less what is allowed, so a floor that locks is a baseline that does. */
function baselineCapOf(definition: TrackerDefinition): Money {
  const { lockAt, absoluteDrawdownThreshold: absolute } = definition;
  if (lockAt === undefined) return Number.POSITIVE_INFINITY;
  const parts = partsOf(definition.relativeDrawdownThreshold);
  let cap = absolute === undefined ? Number.POSITIVE_INFINITY : lockAt + absolute;
  if (definition.limitBase === 'initialCapital' && definition.initialCapital !== undefined) {
    if (parts >= 0) cap = Math.min(cap, lockAt + portionOf(definition.initialCapital, parts));
  } else if (parts < RELATIVE_SCALE) {
    const scale = BigInt(RELATIVE_SCALE);
    cap = Math.min(cap, Number((BigInt(lockAt) * scale) / (scale - BigInt(parts))));
  }
  return cap;
}

const partsOf = (fraction: number | undefined): number =>
  fraction === undefined ? Number.NaN : Math.round(fraction * RELATIVE_SCALE);

/**
 * The whole units in `parts` ten-millionths of an amount ≥ 0, exact: an amount of whole units is
 * above the true product just when it is above this. `parts` ≤ 9e8 keeps all steps safe integers.
 */
export function portionOf(amount: Money, parts: number): Money {
  const whole = Math.floor(amount / RELATIVE_SCALE);
  const rest = amount - whole * RELATIVE_SCALE;
  return whole * parts + Math.floor((rest * parts) / RELATIVE_SCALE);
}

/** The zone's wall clock set back by the time of day: its midnight is the reset. */
function resetClockView({ zone, time }: ResetClock): BrokerClockView {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new BrokerClockView({ zone, shiftHours: -(hours + minutes / 60) });
}
