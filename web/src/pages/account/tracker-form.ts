import type { NewTracker } from '../../../../src/contract/operations/trackers.ts';

/** What the form holds: texts as typed, empty where nothing is. Percentages, not fractions. */
export type TrackerForm = {
  name: string;
  period: NewTracker['period'];
  baseline: NonNullable<NewTracker['baseline']>;
  drawdownPercent: string;
  drawdownMoney: string;
  profitPercent: string;
  profitMoney: string;
  initialCapital: string;
  lockAt: string;
  startBrokerTime: string;
  resetZone: string;
  resetTime: string;
};

export const START: TrackerForm = {
  name: 'Daily loss 5 %',
  period: 'date',
  baseline: 'startBalance',
  drawdownPercent: '5',
  drawdownMoney: '',
  profitPercent: '',
  profitMoney: '',
  initialCapital: '',
  lockAt: '',
  startBrokerTime: '',
  resetZone: '',
  resetTime: '',
};

export const isTrailing = ({ baseline }: TrackerForm): boolean => baseline.startsWith('peak');

/** Digits beyond which a percentage divided by 100 would carry its binary error. */
const FRACTION_DIGITS = 9;

/** What is sent for a form; checking it is the server's. */
export function toNewTracker(form: TrackerForm): NewTracker {
  const number = (text: string): number | undefined => {
    const value = Number(text.replace(',', '.'));
    return text.trim() === '' || Number.isNaN(value) ? undefined : value;
  };
  const fraction = (text: string): number | undefined => {
    const value = number(text);
    return value === undefined ? undefined : Number((value / 100).toFixed(FRACTION_DIGITS));
  };
  const given = {
    relativeDrawdownThreshold: fraction(form.drawdownPercent),
    absoluteDrawdownThreshold: number(form.drawdownMoney),
    relativeProfitThreshold: fraction(form.profitPercent),
    absoluteProfitThreshold: number(form.profitMoney),
    initialCapital: form.baseline === 'initialCapital' ? number(form.initialCapital) : undefined,
    lockAt: isTrailing(form) ? number(form.lockAt) : undefined,
    startBrokerTime: form.startBrokerTime
      ? `${form.startBrokerTime.replace('T', ' ')}:00.000`
      : undefined,
    resetClock:
      form.resetZone && form.resetTime
        ? { zone: form.resetZone.trim(), time: form.resetTime }
        : undefined,
  };
  return {
    name: form.name.trim(),
    period: form.period,
    ...(form.baseline === 'startBalance' ? {} : { baseline: form.baseline }),
    ...(Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Partial<NewTracker>),
  };
}
