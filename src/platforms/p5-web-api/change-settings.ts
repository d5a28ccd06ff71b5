import { type AccountSettings, PlatformError } from '../gateway.ts';
import type { P5Client } from './client.ts';
import { isRecord, type P5Record, rowsOf, textOf } from './record.ts';
import { RIGHT, settingsOf } from './users.ts';

/** Fields that change on their own, or that only the server may change. */
const LIVELY = new Set(
  [
    'LastAccess LastIP LastPassChange Registration CertSerialNumber MQID Balance Credit InterestRate',
    'CommissionDaily CommissionMonthly CommissionAgentDaily CommissionAgentMonthly BalancePrevDay',
    'BalancePrevMonth EquityPrevDay EquityPrevMonth PhonePassword',
  ].flatMap((names) => names.split(' ')),
);

/** How a server accepts a record, as far as known. */
export type RecordHabits = { replacesRecords: boolean };

type Change = Partial<AccountSettings>;

/**
 * Changes fields of the record of a user: only these are sent, so that concurrent changes by others
 * are not overwritten. The server silently keeps an old value if it dislikes the new one, so the
 * record is compared afterwards. A server that loses the fields not sent gets its record back, and
 * from then on complete ones.
 */
export async function changeSettings(
  client: P5Client,
  habits: RecordHabits,
  login: number,
  change: Change,
): Promise<{ settings: AccountSettings; alsoChanged: string[] }> {
  return client.converse(async (say) => {
    const read = async (): Promise<P5Record> => {
      const { answer } = await say({ command: '/api/user/get', params: { login } });
      const [user] = rowsOf(answer);
      if (user && textOf(user, 'Login') === String(login)) return user;
      throw new PlatformError('invalid', `there is no login ${login}`);
    };
    const write = (body: P5Record) => say({ command: '/api/user/update', body });
    const before = await read();
    const fields = changedFields(before, change);
    const wanted = { ...before, ...fields };
    let after = before;
    if (Object.keys(fields).length > 0) {
      if (habits.replacesRecords) await write(wholeRecord(wanted));
      else await write({ Login: String(login), ...fields });
      after = await read();
      if (!habits.replacesRecords && isReplaced(wanted, after)) {
        habits.replacesRecords = true;
        await write(wholeRecord(wanted));
        after = await read();
      }
    }
    const settings = settingsOf(after);
    for (const [name, value] of Object.entries(change))
      if (value !== undefined && settings[name as keyof AccountSettings] !== value)
        throw new PlatformError('invalid', `the platform did not apply the change of ${name}`);
    return { settings, alsoChanged: differences(wanted, after).filter(isSteady) };
  });
}

/**
 * A record to be written completely, without the data of other applications, whose numbers the
 * server would store as the type listed last. Throws PlatformError if the manager cannot see
 * personal data, and would overwrite it with blanks.
 */
function wholeRecord({ ApiData: _, ...user }: P5Record): P5Record {
  const names = ['Name', 'FirstName', 'LastName', 'MiddleName'];
  if (names.every((name) => textOf(user, name) === ''))
    throw new PlatformError(
      'forbidden',
      'this server accepts only complete records, and the manager account cannot see personal data',
    );
  return user;
}

/** Whether most of the earlier values are gone. */
function isReplaced(wanted: P5Record, after: P5Record): boolean {
  const held = Object.keys(wanted).filter((name) => isSteady(name) && !isBlank(wanted[name]));
  const lost = held.filter((name) => isBlank(after[name]));
  return lost.length > held.length / 2;
}

const isBlank = (value: unknown): boolean => ['', '0'].includes(printed(value));

/** Those that differ from the wanted values. */
function changedFields(user: P5Record, change: Change): P5Record {
  let rights = Number(textOf(user, 'Rights'));
  if (change.enabled !== undefined) rights = withBit(rights, RIGHT.enabled, change.enabled);
  if (change.tradingEnabled !== undefined)
    rights = withBit(rights, RIGHT.tradeDisabled, !change.tradingEnabled);
  const wanted = {
    Rights: String(rights),
    ...(change.group === undefined ? {} : { Group: change.group }),
    ...(change.leverage === undefined ? {} : { Leverage: String(change.leverage) }),
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => printed(user[name]) !== value),
  );
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
