import { type ReactNode, useId } from 'react';
import { Field } from '../components/field.tsx';
import { NumberField } from '../components/number-field.tsx';
import { faultOf } from '../lib/faults.ts';
import { formatMoney, formatRulePercent } from '../lib/format.ts';
import { USUAL_ZONES } from '../lib/zones.ts';
import { NoProfitFields } from './no-profit-fields.tsx';
import { isTrailing, type NumberName, needsCapital, type RuleForm, rulesOf } from './rule-form.ts';
import { BASELINE_TITLES, PERIOD_TITLES } from './rule-words.ts';

type Props = {
  form: RuleForm;
  currency: string;
  /** What the server objected to. */
  error: unknown;
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
};

export const RULE_PARAMETERS: readonly string[] = [
  ...Object.values(PARAMETERS),
  ...['name', 'period', 'baseline', 'limitBase', 'adjustDeals', 'startBrokerTime', 'endBrokerTime'],
  ...[
    'resetClock.zone',
    'resetClock.time',
    'actions',
    ...[0, 1, 2].map((place) => `actions.${place}.group`),
  ],
];

/** Every field of a rule; what few rules need is folded away. */
export function RuleFields(props: Props) {
  const { form, error, change } = props;
  return (
    <>
      <div className="fields">
        <Choice
          label="Period"
          titles={PERIOD_TITLES}
          value={form.period}
          error={faultOf(error, 'period', 'Period')}
          choose={(period) => change({ period })}
        />
        <Choice
          label="Measured from"
          titles={BASELINE_TITLES}
          value={form.baseline}
          error={faultOf(error, 'baseline', 'This')}
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
        {needsCapital(form) || isTrailing(form) ? (
          <Amount
            {...props}
            name="initialCapital"
            label={`Initial capital, ${props.currency}`}
            {...(needsCapital(form)
              ? {}
              : { hint: 'The peak starts no lower than this; empty: at the balance' })}
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
      <label className="check">
        <input
          type="checkbox"
          checked={form.isStatisticsOnly}
          onChange={(event) => change({ isStatisticsOnly: event.target.checked })}
        />
        Statistics only: measure, report nothing
      </label>
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
  const { name, label, form, currency, error, change } = props;
  const isPercent = name.endsWith('Percent');
  return (
    <NumberField
      label={label}
      text={form[name]}
      change={(text) => change({ [name]: text })}
      rules={rulesOf(name, currency)}
      words={(value) => (isPercent ? formatRulePercent(value / 100) : formatMoney(value, currency))}
      error={faultOf(error, PARAMETERS[name], label)}
      hint={props.hint}
    />
  );
}

export function Choice<Value extends string>(props: {
  label: string;
  titles: Record<Value, string>;
  value: Value;
  error: string | undefined;
  choose: (value: Value) => void;
}) {
  return (
    <Field label={props.label} error={props.error}>
      {(control) => (
        <select
          {...control}
          value={props.value}
          onChange={(event) => props.choose(event.target.value as Value)}
        >
          {Object.entries<string>(props.titles).map(([id, title]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Counting({ form, error, change }: Props) {
  return (
    <div className="stack rule-more">
      <NoProfitFields
        chosen={form.adjustDeals}
        error={error}
        choose={(adjustDeals) => change({ adjustDeals })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={form.inclusive}
          onChange={(event) => change({ inclusive: event.target.checked })}
        />
        Reaching the limit exactly is enough
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={form.limitBase === 'initialCapital'}
          onChange={(event) =>
            change({ limitBase: event.target.checked ? 'initialCapital' : 'baseline' })
          }
        />
        Percentages are of the initial capital
      </label>
    </div>
  );
}

function Times({ form, error, change, isForMany }: Props) {
  const listId = useId();
  const time = (name: 'startBrokerTime' | 'endBrokerTime', label: string, hint: string) => (
    <Field label={`${label} (broker time)`} hint={hint} error={faultOf(error, name, label)}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          value={form[name]}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <div className="fields rule-more">
      {isForMany
        ? null
        : time('startBrokerTime', 'Starts at', 'Empty: now. A past start is filled from history.')}
      {isForMany ? null : time('endBrokerTime', 'Ends at', 'Empty: never')}
      <Field
        label="Days end at"
        hint="Empty: midnight of the broker"
        error={faultOf(error, 'resetClock.time', 'The time')}
      >
        {(control) => (
          <input
            {...control}
            type="time"
            value={form.resetTime}
            onChange={(event) => change({ resetTime: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="In the zone"
        hint="Such as Europe/Prague"
        error={faultOf(error, 'resetClock.zone', 'The zone')}
      >
        {(control) => (
          <input
            {...control}
            list={listId}
            autoComplete="off"
            spellCheck={false}
            value={form.resetZone}
            onChange={(event) => change({ resetZone: event.target.value })}
          />
        )}
      </Field>
      <datalist id={listId}>
        {USUAL_ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
  );
}
