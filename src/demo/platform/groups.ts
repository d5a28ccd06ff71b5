import type { Platform } from '../../words/accounts.ts';

/** A group of accounts and their trading conditions. */
export type SimulatedGroup = {
  name: string;
  currency: string;
  marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING' | 'ACCOUNT_MARGIN_MODE_RETAIL_NETTING';
  leverage: number;
  /** In the account's currency for one lot and one side. */
  commissionPerLot: number;
  /** The initial accounts of the group. */
  firstLogin: number;
  accounts: number;
  /** First deposit of those accounts, in the group's currency, before a factor of 1 to 4. */
  deposit: number;
};

const HEDGING = 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING';
const NETTING = 'ACCOUNT_MARGIN_MODE_RETAIL_NETTING';

const P4_GROUPS: readonly SimulatedGroup[] = [
  group('demo-usd', 'USD', 100, 0, 100001, 20, 25_000),
  group('demo-eur', 'EUR', 200, 0, 110001, 3, 20_000),
  group('demo-jpy', 'JPY', 100, 0, 120001, 3, 3_000_000),
  group('real/pro usd', 'USD', 50, 3.5, 130001, 3, 50_000),
  group('vip-zürich', 'USD', 30, 2, 140001, 2, 100_000),
  group('bonus 100%', 'USD', 500, 0, 150001, 1, 1_000),
  group('preliminary', 'USD', 100, 0, 160001, 0, 0),
];

const P5_GROUPS: readonly SimulatedGroup[] = [
  group('demo\\usd', 'USD', 100, 3.5, 200001, 20, 25_000),
  group('demo\\eur', 'EUR', 200, 3, 210001, 3, 20_000),
  group('demo\\jpy', 'JPY', 100, 500, 220001, 3, 3_000_000),
  group('real\\netting\\usd', 'USD', 50, 2.5, 230001, 3, 50_000, NETTING),
  group('real\\pro/plus usd', 'USD', 30, 2, 240001, 2, 100_000),
  group('real\\zürich\\東京', 'JPY', 25, 400, 250001, 2, 5_000_000),
  group('contest\\100% free', 'USD', 500, 0, 260001, 1, 1_000),
  group('preliminary', 'USD', 100, 0, 270001, 0, 0),
];

export const groupsOfFamily = (family: Platform): readonly SimulatedGroup[] =>
  family === 'p4' ? P4_GROUPS : P5_GROUPS;

/** Accounts opened in the group get logins after this one. */
export const FIRST_LOGIN: Record<Platform, number> = { p4: 100001, p5: 200001 };

function group(
  name: string,
  currency: string,
  leverage: number,
  commissionPerLot: number,
  firstLogin: number,
  accounts: number,
  deposit: number,
  marginMode: SimulatedGroup['marginMode'] = HEDGING,
): SimulatedGroup {
  return {
    name,
    currency,
    marginMode,
    leverage,
    commissionPerLot,
    firstLogin,
    accounts,
    deposit,
  };
}
