import { TextField } from '../components/text-field.tsx';
import { USUAL_ZONES } from '../lib/zones.ts';
import type { DayEndForm } from './day-end.ts';

export function DayEndFields(props: {
  form: DayEndForm;
  change: (changes: Partial<DayEndForm>) => void;
}) {
  const { form, change } = props;
  return (
    <>
      <TextField
        label="Days end at"
        parameter="resetClock.time"
        hint="Empty: midnight of the account’s clock"
        type="time"
        text={form.resetTime}
        change={(resetTime) => change({ resetTime })}
      />
      <TextField
        label="In the zone"
        parameter="resetClock.zone"
        hint="Such as Europe/Prague"
        suggestions={USUAL_ZONES}
        text={form.resetZone}
        change={(resetZone) => change({ resetZone })}
      />
    </>
  );
}
