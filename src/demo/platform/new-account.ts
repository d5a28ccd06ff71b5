import type { NewPlatformUser } from '../../platforms/gateway.ts';
import { PlatformError } from '../../platforms/gateway.ts';
import type { OpenedAccount } from './events.ts';
import type { SimulatedGroup } from './groups.ts';

export const MAX_LEVERAGE = 500;
const MAX_TEXT_LENGTH = 128;
const PASSWORD_CLASSES = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];

/** The platforms' rule: 8 to 16 characters, with lower and upper case, a digit and a sign. */
export const isPlatformPassword = (password: string): boolean =>
  password.length >= 8 &&
  password.length <= 16 &&
  PASSWORD_CLASSES.every((characters) => characters.test(password));

/**
 * Accepts the values of a new account like a platform. Throws PlatformError `invalid` for the first
 * refused value. Passwords are checked, not stored.
 */
export function openedAccount(
  user: NewPlatformUser,
  requestId: string,
  login: number,
  openedUtcMs: number,
  groups: readonly SimulatedGroup[],
): OpenedAccount {
  if (!groups.some((group) => group.name === user.group))
    throw new PlatformError('invalid', `There is no group ${JSON.stringify(user.group)}`);
  if (!Number.isInteger(user.leverage) || user.leverage < 1 || user.leverage > MAX_LEVERAGE)
    throw new PlatformError('invalid', `leverage must be a whole number from 1 to ${MAX_LEVERAGE}`);
  if (!isPlatformPassword(user.password) || !isPlatformPassword(user.investorPassword))
    throw new PlatformError('invalid', 'A password does not meet the rules of the platform');
  const account: OpenedAccount = {
    login,
    requestId,
    openedUtcMs,
    group: user.group,
    leverage: user.leverage,
    enabled: user.enabled,
    name: user.name,
    email: user.email,
    address: user.address ?? '',
    city: user.city ?? '',
    country: user.country ?? '',
    phone: user.phone ?? '',
    state: user.state ?? '',
    zip: user.zip ?? '',
    clientId: user.clientId === undefined ? '' : String(user.clientId),
    leadSource: user.leadSource ?? '',
    leadCampaign: user.leadCampaign ?? '',
  };
  for (const [field, value] of Object.entries(account))
    if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH)
      throw new PlatformError('invalid', `${field} is longer than ${MAX_TEXT_LENGTH} characters`);
  return account;
}
