import { type NumberRules, numberOf, readNumber } from '../../lib/read-number.ts';
import type { NewAccount } from './use-platform.ts';

export const LEVERAGE: NumberRules = { min: 1, max: 100_000, digits: 2 };
const CLIENT_ID: NumberRules = { isInteger: true, min: 0 };

const TEXTS = [
  ...(['firstName', 'middleName', 'lastName', 'phone'] as const),
  ...(['address', 'zip', 'city', 'state', 'country'] as const),
  ...(['leadSource', 'leadCampaign'] as const),
] as const;

/** An account to be opened on a platform, as it is typed. */
export type OpeningForm = Record<(typeof TEXTS)[number], string> & {
  email: string;
  group: string;
  leverage: string;
  clientId: string;
  isEnabled: boolean;
};
export type OpeningText = Exclude<keyof OpeningForm, 'isEnabled'>;

export const openingOf = (group: string): OpeningForm => ({
  ...(Object.fromEntries(TEXTS.map((name) => [name, ''])) as Record<
    (typeof TEXTS)[number],
    string
  >),
  email: '',
  group,
  leverage: '100',
  clientId: '',
  isEnabled: true,
});

export function clientIdFault({ clientId }: OpeningForm): string | undefined {
  const reading = readNumber(clientId, CLIENT_ID);
  return reading.kind === 'unreadable' ? 'The client id must be a whole number.' : undefined;
}

/** What is sent: what was filled in; undefined while a number can't be read. */
export function toAccount(form: OpeningForm): NewAccount | undefined {
  const leverage = numberOf(readNumber(form.leverage, LEVERAGE));
  if (leverage === undefined || clientIdFault(form)) return undefined;
  const clientId = numberOf(readNumber(form.clientId, CLIENT_ID));
  const filled = TEXTS.map((name) => [name, form[name].trim()]).filter(([, text]) => text !== '');
  return {
    email: form.email.trim(),
    group: form.group.trim(),
    leverage,
    ...(clientId === undefined ? {} : { clientId }),
    ...Object.fromEntries(filled),
    enabled: form.isEnabled,
  };
}
