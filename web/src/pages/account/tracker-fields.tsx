import type { Fault } from '../../../../src/contract/error-record.ts';
import { Field } from '../../components/field.tsx';
import { isTrailing, type TrackerForm } from './tracker-form.ts';
import { BASELINE_TITLES, PERIOD_TITLES } from './tracker-words.ts';

type Props = {
  values: TrackerForm;
  currency: string;
  faults: Fault[];
  change: (changes: Partial<TrackerForm>) => void;
};

export function TrackerFields({ values, currency, faults, change }: Props) {
  const errorOf = (parameter: string): string | undefined =>
    faults.find((fault) => fault.parameter === parameter)?.message;
  const text = (name: keyof TrackerForm, label: string, parameter: string, hint?: string) => (
    <Field label={label} error={errorOf(parameter)} {...(hint ? { hint } : {})}>
      {(control) => (
        <input
          {...control}
          inputMode="decimal"
          value={values[name]}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <>
      <Field label="Name" required error={errorOf('name')}>
        {(control) => (
          <input
            {...control}
            value={values.name}
            maxLength={200}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="fields">
        <Field label="Period" error={errorOf('period')}>
          {(control) => (
            <select
              {...control}
              value={values.period}
              onChange={(event) => change({ period: event.target.value as TrackerForm['period'] })}
            >
              {Object.entries(PERIOD_TITLES).map(([id, title]) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Measured from" error={errorOf('baseline')}>
          {(control) => (
            <select
              {...control}
              value={values.baseline}
              onChange={(event) =>
                change({ baseline: event.target.value as TrackerForm['baseline'] })
              }
            >
              {Object.entries(BASELINE_TITLES).map(([id, title]) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
        {text('drawdownPercent', 'Largest loss, %', 'relativeDrawdownThreshold')}
        {text('drawdownMoney', `Largest loss, ${currency}`, 'absoluteDrawdownThreshold')}
        {text('profitPercent', 'Profit target, %', 'relativeProfitThreshold')}
        {text('profitMoney', `Profit target, ${currency}`, 'absoluteProfitThreshold')}
        {values.baseline === 'initialCapital'
          ? text('initialCapital', `Initial capital, ${currency}`, 'initialCapital')
          : null}
        {isTrailing(values)
          ? text('lockAt', `Floor locks at, ${currency}`, 'lockAt', 'Empty: it always follows')
          : null}
      </div>
      <details>
        <summary>Start and end of day</summary>
        <div className="fields tracker-more">
          <Field
            label="Starts at (broker time)"
            hint="Empty: now. A past start is filled from history."
            error={errorOf('startBrokerTime')}
          >
            {(control) => (
              <input
                {...control}
                type="datetime-local"
                value={values.startBrokerTime}
                onChange={(event) => change({ startBrokerTime: event.target.value })}
              />
            )}
          </Field>
          <Field
            label="Days end at"
            hint="Empty: midnight of the broker"
            error={errorOf('resetClock.time')}
          >
            {(control) => (
              <input
                {...control}
                type="time"
                value={values.resetTime}
                onChange={(event) => change({ resetTime: event.target.value })}
              />
            )}
          </Field>
          <Field
            label="In the zone"
            hint="Such as Europe/Prague"
            error={errorOf('resetClock.zone')}
          >
            {(control) => (
              <input
                {...control}
                value={values.resetZone}
                onChange={(event) => change({ resetZone: event.target.value })}
              />
            )}
          </Field>
        </div>
      </details>
    </>
  );
}
