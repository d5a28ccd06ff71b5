import type {
  AccountRecord,
  updateAccountOperation,
} from '../../../../src/contract/operations/accounts.ts';
import { LEVERAGE } from '../../accounts/account-form.ts';
import { labelFault, labelText, readLabels } from '../../accounts/labels.ts';
import { clockFormOf, readClock } from '../../components/clock-form.ts';
import type { Input } from '../../lib/api.ts';
import type { Edits } from '../../lib/edits.ts';
import { formatNumber } from '../../lib/format.ts';
import { numberOf, readNumber } from '../../lib/read-number.ts';

export type SettingsChange = Input<typeof updateAccountOperation>['body'];

export type SettingsForm = {
  name: string;
  broker: string;
  leverage: string;
  zone: string;
  shiftHours: string;
  profileId: string;
  labels: string;
  deployed: boolean;
  statisticsEnabled: boolean;
};

export const settingsOf = (account: AccountRecord): SettingsForm => ({
  name: account.name,
  broker: account.broker,
  leverage: formatNumber(account.leverage, 2),
  ...clockFormOf(account.brokerClock),
  profileId: account.profileId ?? '',
  labels: labelText(account.labels),
  deployed: account.deployed,
  statisticsEnabled: account.statisticsEnabled,
});

const TITLES: Record<keyof SettingsForm, string> = {
  name: 'The name',
  broker: 'The broker',
  leverage: 'The leverage',
  zone: 'The time zone',
  shiftHours: 'The hours added',
  profileId: 'The profile',
  labels: 'The list of labels',
  deployed: 'The switch “deployed”',
  statisticsEnabled: 'The switch “statistics”',
};

/** Only what was changed and differs from the account; undefined if a number can't be read. */
export function changeOf(
  { form, changed }: Pick<Edits<SettingsForm>, 'form' | 'changed'>,
  account: AccountRecord,
): SettingsChange | undefined {
  const clock = readClock(form);
  const leverage = numberOf(readNumber(form.leverage, LEVERAGE));
  const labels = readLabels(form.labels);
  if (!clock || leverage === undefined || labelFault(labels)) return undefined;
  const { zone, shiftHours = 0 } = account.brokerClock;
  const isSameClock = clock.zone === zone && clock.shiftHours === shiftHours;
  const wanted = {
    name: form.name.trim(),
    broker: form.broker.trim(),
    ...{ leverage, labels, brokerClock: clock, profileId: form.profileId },
    deployed: form.deployed,
    statisticsEnabled: form.statisticsEnabled,
  } satisfies SettingsChange;
  const isSame: Partial<Record<keyof SettingsChange, boolean>> = {
    name: wanted.name === account.name,
    broker: wanted.broker === account.broker,
    leverage: leverage === account.leverage,
    labels: labelText(labels) === labelText(account.labels),
    brokerClock: isSameClock,
  };
  const touched = new Set<string>(Object.keys(changed));
  if (touched.has('zone') || touched.has('shiftHours')) touched.add('brokerClock');
  const keys = Object.keys(wanted) as (keyof typeof wanted)[];
  const sent = keys.filter((key) => touched.has(key) && !isSame[key]);
  return Object.fromEntries(sent.map((key) => [key, wanted[key]]));
}

export function nowOf(stored: SettingsForm, field: keyof SettingsForm): string {
  const value = stored[field];
  const words = typeof value === 'boolean' ? (value ? 'on' : 'off') : `“${value}”`;
  // The id of a profile means nothing to people.
  return field === 'profileId'
    ? 'The profile has changed in the meantime'
    : `${TITLES[field]} is ${words} by now`;
}
