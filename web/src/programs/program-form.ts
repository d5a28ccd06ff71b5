import type {
  NewProgram,
  PayoutTermsRecord,
  ProgramObjectiveRecord,
  ProgramRuleRecord,
} from '../../../src/contract/operations/programs.ts';
import { type AdjustableDealType, USUALLY_ADJUSTED } from '../../../src/words/deals.ts';
import type {
  ConsistencyWhole,
  DayStart,
  ForbiddenAct,
  LossVerdict,
  MeasuredFigure,
  ObjectiveKind,
  OpenScope,
  PayoutFloor,
  RuleKind,
  ShareBase,
  TargetMeasure,
  TradingDayCount,
  Trail,
} from '../../../src/words/programs.ts';
import { formatNumber } from '../lib/format.ts';
import { type ActionForm, actionFormOf } from '../rules/rule-form.ts';

/** A rule or objective as typed. Texts; percentages, not fractions. */
export type LineForm = ActionForm & {
  /** Only in this form: identifies a line when others come and go. */
  key: string;
  kind: RuleKind | ObjectiveKind;
  unit: 'share' | 'amount';
  size: string;
  days: string;
  warnPercent: string;
  lockAbove: string;
  settleSeconds: string;
  inclusive: boolean;
  recordOnly: boolean;
  failsAt: string;
  splitOnBreach: string;
  onPayout: PayoutFloor;
  from: DayStart;
  measured: MeasuredFigure;
  judged: LossVerdict;
  trails: Trail | 'none';
  shareOf: ShareBase;
  by: TargetMeasure;
  count: TradingDayCount;
  of: ConsistencyWhole;
  /** Names of symbols, with commas between them. */
  only: string;
  excluded: string;
  counted: 'lots' | 'positions';
  most: string;
  per: OpenScope;
  starts: string;
  ends: string;
  forbids: ForbiddenAct;
  seconds: string;
  /** Properties without a field here: they stay unchanged. */
  kept: object;
};

/** The terms of payouts as typed; they count if the account is funded. */
export type PayoutForm = {
  isFunded: boolean;
  payoutDays: string;
  firstDays: string;
  sharePercent: string;
  buffer: string;
  minimum: string;
  /** Amounts, with semicolons between them. */
  caps: string;
  splitPercent: string;
  payoutKept: object;
};

export type PhaseForm = PayoutForm &
  ActionForm & {
    key: string;
    name: string;
    resetZone: string;
    resetTime: string;
    adjustDeals: AdjustableDealType[];
    rules: LineForm[];
    objectives: LineForm[];
    kept: object;
  };

export type ProgramForm = { name: string; phases: PhaseForm[] };

const PERCENT_DIGITS = 5;
const percent = (share: number | undefined): string =>
  share === undefined ? '' : formatNumber(share * 100, PERCENT_DIGITS);
const plain = (value: number | undefined): string =>
  value === undefined ? '' : formatNumber(value, 8);

const newKey = (): string => crypto.randomUUID();

const SIZES: Partial<Record<LineForm['kind'], string>> = {
  ...{ dailyLoss: '5', maximumLoss: '10', profitTarget: '10', profitableDays: '0.5' },
  consistency: '50',
  openLoss: '2',
};
const DAYS: Partial<Record<LineForm['kind'], string>> = {
  ...{ timeLimit: '30', inactivity: '30', tradingDays: '4', profitableDays: '3' },
};

/** A line of a kind with typical figures. */
export const newLine = (kind: LineForm['kind']): LineForm => ({
  key: newKey(),
  kind,
  unit: 'share',
  size: SIZES[kind] ?? '',
  days: DAYS[kind] ?? '',
  warnPercent: '',
  lockAbove: '',
  settleSeconds: '',
  inclusive: false,
  recordOnly: false,
  failsAt: '',
  splitOnBreach: '',
  onPayout: 'follows',
  from: 'balance',
  measured: 'equity',
  judged: 'always',
  trails: 'none',
  shareOf: 'initialBalance',
  by: 'balance',
  count: 'opened',
  of: 'profit',
  only: '',
  excluded: '',
  counted: 'lots',
  most: '',
  per: 'account',
  starts: 'FRI 22:00',
  ends: 'SUN 23:00',
  forbids: 'holding',
  seconds: '60',
  kept: {},
  actions: [],
  dryRuns: [],
  confirmations: {},
  moments: {},
  actionGroup: '',
});

export const START: ProgramForm = {
  name: '',
  phases: [
    {
      key: newKey(),
      name: 'Challenge',
      resetZone: '',
      resetTime: '',
      adjustDeals: [...USUALLY_ADJUSTED],
      ...payoutForm(undefined),
      ...actionFormOf([]),
      rules: [newLine('dailyLoss'), newLine('maximumLoss')],
      objectives: [newLine('profitTarget')],
      kept: {},
    },
  ],
};

