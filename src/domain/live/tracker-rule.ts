import { type DealType, USUALLY_ADJUSTED } from '../../words/deals.ts';
import type { PeriodWord } from '../../words/periods.ts';
import type { PayoutFloor } from '../../words/programs.ts';
import { BASELINES, type Baseline } from '../../words/trackers.ts';
import type { Money } from '../money.ts';
import { RecentMap } from '../recent-map.ts';
import type { BrokerClockView } from './broker-clock-view.ts';
import type { ClockViews } from './clock-views.ts';
import { partsOf, portionOf, RELATIVE_SCALE } from './portion.ts';
import { SETTLE_SECONDS_BEFORE_ACTIONS, type TrackerDefinition } from './tracker-definition.ts';

/** The rule of a tracker, without account and start: trackers of one plan share one rule. */
export type TrackerRule = {
  readonly period: PeriodWord;
  readonly baseline: Baseline;
  /** The baseline rises within a period. */
  readonly trailing: boolean;
  /** NaN without one. */
  readonly initialCapital: Money;
  /** The baseline is the initial capital, or a lifetime's peak that begins no lower than it. */
  readonly startsAtCapital: boolean;
  readonly relativeToCapital: boolean;
  /** A trailing baseline never rises above this. */
  readonly baselineCap: Money;
  /** Infinity without one. */
  readonly absoluteDrawdown: Money;
  readonly absoluteProfit: Money;
  /** Ten-millionths; NaN without one. */
  readonly relativeDrawdown: number;
  readonly relativeProfit: number;
  /** The part of the drawdown limit that gives a warning, in ten-millionths; NaN for never. */
  readonly warnAt: number;
  /** How far below a limit an amount must stay so as not to exceed it: 1 unit if inclusive. */
  readonly unitsBelow: 0 | 1;
  readonly adjustDeals: readonly DealType[];
  readonly onPayout: PayoutFloor;
  /** Only closed trades count: the open result is taken out of the equity. */
  readonly ofBalance: boolean;
  /** Only the last reading of a period breaks the limit. */
  readonly judgedAtEnd: boolean;
  /** How long a breach waits for an explanation of its money. */
  readonly settleMs: number;
  /** A clock whose midnight is the rule's own reset time; undefined: the account's clock. */
  readonly resetClock: BrokerClockView | undefined;
};

/** How many rules are shared; trackers keep one that was forgotten. */
export const MAX_RULES = 1000;

/** Makes rules from definitions; equal definitions, such as all of one plan, share one rule. */
export class TrackerRules {
  readonly clocks: ClockViews;
  readonly #known = new RecentMap<string, TrackerRule>(MAX_RULES);

  constructor(clocks: ClockViews) {
    this.clocks = clocks;
  }

  ruleOf(definition: TrackerDefinition): TrackerRule {
    const { id, name, actions, startTimeMs, endTimeMs, settleSeconds, ...measured } = definition;
    const key = JSON.stringify([settleMsOf(definition), measured]);
    const found = this.#known.get(key);
    if (found) return found;
    const { resetClock } = definition;
    const rule = makeRule(definition, resetClock && this.clocks.resetViewOf(resetClock));
    this.#known.set(key, rule);
    return rule;
  }
}

function makeRule(
  definition: TrackerDefinition,
  resetClock: BrokerClockView | undefined,
): TrackerRule {
  const baseline = definition.baseline ?? 'startBalance';
  const trailing = BASELINES[baseline].trails;
  const hasCapital = definition.initialCapital !== undefined;
  const trailsFromCapital = trailing && definition.period === 'lifetime';
  return {
    period: definition.period,
    baseline,
    trailing,
    initialCapital: definition.initialCapital ?? Number.NaN,
    startsAtCapital: hasCapital && (baseline === 'initialCapital' || trailsFromCapital),
    relativeToCapital: definition.limitBase === 'initialCapital',
    baselineCap: baselineCapOf(definition),
    absoluteDrawdown: definition.absoluteDrawdownThreshold ?? Number.POSITIVE_INFINITY,
    absoluteProfit: definition.absoluteProfitThreshold ?? Number.POSITIVE_INFINITY,
    relativeDrawdown: partsOf(definition.relativeDrawdownThreshold),
    relativeProfit: partsOf(definition.relativeProfitThreshold),
    warnAt: partsOf(definition.warnAt),
    unitsBelow: definition.inclusive ? 1 : 0,
    adjustDeals: definition.adjustDeals ?? USUALLY_ADJUSTED,
    onPayout: definition.onPayout ?? 'follows',
    ofBalance: definition.measures === 'balance',
    judgedAtEnd: definition.judgedAtEnd ?? false,
    settleMs: settleMsOf(definition),
    resetClock,
  };
}

function settleMsOf({ settleSeconds, actions = [], judgedAtEnd }: TrackerDefinition): number {
  if (judgedAtEnd) return 0;
  const seconds = settleSeconds ?? (actions.length > 0 ? SETTLE_SECONDS_BEFORE_ACTIONS : 0);
  return Math.round(seconds * 1000);
}

/** The highest baseline whose floor (the baseline less the limit) is not above `lockAt`. */
function baselineCapOf(definition: TrackerDefinition): Money {
  const { lockAt, absoluteDrawdownThreshold: absolute, initialCapital } = definition;
  if (lockAt === undefined) return Number.POSITIVE_INFINITY;
  const unitsBelow = definition.inclusive ? 1 : 0;
  const parts = partsOf(definition.relativeDrawdownThreshold);
  let cap = absolute === undefined ? Number.POSITIVE_INFINITY : lockAt + absolute;
  if (definition.limitBase === 'initialCapital' && initialCapital !== undefined) {
    const limit = portionOf(initialCapital, parts, unitsBelow) + unitsBelow;
    if (parts >= 0) cap = Math.min(cap, lockAt + limit);
  } else if (parts < RELATIVE_SCALE) {
    const scale = BigInt(RELATIVE_SCALE);
    const below = BigInt(unitsBelow);
    // The floor in whole units is baseline × (1 − parts), rounded up or, if inclusive, down.
    const highest = ((BigInt(lockAt) + below) * scale - below) / (scale - BigInt(parts));
    cap = Math.min(cap, Number(highest));
  }
  return cap;
}

/** The tighter of two thresholds: the most whole units that exceed neither. */
export function allowedBy(
  { unitsBelow }: TrackerRule,
  relativeBase: Money,
  absolute: Money,
  relative: number,
): Money {
  const allowed = absolute - unitsBelow;
  if (Number.isNaN(relative) || !(relativeBase > 0)) return allowed;
  return Math.min(allowed, portionOf(relativeBase, relative, unitsBelow));
}

/** The largest drawdown that does not warn, given the allowed one; Infinity without warnings. */
export function quietUpTo({ unitsBelow, warnAt }: TrackerRule, allowed: Money): Money {
  const limit = Math.max(0, allowed + unitsBelow);
  return Number.isNaN(warnAt) || !Number.isFinite(limit)
    ? Number.POSITIVE_INFINITY
    : portionOf(limit, warnAt, 1);
}
