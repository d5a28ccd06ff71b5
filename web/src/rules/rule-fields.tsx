import type { ReactElement } from 'react';
import { ADJUSTABLE_DEALS } from '../../../src/words/deals.ts';
import { PERIODS } from '../../../src/words/periods.ts';
import { BASELINES } from '../../../src/words/trackers.ts';
import { Check } from '../components/check.tsx';
import { optionsOf } from '../components/choice-field.tsx';
import type { FieldTable, NumberRow, TextRow } from '../components/field-table.ts';
import { formatMoney, formatNumber, formatRulePercent } from '../lib/format.ts';
import { USUAL_ZONES } from '../lib/zones.ts';
import {
  type ActionForm,
  isTrailing,
  type NumberName,
  needsCapital,
  type RuleForm,
  rulesOf,
  SETTLE,
} from './rule-form.ts';
import { usualSettleSeconds } from './rule-words.ts';

const PARAMETERS: Partial<Record<NumberName, string>> = {
  drawdownPercent: 'relativeDrawdownThreshold',
  drawdownMoney: 'absoluteDrawdownThreshold',
  profitPercent: 'relativeProfitThreshold',
  profitMoney: 'absoluteProfitThreshold',
  warnPercent: 'warnAt',
};

/** Every field of a rule; rarely used ones are folded away. */
export function ruleFields(props: {
  form: RuleForm;
  currency: string;
  change: (changes: Partial<RuleForm>) => void;
  /** What is done at the breach. */
  actions: ReactElement;
  /** Start and end are each account's own. */
  isForMany?: boolean;
}): FieldTable<RuleForm> {
  const { form, currency, change, isForMany = false } = props;
  const amount = (name: NumberName, label: string, hint?: string): NumberRow<NumberName> => ({
    name,
    label,
    hint,
    parameter: PARAMETERS[name] ?? name,
    rules: rulesOf(name, currency),
    words: (value) =>
      name.endsWith('Percent') ? formatRulePercent(value / 100) : formatMoney(value, currency),
  });
  const isPeak = isTrailing(form);
  const hasCapital = needsCapital(form);
  return [
    { name: 'period', label: 'Period', options: optionsOf(PERIODS) },
    { name: 'baseline', label: 'Measured from', options: optionsOf(BASELINES) },
    amount('drawdownPercent', 'Largest loss, %'),
    amount('drawdownMoney', `Largest loss, ${currency}`),
    amount('profitPercent', 'Profit target, %'),
    amount('profitMoney', `Profit target, ${currency}`),
    amount('warnPercent', 'Warn at, % of the loss limit', 'Empty: no warning'),
    (hasCapital || isPeak || form.initialCapital !== '') &&
      amount(
        'initialCapital',
        `Initial capital, ${currency}`,
        isPeak && !hasCapital
          ? 'The peak starts no lower than this; empty: at the balance'
          : undefined,
      ),
    isPeak && amount('lockAt', `Floor locks at, ${currency}`, 'Empty: it always follows'),
    { name: 'isStatisticsOnly', box: 'Statistics only: measure, report nothing' },
    {
      summary: 'What counts',
      fields: [
        { name: 'adjustDeals', legend: 'No profit or loss', boxes: optionsOf(ADJUSTABLE_DEALS) },
        { name: 'inclusive', box: 'Reaching the limit exactly is enough' },
        <Check
          key="base"
          isOn={form.limitBase === 'initialCapital'}
          set={(isOn) => change({ limitBase: isOn ? 'initialCapital' : 'baseline' })}
        >
          Percentages are of the initial capital
        </Check>,
        settleField(form),
      ],
    },
    {
      summary: isForMany ? 'End of day' : 'Start, end and end of day',
      fields: [...(isForMany ? [] : LIFE), ...DAY_END],
    },
    props.actions,
  ];
}

const LIFE: TextRow<'startBrokerTime' | 'endBrokerTime'>[] = [
  {
    name: 'startBrokerTime',
    label: 'Starts at (broker time)',
    hint: 'Empty: now. A past start is filled from history.',
    type: 'datetime-local',
  },
  {
    name: 'endBrokerTime',
    label: 'Ends at (broker time)',
    hint: 'Empty: never',
    type: 'datetime-local',
  },
];

/** When days end. */
export const DAY_END: TextRow<'resetTime' | 'resetZone'>[] = [
  {
    name: 'resetTime',
    label: 'Days end at',
    parameter: 'resetClock.time',
    hint: 'Empty: midnight of the account’s clock',
    type: 'time',
  },
  {
    name: 'resetZone',
    label: 'In the zone',
    parameter: 'resetClock.zone',
    hint: 'Such as Europe/Prague',
    suggestions: USUAL_ZONES,
  },
];

/** How long a breach waits for deals that may explain it as a transfer. */
export function settleField({ actions }: Pick<ActionForm, 'actions'>): NumberRow<'settleSeconds'> {
  const usual = usualSettleSeconds(actions);
  const empty = usual > 0 ? `${usual} s, as actions cannot be taken back` : 'none';
  return {
    name: 'settleSeconds',
    label: 'Wait for deals, seconds',
    rules: SETTLE,
    words: (value) => `${formatNumber(value, 3)} s`,
    hint: `Empty: ${empty}. A breach that would be none if unexplained money was a transfer waits so long for its deal.`,
  };
}
