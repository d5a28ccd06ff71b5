import { type AccountSettings, PlatformError } from '../gateway.ts';
import type { P5Client } from './client.ts';
import { isRecord, type P5Record, rowsOf, textOf } from './record.ts';
import { RIGHT, settingsOf } from './users.ts';

/** Fields that change by themselves, or that the server alone may change. */
const LIVELY = new Set(
  [
    'LastAccess LastIP LastPassChange Registration CertSerialNumber MQID Balance Credit InterestRate',
    'CommissionDaily CommissionMonthly CommissionAgentDaily CommissionAgentMonthly BalancePrevDay',
    'BalancePrevMonth EquityPrevDay EquityPrevMonth PhonePassword',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Changes the record of a user. The server takes over the record as a whole, and keeps an old value
 * in silence where it does not like the new one: so the whole record is sent, and what the server
 * has afterwards is compared with it.
 */
export async function changeSettings(
  client: P5Client,
  login: number,
  change: Partial<AccountSettings>,
  signal?: AbortSignal,
): Promise<{ settings: AccountSettings; alsoChanged: string[] }> {
  return client.converse(async (say) => {
    const read = async (): Promise<P5Record> => {
      const { answer } = await say({ command: '/api/user/get', params: { login } });
      const [user] = rowsOf(answer);
      if (user && textOf(user, 'Login') === String(login)) return user;
      throw new PlatformError('invalid', `there is no login ${login}`);
    };
    const before = await read();
    requireWhole(before);
    const wanted = { ...before, ...changedFields(before, change) };
    if (differences(before, wanted).length > 0)
      await say({ command: '/api/user/update', body: wanted });
    const after = await read();
    const settings = settingsOf(after);
    for (const [name, value] of Object.entries(change))
      if (value !== undefined && settings[name as keyof AccountSettings] !== value)
        throw new PlatformError('invalid', `the platform did not apply the change of ${name}`);
    return { settings, alsoChanged: differences(wanted, after).filter(isSteady) };
  }, signal);
}

/** A manager who does not see personal data would write back blanks over it. */
function requireWhole(user: P5Record): void {
  const names = ['Name', 'FirstName', 'LastName', 'MiddleName'];
  if (names.every((name) => textOf(user, name) === ''))
    throw new PlatformError(
      'forbidden',
      'the manager account cannot see personal data, which a change would erase',
    );
}

function changedFields(user: P5Record, change: Partial<AccountSettings>): P5Record {
  let rights = Number(textOf(user, 'Rights'));
  if (change.enabled !== undefined) rights = withBit(rights, RIGHT.enabled, change.enabled);
  if (change.tradingEnabled !== undefined)
    rights = withBit(rights, RIGHT.tradeDisabled, !change.tradingEnabled);
  return {
    Rights: String(rights),
    ...(change.group === undefined ? {} : { Group: change.group }),
    ...(change.leverage === undefined ? {} : { Leverage: String(change.leverage) }),
  };
}

/** Rights go beyond 32 bits, so nothing is masked as a whole. */
const withBit = (rights: number, bit: number, isSet: boolean): number => {
  const has = Math.floor(rights / bit) % 2 === 1;
  if (has === isSet) return rights;
  return isSet ? rights + bit : rights - bit;
};

const isSteady = (name: string): boolean => !LIVELY.has(name);

function differences(one: P5Record, other: P5Record): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => printed(one[name]) !== printed(other[name]));
}

const printed = (value: unknown): string =>
  Array.isArray(value) || isRecord(value) ? JSON.stringify(value) : String(value ?? '');
