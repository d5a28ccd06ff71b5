import type { createAccountOperation } from '../../../src/contract/operations/accounts.ts';
import type { ProfileRecord } from '../../../src/contract/operations/profiles.ts';
import type { Platform } from '../../../src/words/accounts.ts';
import { clockFormOf, readClock, USUAL_CLOCK } from '../components/clock-form.ts';
import type { FieldRow, NumberRow, TextRow } from '../components/field-table.ts';
import type { Input } from '../lib/api.ts';
import { formatNumber } from '../lib/format.ts';
import { type NumberRules, numberOf, readNumber } from '../lib/read-number.ts';
import { PLATFORMS } from './platforms.ts';

/** A new account as typed. */
export type AccountForm = {
  name: string;
  broker: string;
  platform: Platform;
  login: string;
  currency: string;
  leverage: string;
  profileId: string;
  zone: string;
  shiftHours: string;
  /** A typed clock is not overwritten by that of a profile chosen later. */
  isClockTyped: boolean;
};

export const START: AccountForm = {
  ...{ name: '', broker: '', login: '', profileId: '' },
  platform: 'p5',
  currency: 'USD',
  leverage: '100',
  ...USUAL_CLOCK,
  isClockTyped: false,
};

/** What an account has in each of its forms. */
export const NAMES: TextRow<'name' | 'broker'>[] = [
  { name: 'name', label: 'Name', required: true, maxLength: 200 },
  { name: 'broker', label: 'Broker', required: true, maxLength: 200 },
];
export const LEVERAGE: NumberRules = { units: ['1:'], min: 0.01, max: 100_000, digits: 2 };
export const leverageWords = (value: number): string => `1:${formatNumber(value, 2)}`;
export const LEVERAGE_FIELD: NumberRow<'leverage'> = {
  name: 'leverage',
  label: 'Leverage',
  required: true,
  rules: LEVERAGE,
  words: leverageWords,
};
export const FIELDS: FieldRow<AccountForm>[] = [
  ...NAMES,
  {
    name: 'platform',
    label: 'Platform',
    options: PLATFORMS,
    write: (platform) => ({ platform, profileId: '' }),
  },
  {
    name: 'login',
    label: 'Login',
    required: true,
    hint: 'The number on the platform',
    inputMode: 'numeric',
    maxLength: 200,
  },
  {
    name: 'currency',
    label: 'Currency',
    required: true,
    hint: 'Cannot be changed later',
    maxLength: 200,
  },
  LEVERAGE_FIELD,
];

/** An account read through a profile has its platform's clock. */
export const chooseProfile = (
  form: AccountForm,
  profileId: string,
  profile: ProfileRecord | undefined,
): AccountForm => ({
  ...form,
  profileId,
  ...(profile && !form.isClockTyped ? clockFormOf(profile.brokerClock) : {}),
});

/** The request; undefined while its clock or leverage can't be read. */
export function toNewAccount(
  form: AccountForm,
): Input<typeof createAccountOperation>['body'] | undefined {
  const brokerClock = readClock(form);
  const leverage = numberOf(readNumber(form.leverage, LEVERAGE));
  if (!brokerClock || leverage === undefined) return undefined;
  return {
    name: form.name.trim(),
    broker: form.broker.trim(),
    platform: form.platform,
    login: form.login.trim(),
    currency: form.currency.trim().toUpperCase(),
    leverage,
    brokerClock,
    ...(form.profileId ? { profileId: form.profileId } : {}),
  };
}
