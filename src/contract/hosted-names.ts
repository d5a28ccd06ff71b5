import type { Platform } from '../words/accounts.ts';
import { QUOTA_NAMES, type QuotaName } from '../words/service.ts';

/*
 * Names of the hosted product, as far as both its clients and those who leave it need them.
 */

export type Fields = Record<string, unknown>;

/** Families of platforms by the numbers and words of the hosted product. */
export const HOSTED_PLATFORMS = {
  p4: { version: 4, word: 'mt4' },
  p5: { version: 5, word: 'mt5' },
};

export const platformOf = ({ platform, version }: Fields): Platform =>
  platform === 'mt4' || platform === 'p4' || Number(version) === 4 ? 'p4' : 'p5';

/** Where neither a request nor a platform says it. */
const USUAL = { currency: 'USD', leverage: 100 };
const TIERS: Readonly<Record<string, string>> = { 'cloud-g1': 'g1', 'cloud-g2': 'g2' };

/** Our names of an account's fields by the hosted ones. */
const ACCOUNT_FIELDS = {
  name: 'name',
  login: 'login',
  server: 'broker',
  baseCurrency: 'currency',
  leverage: 'leverage',
  region: 'region',
  provisioningProfileId: 'profileId',
  metastatsApiEnabled: 'statisticsEnabled',
  tags: 'labels',
};

/** A new account as the hosted product describes it; unchecked, like the body of a request. */
export function newAccountOf(body: Fields): Fields {
  const tier = TIERS[String(body.type)];
  const given = renamed(body, ACCOUNT_FIELDS);
  return {
    ...{ ...USUAL, name: `${body.login ?? ''}`, platform: platformOf(body), ...given },
    ...(tier ? { tier } : {}),
  };
}

/** Our names of the quotas. */
export const QUOTAS_BY_HOSTED_NAME: Readonly<Record<string, QuotaName>> = Object.fromEntries(
  QUOTA_NAMES.map((name) => [
    name === 'maxDeployedCopyAccounts' ? 'maxDeployedCopyFactoryAccounts' : name,
    name,
  ]),
);

/** The fields that are given, by their names here. */
export function renamed(body: Fields, names: Readonly<Record<string, string>>): Fields {
  const entries = Object.entries(names).flatMap(([from, to]) =>
    body[from] === undefined ? [] : [[to, body[from]]],
  );
  return Object.fromEntries(entries);
}
