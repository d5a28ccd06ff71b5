import type { PlatformUser } from '../../platforms/gateway.ts';
import type { ManualOperation, OpenedAccount } from './events.ts';
import type { SimulatedGroup } from './groups.ts';
import type { Person } from './people.ts';
import { personOf } from './people.ts';

/** An account of the simulated platform, an initial one or one opened later. */
export type SimulatedAccount = {
  login: number;
  group: SimulatedGroup;
  leverage: number;
  enabled: boolean;
  tradingEnabled: boolean;
  holder: Person;
  /** By its own strategy; false for accounts opened by hand. */
  trades: boolean;
};

/** The initial accounts of the groups. */
export function seededAccounts(
  seed: number,
  groups: readonly SimulatedGroup[],
): SimulatedAccount[] {
  return groups.flatMap((group) =>
    Array.from({ length: group.accounts }, (_, index) => {
      const login = group.firstLogin + index;
      const holder = personOf(seed, login);
      const rights = { enabled: true, tradingEnabled: true };
      return { login, group, leverage: group.leverage, ...rights, holder, trades: true };
    }),
  );
}

/** Undefined if the group no longer exists. */
export function openedAccountOf(
  opened: OpenedAccount,
  groups: readonly SimulatedGroup[],
): SimulatedAccount | undefined {
  const group = groups.find((each) => each.name === opened.group);
  if (!group) return undefined;
  const { login, leverage, enabled } = opened;
  return { login, group, leverage, enabled, tradingEnabled: true, holder: opened, trades: false };
}

/** The account after its settings were changed. */
export function changedAccount(
  account: SimulatedAccount,
  change: Extract<ManualOperation, { kind: 'settings' }>,
  groups: readonly SimulatedGroup[],
): SimulatedAccount {
  return {
    ...account,
    group: groups.find(({ name }) => name === change.group) ?? account.group,
    leverage: change.leverage ?? account.leverage,
    enabled: change.enabled ?? account.enabled,
    tradingEnabled: change.tradingEnabled ?? account.tradingEnabled,
  };
}

/** The record that a manager reads; `balance` in the digits of the account's currency. */
export function platformUser(account: SimulatedAccount, balance: string): PlatformUser {
  const { holder } = account;
  return {
    login: String(account.login),
    address: holder.address,
    balance,
    city: holder.city,
    country: holder.country,
    email: holder.email,
    group: account.group.name,
    leverage: String(account.leverage),
    name: holder.name,
    phone: holder.phone,
    state: holder.state,
    zip: holder.zip,
    clientId: holder.clientId,
    leadSource: holder.leadSource,
    leadCampaign: holder.leadCampaign,
  };
}
