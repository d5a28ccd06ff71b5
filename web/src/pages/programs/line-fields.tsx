import { NumberField } from '../../components/number-field.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { LineForm } from '../../programs/program-form.ts';
import {
  CONSISTENCY_TITLES,
  DAY_START_TITLES,
  SHARE_TITLES,
  TARGET_TITLES,
  TRAIL_TITLES,
} from '../../programs/program-words.ts';
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
import { Choice } from '../../rules/rule-fields.tsx';

type Props = {
  line: LineForm;
  /** What the server objected to. */
  error: unknown;
  change: (changes: Partial<LineForm>) => void;
};

const UNIT_TITLES = { share: 'a share', amount: 'an amount' } as const;
const COUNT_TITLES = { opened: 'a position was opened', traded: 'there was any trade' } as const;

const percent = (value: number): string => `${formatNumber(value, 5)} %`;
const amount = (value: number): string =>
  `${formatNumber(value, 8)} in the currency of the account`;

/** The fields of a rule or objective: only those that its kind has. */
export function LineFields({ line, error, change }: Props) {
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
        {hasSize(line) ? (
          <>
            {kind === 'consistency' ? null : (
              <Pick
                label="Given as"
                titles={UNIT_TITLES}
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
        ) : null}
        {isLoss(line) ? <LossFields line={line} change={change} /> : null}
        {kind === 'profitTarget' ? (
          <Pick
            label="Measured by"
            titles={TARGET_TITLES}
            value={line.by}
            choose={(by) => change({ by })}
          />
        ) : null}
        {kind === 'tradingDays' ? (
          <Pick
            label="Days on which"
            titles={COUNT_TITLES}
            value={line.count}
            choose={(count) => change({ count })}
          />
        ) : null}
        {kind === 'consistency' ? (
          <Pick
            label="Of"
            titles={CONSISTENCY_TITLES}
            value={line.of}
            choose={(of) => change({ of })}
          />
        ) : null}
      </div>
      {isLoss(line) || kind === 'consistency' ? (
        <Check
          title="Reaching it exactly is too much"
          isOn={line.inclusive}
          set={(inclusive) => change({ inclusive })}
        />
      ) : null}
      {isLoss(line) ? (
        <Check
          title="A breach is only recorded, and does not fail the phase"
          isOn={line.recordOnly}
          set={(recordOnly) => change({ recordOnly })}
        />
      ) : null}
      {isRule ? <ActionFields form={line} error={error} change={change} /> : null}
    </>
  );
}

function LossFields({ line, change }: Pick<Props, 'line' | 'change'>) {
  const isDaily = line.kind === 'dailyLoss';
  const isTrailing = !isDaily && line.trails !== 'none';
  const { initialBalance, dayStart, peak } = SHARE_TITLES;
  const bases = isDaily ? { initialBalance, dayStart } : { initialBalance, peak };
  return (
    <>
      {isDaily ? (
        <Pick
          label="Below"
          titles={DAY_START_TITLES}
          value={line.from}
          choose={(from) => change({ from })}
        />
      ) : (
        <Pick
          label="Below"
          titles={TRAIL_TITLES}
          value={line.trails}
          choose={(trails) => change({ trails, shareOf: 'initialBalance' })}
        />
      )}
      {isShare(line) && (isDaily || isTrailing) ? (
        <Pick
          label="A share of"
          titles={bases}
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
    </>
  );
}

function Pick<Value extends string>(props: {
  label: string;
  titles: Partial<Record<Value, string>>;
  value: Value;
  choose: (value: Value) => void;
}) {
  return <Choice {...props} titles={props.titles as Record<Value, string>} error={undefined} />;
}

function Check(props: { title: string; isOn: boolean; set: (isOn: boolean) => void }) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={props.isOn}
        onChange={({ target }) => props.set(target.checked)}
      />
      {props.title}
    </label>
  );
}
