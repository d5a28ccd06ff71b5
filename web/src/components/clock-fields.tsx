import { useId } from 'react';
import { faultOf } from '../lib/faults.ts';
import { formatNumber } from '../lib/format.ts';
import { type NumberRules, numberOf, readNumber } from '../lib/read-number.ts';
import { USUAL_ZONES } from '../lib/zones.ts';
import { Field } from './field.tsx';
import { NumberField } from './number-field.tsx';

/** A broker's clock as it is typed. */
export type ClockForm = { zone: string; shiftHours: string };

/** New York + 7 hours, as most brokers have it. */
export const USUAL_CLOCK: ClockForm = { zone: 'America/New_York', shiftHours: '7' };

const RULES: NumberRules = { min: -24, max: 24, digits: 2, units: ['h'] };

/** The clock of the form; undefined while its hours can't be read. */
export function readClock({ zone, shiftHours }: ClockForm) {
  const reading = readNumber(shiftHours, RULES);
  if (reading.kind === 'unreadable') return undefined;
  return { zone: zone.trim(), shiftHours: numberOf(reading) ?? 0 };
}

/** What the clock of a form shows at this moment, to be compared with the terminal's; or nothing. */
function clockNow(form: ClockForm): string | undefined {
  const clock = readClock(form);
  if (!clock) return undefined;
  try {
    const atMs = Date.now() + clock.shiftHours * 3_600_000;
    return new Intl.DateTimeFormat('sv-SE', {
      timeZone: clock.zone,
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(atMs);
  } catch {
    return undefined;
  }
}

export function ClockFields(props: {
  form: ClockForm;
  error: unknown;
  change: (changes: Partial<ClockForm>) => void;
}) {
  const { form, error, change } = props;
  const listId = useId();
  const now = clockNow(form);
  return (
    <fieldset className="clock-fields">
      <legend>Broker's clock</legend>
      <p className="hint">
        All times of the account are read by this clock. Most brokers use New York plus 7 hours, so
        that the trading day ends at their midnight.
      </p>
      <div className="fields">
        <Field
          label="Time zone"
          hint="IANA name, such as Europe/Athens"
          error={faultOf(error, 'brokerClock.zone', 'Time zone')}
        >
          {(control) => (
            <input
              {...control}
              list={listId}
              autoComplete="off"
              spellCheck={false}
              value={form.zone}
              onChange={(event) => change({ zone: event.target.value })}
            />
          )}
        </Field>
        <datalist id={listId}>
          {USUAL_ZONES.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <NumberField
          label="Hours added"
          text={form.shiftHours}
          change={(shiftHours) => change({ shiftHours })}
          rules={RULES}
          words={(value) => `${formatNumber(value, 2, true)} h`}
          error={faultOf(error, 'brokerClock.shiftHours', 'Hours added')}
        />
      </div>
      <p className="hint" role="status">
        {now ? `It now shows ${now}: compare it with the terminal.` : 'This zone is not known.'}
      </p>
    </fieldset>
  );
}
