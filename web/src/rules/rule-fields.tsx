import type { ReactNode } from 'react';
import { PERIODS } from '../../../src/words/periods.ts';
import { BASELINES } from '../../../src/words/trackers.ts';
import { Check } from '../components/check.tsx';
import { ChoiceField, optionsOf } from '../components/choice-field.tsx';
import { NumberField } from '../components/number-field.tsx';
import { TextField } from '../components/text-field.tsx';
import { formatMoney, formatRulePercent } from '../lib/format.ts';
import { DayEndFields } from './day-end-fields.tsx';
import { NoProfitFields } from './no-profit-fields.tsx';
import { isTrailing, type NumberName, needsCapital, type RuleForm, rulesOf } from './rule-form.ts';
import { SettleField } from './settle-field.tsx';

type Props = {
  form: RuleForm;
  currency: string;
  change: (changes: Partial<RuleForm>) => void;
  /** What is done at the breach, where that can be chosen. */
  actions?: ReactNode;
  /** Start and end are each account's own. */
  isForMany?: boolean;
};

const PARAMETERS: Record<NumberName, string> = {
  drawdownPercent: 'relativeDrawdownThreshold',
  drawdownMoney: 'absoluteDrawdownThreshold',
  profitPercent: 'relativeProfitThreshold',
  profitMoney: 'absoluteProfitThreshold',
  warnPercent: 'warnAt',
  initialCapital: 'initialCapital',
  lockAt: 'lockAt',
  settleSeconds: 'settleSeconds',
};

/** Every field of a rule; what few rules need is folded away. */
export function RuleFields(props: Props) {
  const { form, change } = props;
  return (
    <>
      <div className="fields">
        <ChoiceField
          label="Period"
          parameter="period"
          options={optionsOf(PERIODS)}
          value={form.period}
          choose={(period) => change({ period })}
        />
        <ChoiceField
          label="Measured from"
          parameter="baseline"
          options={optionsOf(BASELINES)}
          value={form.baseline}
          choose={(baseline) => change({ baseline })}
        />
        <Amount {...props} name="drawdownPercent" label="Largest loss, %" />
        <Amount {...props} name="drawdownMoney" label={`Largest loss, ${props.currency}`} />
        <Amount {...props} name="profitPercent" label="Profit target, %" />
        <Amount {...props} name="profitMoney" label={`Profit target, ${props.currency}`} />
        <Amount
          {...props}
          name="warnPercent"
          label="Warn at, % of the loss limit"
          hint="Empty: no warning"
        />
        {needsCapital(form) || isTrailing(form) || form.initialCapital !== '' ? (
          <Amount
            {...props}
            name="initialCapital"
            label={`Initial capital, ${props.currency}`}
            {...(isTrailing(form) && !needsCapital(form)
              ? { hint: 'The peak starts no lower than this; empty: at the balance' }
              : {})}
          />
        ) : null}
        {isTrailing(form) ? (
          <Amount
            {...props}
            name="lockAt"
            label={`Floor locks at, ${props.currency}`}
            hint="Empty: it always follows"
          />
        ) : null}
      </div>
      <Check isOn={form.isStatisticsOnly} set={(isStatisticsOnly) => change({ isStatisticsOnly })}>
        Statistics only: measure, report nothing
      </Check>
      <details>
        <summary>What counts</summary>
        <Counting {...props} />
      </details>
      <details>
        <summary>{props.isForMany ? 'End of day' : 'Start, end and end of day'}</summary>
        <Times {...props} />
      </details>
      {props.actions}
    </>
  );
}

function Amount(props: Props & { name: NumberName; label: string; hint?: string }) {
  const { name, label, form, currency, change } = props;
  const isPercent = name.endsWith('Percent');
  return (
    <NumberField
      label={label}
      text={form[name]}
      change={(text) => change({ [name]: text })}
      rules={rulesOf(name, currency)}
      words={(value) => (isPercent ? formatRulePercent(value / 100) : formatMoney(value, currency))}
      parameter={PARAMETERS[name]}
      hint={props.hint}
    />
  );
}

function Counting({ form, change }: Props) {
  return (
    <div className="stack rule-more">
      <NoProfitFields chosen={form.adjustDeals} choose={(adjustDeals) => change({ adjustDeals })} />
      <Check isOn={form.inclusive} set={(inclusive) => change({ inclusive })}>
        Reaching the limit exactly is enough
      </Check>
      <Check
        isOn={form.limitBase === 'initialCapital'}
        set={(isOn) => change({ limitBase: isOn ? 'initialCapital' : 'baseline' })}
      >
        Percentages are of the initial capital
      </Check>
      <SettleField form={form} change={change} />
    </div>
  );
}

function Times({ form, change, isForMany }: Props) {
  return (
    <div className="fields rule-more">
      {isForMany ? null : (
        <>
          <TextField
            label="Starts at (broker time)"
            parameter="startBrokerTime"
            hint="Empty: now. A past start is filled from history."
            type="datetime-local"
            text={form.startBrokerTime}
            change={(startBrokerTime) => change({ startBrokerTime })}
          />
          <TextField
            label="Ends at (broker time)"
            parameter="endBrokerTime"
            hint="Empty: never"
            type="datetime-local"
            text={form.endBrokerTime}
            change={(endBrokerTime) => change({ endBrokerTime })}
          />
        </>
      )}
      <DayEndFields form={form} change={change} />
    </div>
  );
}
