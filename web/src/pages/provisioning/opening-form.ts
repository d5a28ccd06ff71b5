import type { NumberRow, TextRow } from '../../components/field-table.ts';
import { type NumberRules, numberOf, readNumber } from '../../lib/read-number.ts';
import type { NewAccount } from './use-platform.ts';

export const LEVERAGE: NumberRules = { min: 1, max: 100_000, digits: 2 };
const CLIENT_ID: NumberRules = { isInteger: true, min: 0 };

export const HOLDER = [
  { name: 'firstName', label: 'First name' },
  { name: 'middleName', label: 'Middle name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'phone', label: 'Telephone', type: 'tel' },
  { name: 'address', label: 'Address' },
  { name: 'zip', label: 'Postal code' },
  { name: 'city', label: 'City' },
  { name: 'state', label: 'State or region' },
  { name: 'country', label: 'Country' },
] as const satisfies TextRow[];
export const CLIENT: NumberRow<'clientId'> = {
  name: 'clientId',
  label: 'Client id',
  hint: "Number in the broker's own books",
  rules: CLIENT_ID,
  words: String,
};
export const LEAD = [
  { name: 'leadSource', label: 'Lead source' },
  { name: 'leadCampaign', label: 'Lead campaign' },
] as const satisfies TextRow[];

const TEXTS = [...HOLDER, ...LEAD].map(({ name }) => name);
type Texts = Record<(typeof TEXTS)[number], string>;

/** An account to be opened on a platform, as typed. */
export type OpeningForm = Texts & {
  email: string;
  group: string;
  leverage: string;
  clientId: string;
  isEnabled: boolean;
};

export const openingOf = (group: string): OpeningForm => ({
  ...(Object.fromEntries(TEXTS.map((name) => [name, ''])) as Texts),
  email: '',
  group,
  leverage: '100',
  clientId: '',
  isEnabled: true,
});

/** The request: the filled-in fields; undefined while a number can't be read. */
export function toAccount(form: OpeningForm): NewAccount | undefined {
  const leverage = numberOf(readNumber(form.leverage, LEVERAGE));
  const client = readNumber(form.clientId, CLIENT_ID);
  if (leverage === undefined || client.kind === 'unreadable') return undefined;
  const clientId = numberOf(client);
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
