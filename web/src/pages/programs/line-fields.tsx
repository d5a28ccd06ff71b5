import {
  CONSISTENCY_WHOLES,
  DAY_STARTS,
  LOSS_VERDICTS,
  PAYOUT_FLOORS,
  SHARE_BASES,
  TARGET_MEASURES,
} from '../../../../src/words/programs.ts';
import { optionsOf } from '../../components/choice-field.tsx';
import type { FieldRow, FieldTable, NumberRow } from '../../components/field-table.ts';
import { Fields, type Typed } from '../../components/fields.tsx';
import { countOf, formatNumber } from '../../lib/format.ts';
import type { LineForm } from '../../programs/program-form.ts';
import { FLOORS } from '../../programs/program-words.ts';
import { isOverDeals, warnsOfDeals } from '../../programs/read-deal-rule.ts';
import {
  BREACHES,
  counts,
  DAYS,
  fromBalance,
  hasDays,
  hasSize,
  isLoss,
  isShare,
  LOCK,
  PERCENT,
  sizeRules,
  WARN_PERCENT,
} from '../../programs/read-program.ts';
import { ActionFields } from '../../rules/action-fields.tsx';
import { settleField } from '../../rules/rule-fields.tsx';
import { dealRuleFields } from './deal-rule-fields.ts';

const SHARES = optionsOf(SHARE_BASES);

const percent = (value: number): string => `${formatNumber(value, 5)} %`;
const amount = (value: number): string =>
  `${formatNumber(value, 8)} in the currency of the account`;

/** The fields of a rule or objective: only those that its kind has. */
export function LineFields({
  form: line,
  change,
  isFunded,
}: Typed<LineForm> & { isFunded: boolean }) {
  const { kind } = line;
  const isRule = isLoss(line) || isOverDeals(line) || kind === 'timeLimit' || kind === 'inactivity';
  const table: FieldTable<LineForm> = [
    hasDays(line) && DAYS_FIELD,
    hasSize(line) && kind !== 'consistency' && UNIT_FIELD,
    hasSize(line) && {
      name: 'size',
      label: isShare(line) ? 'Share, %' : 'Amount',
      required: true,
      rules: sizeRules(line),
      words: isShare(line) ? percent : amount,
    },
    ...(isLoss(line) ? lossFields(line) : []),
    ...dealRuleFields(line),
    warnsOfDeals(line) && WARN_FIELD,
    isFunded && kind === 'maximumLoss' && PAYOUT_FIELD,
    counts(line) && (isOverDeals(line) ? { ...COUNT_FIELD, words: breaches } : COUNT_FIELD),
    isFunded && isLoss(line) && line.recordOnly && SPLIT_FIELD,
    kind === 'profitTarget' && {
      name: 'by',
      label: 'Measured by',
      options: optionsOf(TARGET_MEASURES),
    },
    kind === 'tradingDays' && { name: 'count', label: 'Days on which', options: COUNTS },
    kind === 'consistency' && { name: 'of', label: 'Of', options: optionsOf(CONSISTENCY_WHOLES) },
    (isLoss(line) || kind === 'consistency' || kind === 'openLoss') && {
      name: 'inclusive',
      box: 'Reaching it exactly is too much',
    },
    (isLoss(line) || isOverDeals(line)) && {
      name: 'recordOnly',
      box: 'A breach is only recorded, and does not fail the phase',
    },
    isRule && <ActionFields form={line} change={change} />,
  ];
  return <Fields form={line} change={change} table={table} />;
}

const WARN_FIELD: FieldRow<LineForm> = {
  name: 'warnPercent',
  label: 'Warn at, % of the limit',
  rules: WARN_PERCENT,
  words: percent,
  hint: 'Empty: no warning',
};
const PAYOUT_FIELD: FieldRow<LineForm> = {
  name: 'onPayout',
  label: 'With a payout the floor',
  options: optionsOf(PAYOUT_FLOORS),
};
const MEASURES = optionsOf({
  equity: 'the equity, with open trades',
  balance: 'the balance, of closed trades only',
});
const COUNT_FIELD: NumberRow<'failsAt'> = {
  name: 'failsAt',
  label: 'Fails at breach number',
  rules: BREACHES,
  words: (value) => `${formatNumber(value, 0)} breaches, one a day`,
  hint: 'Empty: no number of recorded breaches fails the phase',
};
const breaches = (value: number): string => `${formatNumber(value, 0)} breaches`;
const SPLIT_FIELD: NumberRow<'splitOnBreach'> = {
  name: 'splitOnBreach',
  label: 'Then the trader’s part, %',
  rules: PERCENT,
  words: percent,
  hint: 'Of payouts, from the first breach on. Empty: as without one',
};
const COUNTS = optionsOf({ opened: 'a position was opened', traded: 'there was any trade' });
const DAYS_FIELD: NumberRow<'days'> = {
  name: 'days',
  label: 'Days',
  required: true,
  rules: DAYS,
  words: (value) => countOf(value, 'day'),
};
const UNIT_FIELD: FieldRow<LineForm> = {
  name: 'unit',
  label: 'Given as',
  options: optionsOf({ share: 'a share', amount: 'an amount' }),
  write: (unit) => ({ unit, size: '' }),
};

function lossFields(line: LineForm): readonly (FieldRow<LineForm> | false)[] {
  const isDaily = line.kind === 'dailyLoss';
  const isTrailing = !isDaily && line.trails !== 'none';
  const other = isDaily ? 'dayStart' : 'peak';
  return [
    isDaily
      ? { name: 'from', label: 'Below', options: optionsOf(DAY_STARTS) }
      : {
          name: 'trails',
          label: 'Below',
          options: optionsOf(FLOORS),
          write: (trails) => ({ trails, shareOf: 'initialBalance' }),
        },
    fromBalance(line) && { name: 'measured', label: 'Loss of', options: MEASURES },
    isDaily && { name: 'judged', label: 'Judged', options: optionsOf(LOSS_VERDICTS) },
    isShare(line) &&
      (isDaily || isTrailing) && {
        name: 'shareOf',
        label: 'A share of',
        options: SHARES.filter(({ value }) => value === 'initialBalance' || value === other),
      },
    isTrailing && {
      name: 'lockAbove',
      label: 'Floor locks at the initial balance and',
      rules: LOCK,
      words: amount,
      hint: '0 locks at the initial balance; empty: it always follows',
    },
    WARN_FIELD,
    settleField(line),
  ];
}
