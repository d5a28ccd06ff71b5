import { type DealType, USUALLY_ADJUSTED } from '../../words/deals.ts';
import type { TargetMeasure } from '../../words/programs.ts';
import { leastPortionOf, partsOf, portionOf } from '../live/portion.ts';
import type { Money } from '../money.ts';
import type {
  Consistency,
  EnrolmentDefinition,
  Objective,
  Payout,
  Rule,
  Size,
} from './program-definition.ts';

/** The terms of an enrolment other than its trackers, in a form ready for comparison. */
export type PhaseTerms = {
  readonly initialBalance: Money;
  readonly adjustDeals: readonly DealType[];
  /** Days until the phase is over; Infinity without a limit. Likewise for days without a trade. */
  readonly limitDays: number;
  readonly idleDays: number;
  readonly targets: readonly { least: Money; by: TargetMeasure }[];
  readonly tradingDays: number;
  /** A deal that only closes a position does not make a trading day. */
  readonly onlyOpened: boolean;
  readonly profitableDays: number;
  /** The least result of a profitable day. */
  readonly profitableFrom: Money;
  readonly consistency: readonly Consistency[];
  readonly payout: Payout | undefined;
  /** Whether there are objectives, and they are not those of payouts. */
  readonly canPass: boolean;
};

export function termsOf({ phase, initialBalance }: EnrolmentDefinition): PhaseTerms {
  const rules = <K extends Rule['kind']>(kind: K) => ofKind<Rule, K>(phase.rules, kind);
  const objectives = <K extends Objective['kind']>(kind: K) =>
    ofKind<Objective, K>(phase.objectives, kind);
  const [tradingDays] = objectives('tradingDays');
  const [profitableDays] = objectives('profitableDays');
  return {
    initialBalance,
    adjustDeals: phase.adjustDeals ?? USUALLY_ADJUSTED,
    limitDays: rules('timeLimit')[0]?.days ?? Number.POSITIVE_INFINITY,
    idleDays: rules('inactivity')[0]?.days ?? Number.POSITIVE_INFINITY,
    targets: objectives('profitTarget').map((target) => ({
      least: leastOf(target, initialBalance),
      by: target.by ?? 'balance',
    })),
    tradingDays: tradingDays?.days ?? 0,
    onlyOpened: tradingDays?.count !== 'traded',
    profitableDays: profitableDays?.days ?? 0,
    profitableFrom: profitableDays ? leastOf(profitableDays, initialBalance) : 0,
    consistency: objectives('consistency'),
    payout: phase.payout,
    canPass: phase.objectives.length > 0 && !phase.payout,
  };
}

/** The most that the best day may make; below zero if the whole is not positive. */
export function bestDayLimit(rule: Consistency, whole: Money): Money {
  return whole > 0 ? portionOf(whole, partsOf(rule.share), rule.inclusive ? 1 : 0) : -1;
}

/** The least amount that meets a size. */
export const leastOf = ({ share, amount }: Size, base: Money): Money =>
  amount ?? leastPortionOf(base, partsOf(share));

const ofKind = <T extends { kind: string }, K extends T['kind']>(
  all: readonly T[],
  kind: K,
): Extract<T, { kind: K }>[] =>
  all.filter((one): one is Extract<T, { kind: K }> => one.kind === kind);