const nextPhase = (last: PhaseForm): PhaseForm => ({
  ...last,
  key: newKey(),
  name: '',
  rules: last.rules.map((line) => ({ ...line, key: newKey() })),
  objectives: last.objectives.map((line) => ({ ...line, key: newKey() })),
});

export const changePhase = (
  form: ProgramForm,
  key: string,
  changes: Partial<PhaseForm>,
): ProgramForm => ({
  ...form,
  phases: form.phases.map((phase) => (phase.key === key ? { ...phase, ...changes } : phase)),
});

export const removePhase = (form: ProgramForm, key: string): ProgramForm => ({
  ...form,
  phases: form.phases.filter((phase) => phase.key !== key),
});

/** With one more phase, which begins as a copy of the last. */
export function addPhase(form: ProgramForm): ProgramForm {
  const last = form.phases.at(-1);
  return last ? { ...form, phases: [...form.phases, nextPhase(last)] } : form;
}

/** The form of a program. */
export const formOf = ({ name, phases }: NewProgram): ProgramForm => ({
  name,
  phases: phases.map(
    ({
      name: phaseName,
      rules,
      objectives,
      resetClock,
      adjustDeals,
      payout,
      actions,
      ...kept
    }) => ({
      kept,
      ...payoutForm(payout),
      ...actionFormOf(actions ?? []),
      key: newKey(),
      name: phaseName,
      resetZone: resetClock?.zone ?? '',
      resetTime: resetClock?.time ?? '',
      adjustDeals: adjustDeals ?? [...USUALLY_ADJUSTED],
      rules: rules.map(ruleLine),
      objectives: objectives.map(objectiveLine),
    }),
  ),
});

function payoutForm(payout: PayoutTermsRecord | undefined): PayoutForm {
  const { days, firstDays, share, buffer, minimum, caps = [], split, ...kept } = payout ?? {};
  return {
    isFunded: payout !== undefined,
    payoutDays: plain(days),
    firstDays: plain(firstDays),
    sharePercent: percent(share),
    buffer: plain(buffer),
    minimum: plain(minimum),
    caps: caps.map(plain).join('; '),
    splitPercent: percent(split),
    payoutKept: kept,
  };
}

type Size = Record<'share' | 'amount' | 'days', number | undefined>;

const sizeOf = ({ share, amount, days }: Size) =>
  ({
    unit: amount === undefined ? 'share' : 'amount',
    size: amount === undefined ? percent(share) : plain(amount),
    days: plain(days),
  }) as const;

function ruleLine(rule: ProgramRuleRecord): LineForm {
  const { kind, share, amount, days, inclusive, warnAt, settleSeconds, ...others } = rule;
  const { from, trails, shareOf, lockAbove, onBreach, failsAt, onPayout, ...left } = others;
  const { measured, judged, splitOnBreach, actions = [], only = [], excluded = [], ...more } = left;
  const { lots, positions, per, starts, ends, forbids, seconds, ...kept } = more;
  const start = newLine(kind);
  return {
    ...start,
    ...sizeOf({ share, amount, days }),
    warnPercent: percent(warnAt),
    lockAbove: plain(lockAbove),
    settleSeconds: plain(settleSeconds),
    inclusive: inclusive ?? false,
    recordOnly: onBreach === 'record',
    failsAt: plain(failsAt),
    splitOnBreach: percent(splitOnBreach),
    onPayout: onPayout ?? start.onPayout,
    from: from ?? start.from,
    measured: measured ?? start.measured,
    judged: judged ?? start.judged,
    trails: trails ?? start.trails,
    shareOf: shareOf ?? start.shareOf,
    only: only.join(', '),
    excluded: excluded.join(', '),
    counted: positions === undefined ? 'lots' : 'positions',
    most: plain(lots ?? positions),
    per: per ?? start.per,
    starts: starts ?? start.starts,
    ends: ends ?? start.ends,
    forbids: forbids ?? start.forbids,
    seconds: seconds === undefined ? start.seconds : plain(seconds),
    ...actionFormOf(actions),
    kept,
  };
}

function objectiveLine(objective: ProgramObjectiveRecord): LineForm {
  const { kind, share, amount, days, inclusive, by, count, of, ...kept } = objective;
  const start = newLine(kind);
  return {
    ...start,
    ...sizeOf({ share, amount, days }),
    inclusive: inclusive ?? false,
    by: by ?? start.by,
    count: count ?? start.count,
    of: of ?? start.of,
    kept,
  };
}
