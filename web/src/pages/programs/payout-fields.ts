import type { FieldRow, FieldTable } from '../../components/field-table.ts';
import { countOf, formatNumber } from '../../lib/format.ts';
import type { PhaseForm } from '../../programs/program-form.ts';
import { AMOUNT, DAYS, LOCK, PERCENT } from '../../programs/read-program.ts';

const percent = (value: number): string => `${formatNumber(value, 5)} %`;
const amount = (value: number): string =>
  `${formatNumber(value, 8)} in the currency of the account`;
const days = (value: number): string => countOf(value, 'day');

const TERMS: readonly FieldRow<PhaseForm>[] = [
  {
    name: 'payoutDays',
    label: 'Days between payouts',
    rules: DAYS,
    words: days,
    hint: 'Empty: at any time',
  },
  {
    name: 'firstDays',
    label: 'Days until the first payout',
    rules: DAYS,
    words: days,
    hint: 'Empty: as many as between payouts',
  },
  {
    name: 'sharePercent',
    label: 'May be withdrawn, % of the profit',
    rules: PERCENT,
    words: percent,
    hint: 'Empty: all',
  },
  {
    name: 'buffer',
    label: 'Profit that must stay',
    rules: LOCK,
    words: amount,
    hint: 'Empty: none',
  },
  {
    name: 'minimum',
    label: 'Least payout',
    rules: AMOUNT,
    words: amount,
    hint: 'Empty: any',
  },
  {
    name: 'caps',
    label: 'Most of a payout',
    placeholder: 'Such as 1500; 2000',
    hint: 'Of the first payout; the second; … The last amount is that of all others. Empty: no cap',
  },
  {
    name: 'splitPercent',
    label: 'The trader’s part, %',
    rules: PERCENT,
    words: percent,
    hint: 'Empty: all',
  },
];

/** The terms of payouts of a phase, if it is that of a funded account. */
export const payoutFields = ({ isFunded }: PhaseForm): FieldTable<PhaseForm> => [
  {
    name: 'isFunded',
    box: 'Funded account: profit may be withdrawn, the objectives are those of each payout',
  },
  ...(isFunded ? TERMS : []),
];
