import type { AccountSettings, NewPlatformUser, PlatformUser } from '../gateway.ts';
import { numberOf, type P5Record, textOf } from './record.ts';

/** Bits of a user's `Rights` ("IMTUser::EnUsersRights" in the platform's API help). */
export const RIGHT = {
  enabled: 0x1,
  changePassword: 0x2,
  tradeDisabled: 0x4,
  trailing: 0x20,
  experts: 0x40,
  reports: 0x100,
  readOnly: 0x200,
} as const;

/** The platform's default for a new account: 355. */
const DEFAULT_RIGHTS =
  RIGHT.enabled | RIGHT.changePassword | RIGHT.trailing | RIGHT.experts | RIGHT.reports;

export const mayTrade = (rights: number): boolean =>
  (rights & RIGHT.enabled) !== 0 && (rights & (RIGHT.tradeDisabled | RIGHT.readOnly)) === 0;

export function settingsOf(user: P5Record): AccountSettings {
  const rights = numberOf(user, 'Rights');
  return {
    enabled: (rights & RIGHT.enabled) !== 0,
    tradingEnabled: (rights & RIGHT.tradeDisabled) === 0,
    group: textOf(user, 'Group'),
    leverage: numberOf(user, 'Leverage'),
  };
}

export function toPlatformUser(user: P5Record): PlatformUser {
  const parts = ['FirstName', 'MiddleName', 'LastName'].map((key) => textOf(user, key));
  return {
    login: textOf(user, 'Login'),
    address: textOf(user, 'Address'),
    balance: textOf(user, 'Balance'),
    city: textOf(user, 'City'),
    country: textOf(user, 'Country'),
    email: textOf(user, 'Email') || textOf(user, 'EMail'),
    group: textOf(user, 'Group'),
    leverage: textOf(user, 'Leverage'),
    // Newer builds keep the parts of a name; the whole stays where a build still sends it.
    name: textOf(user, 'Name') || parts.filter((part) => part !== '').join(' '),
    phone: textOf(user, 'Phone'),
    state: textOf(user, 'State'),
    // The reference has one spelling, real servers also the other.
    zip: textOf(user, 'ZIPCode') || textOf(user, 'ZipCode'),
    clientId: textOf(user, 'ClientID'),
    leadSource: textOf(user, 'LeadSource'),
    leadCampaign: textOf(user, 'LeadCampaign'),
  };
}

/** The mark in a comment (63 characters at most) by which a repeated request finds its account. */
export const commentOf = (requestId: string): string => `plimsoll:${requestId}`.slice(0, 63);

/**
 * Body of `/api/user/add`; the passwords travel here and never in the query. Older servers have the
 * whole name, newer ones its parts. Unknown fields are ignored by servers.
 */
export function newUserBody(user: NewPlatformUser, requestId: string): P5Record {
  const optional: [string, string | number | undefined][] = [
    ['Address', user.address],
    ['City', user.city],
    ['Country', user.country],
    ['Phone', user.phone],
    ['State', user.state],
    ['ZIPCode', user.zip],
    ['ZipCode', user.zip],
    ['FirstName', user.nameParts?.first],
    ['MiddleName', user.nameParts?.middle],
    ['LastName', user.nameParts?.last],
    ['LeadSource', user.leadSource],
    ['LeadCampaign', user.leadCampaign],
    ['ClientID', user.clientId],
  ];
  return {
    Login: '0',
    PassMain: user.password,
    PassInvestor: user.investorPassword,
    Group: user.group,
    Name: user.name,
    Email: user.email,
    Leverage: String(user.leverage),
    Rights: String(user.enabled ? DEFAULT_RIGHTS : DEFAULT_RIGHTS & ~RIGHT.enabled),
    Comment: commentOf(requestId),
    ...Object.fromEntries(
      optional.flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
    ),
  };
}
