import { formatNumber } from '../lib/format.ts';
import { USUAL_ZONES } from '../lib/zones.ts';
import { type ClockForm, clockNow, HOURS_ADDED } from './clock-form.ts';
import type { FieldRow, Section } from './field-table.ts';

/** By which clock a broker writes times, and what it shows now. */
export function clockFields(form: ClockForm): Section<FieldRow<ClockForm>> {
  const now = clockNow(form);
  return {
    legend: "Broker's clock",
    fields: [
      <p key="what" className="hint">
        All times of the account are read by this clock. Most brokers use New York plus 7 hours, so
        that the trading day ends at their midnight.
      </p>,
      {
        name: 'zone',
        label: 'Time zone',
        parameter: 'brokerClock.zone',
        hint: 'IANA name, such as Europe/Athens',
        suggestions: USUAL_ZONES,
      },
      {
        name: 'shiftHours',
        label: 'Hours added',
        parameter: 'brokerClock.shiftHours',
        rules: HOURS_ADDED,
        words: (value) => `${formatNumber(value, 2, true)} h`,
      },
      <p key="now" className="hint" role="status">
        {now ? `It now shows ${now}: compare it with the terminal.` : 'This zone is not known.'}
      </p>,
    ],
  };
}
