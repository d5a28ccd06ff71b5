import { formatNumber } from '../lib/format.ts';
import { USUAL_ZONES } from '../lib/zones.ts';
import { type ClockForm, clockNow, HOURS_ADDED } from './clock-form.ts';
import { NumberField } from './number-field.tsx';
import { TextField } from './text-field.tsx';

export function ClockFields(props: {
  form: ClockForm;
  change: (changes: Partial<ClockForm>) => void;
}) {
  const { form, change } = props;
  const now = clockNow(form);
  return (
    <fieldset className="clock-fields">
      <legend>Broker's clock</legend>
      <p className="hint">
        All times of the account are read by this clock. Most brokers use New York plus 7 hours, so
        that the trading day ends at their midnight.
      </p>
      <div className="fields">
        <TextField
          label="Time zone"
          hint="IANA name, such as Europe/Athens"
          parameter="brokerClock.zone"
          text={form.zone}
          change={(zone) => change({ zone })}
          suggestions={USUAL_ZONES}
        />
        <NumberField
          label="Hours added"
          text={form.shiftHours}
          change={(shiftHours) => change({ shiftHours })}
          rules={HOURS_ADDED}
          words={(value) => `${formatNumber(value, 2, true)} h`}
          parameter="brokerClock.shiftHours"
        />
      </div>
      <p className="hint" role="status">
        {now ? `It now shows ${now}: compare it with the terminal.` : 'This zone is not known.'}
      </p>
    </fieldset>
  );
}
