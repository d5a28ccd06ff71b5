import {
  CONSISTENCY_WHOLES,
  DAY_STARTS,
  SHARE_BASES,
  TARGET_MEASURES,
} from '../../../../src/words/programs.ts';
import { Check } from '../../components/check.tsx';
import { ChoiceField, optionsOf } from '../../components/choice-field.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { LineForm } from '../../programs/program-form.ts';
import { FLOORS } from '../../programs/program-words.ts';
import {
  DAYS,
  hasDays,
  hasSize,
  isLoss,
  isShare,
  LOCK,
  sizeRules,
  WARN_PERCENT,
} from '../../programs/read-program.ts';
import { ActionFields } from '../../rules/action-fields.tsx';
import { SettleField } from '../../rules/settle-field.tsx';

type Props = {
  line: LineForm;
  change: (changes: Partial<LineForm>) => void;
};

const UNITS = optionsOf({ share: 'a share', amount: 'an amount' });
const TARGETS = optionsOf(TARGET_MEASURES);
const COUNTS = optionsOf({
  opened: 'a position was opened',
  traded: 'there was any trade',
});
const CONSISTENCIES = optionsOf(CONSISTENCY_WHOLES);
const STARTS = optionsOf(DAY_STARTS);
const TRAILS = optionsOf(FLOORS);
const SHARES = optionsOf(SHARE_BASES);

const percent = (value: number): string => `${formatNumber(value, 5)} %`;
const amount = (value: number): string =>
  `${formatNumber(value, 8)} in the currency of the account`;

/** The fields of a rule or objective: only those that its kind has. */
export function LineFields({ line, change }: Props) {
  const { kind } = line;
  const isRule = isLoss(line) || kind === 'timeLimit' || kind === 'inactivity';
  return (
    <>
      <div className="fields">
        {hasDays(line) ? (
          <NumberField
            label="Days"
            required
            text={line.days}
            change={(days) => change({ days })}
            rules={DAYS}
            words={(value) => (value === 1 ? '1 day' : `${formatNumber(value, 0)} days`)}
          />
        ) : null}
        {hasSize(line) ? <SizeFields line={line} change={change} /> : null}
        {isLoss(line) ? <LossFields line={line} change={change} /> : null}
        {kind === 'profitTarget' ? (
          <ChoiceField
            label="Measured by"
            options={TARGETS}
            value={line.by}
            choose={(by) => change({ by })}
          />
        ) : null}
        {kind === 'tradingDays' ? (
          <ChoiceField
            label="Days on which"
            options={COUNTS}
            value={line.count}
            choose={(count) => change({ count })}
          />
        ) : null}
        {kind === 'consistency' ? (
          <ChoiceField
            label="Of"
            options={CONSISTENCIES}
            value={line.of}
            choose={(of) => change({ of })}
          />
        ) : null}
      </div>
      {isLoss(line) || kind === 'consistency' ? (
        <Check isOn={line.inclusive} set={(inclusive) => change({ inclusive })}>
          Reaching it exactly is too much
        </Check>
      ) : null}
      {isLoss(line) ? (
        <Check isOn={line.recordOnly} set={(recordOnly) => change({ recordOnly })}>
          A breach is only recorded, and does not fail the phase
        </Check>
      ) : null}
      {isRule ? <ActionFields form={line} change={change} /> : null}
    </>
  );
}

function SizeFields({ line, change }: Props) {
  return (
    <>
      {line.kind === 'consistency' ? null : (
        <ChoiceField
          label="Given as"
          options={UNITS}
          value={line.unit}
          choose={(unit) => change({ unit, size: '' })}
        />
      )}
      <NumberField
        label={isShare(line) ? 'Share, %' : 'Amount'}
        required
        text={line.size}
        change={(size) => change({ size })}
        rules={sizeRules(line)}
        words={isShare(line) ? percent : amount}
      />
    </>
  );
}

function LossFields({ line, change }: Props) {
  const isDaily = line.kind === 'dailyLoss';
  const isTrailing = !isDaily && line.trails !== 'none';
  const other = isDaily ? 'dayStart' : 'peak';
  return (
    <>
      {isDaily ? (
        <ChoiceField
          label="Below"
          options={STARTS}
          value={line.from}
          choose={(from) => change({ from })}
        />
      ) : (
        <ChoiceField
          label="Below"
          options={TRAILS}
          value={line.trails}
          choose={(trails) => change({ trails, shareOf: 'initialBalance' })}
        />
      )}
      {isShare(line) && (isDaily || isTrailing) ? (
        <ChoiceField
          label="A share of"
          options={SHARES.filter(({ value }) => value === 'initialBalance' || value === other)}
          value={line.shareOf}
          choose={(shareOf) => change({ shareOf })}
        />
      ) : null}
      {isTrailing ? (
        <NumberField
          label="Floor locks at the initial balance and"
          text={line.lockAbove}
          change={(lockAbove) => change({ lockAbove })}
          rules={LOCK}
          words={amount}
          hint="0 locks at the initial balance; empty: it always follows"
        />
      ) : null}
      <NumberField
        label="Warn at, % of the limit"
        text={line.warnPercent}
        change={(warnPercent) => change({ warnPercent })}
        rules={WARN_PERCENT}
        words={percent}
        hint="Empty: no warning"
      />
      <SettleField form={line} change={change} />
    </>
  );
}
