import { useId } from 'react';
import { Field } from '../../components/field.tsx';
import { faultOf } from '../../lib/faults.ts';
import type { ProfileDraft } from './new-profile-form.tsx';

const USUAL_ZONES = [
  ...['America/New_York', 'Europe/Athens', 'Europe/London', 'Europe/Moscow', 'Asia/Dubai'],
  ...['Asia/Tokyo', 'Australia/Sydney', 'UTC'],
];

export function BrokerClockFields(props: {
  draft: ProfileDraft;
  error: unknown;
  change: (changes: Partial<ProfileDraft>) => void;
}) {
  const { draft, error, change } = props;
  const listId = useId();
  return (
    <fieldset className="provisioning-part">
      <legend>Broker's clock</legend>
      <p className="hint">
        All times of this platform are read as this clock shows them. Most brokers run New York plus
        7 hours, so that the trading day ends at their midnight.
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
              value={draft.zone}
              onChange={(event) => change({ zone: event.target.value })}
            />
          )}
        </Field>
        <datalist id={listId}>
          {USUAL_ZONES.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <Field label="Hours added" error={faultOf(error, 'brokerClock.shiftHours', 'Hours added')}>
          {(control) => (
            <input
              {...control}
              type="number"
              min={-24}
              max={24}
              step="any"
              value={draft.shiftHours}
              onChange={(event) => change({ shiftHours: event.target.value })}
            />
          )}
        </Field>
      </div>
    </fieldset>
  );
}
