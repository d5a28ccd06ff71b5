import { ACCOUNT_ROWS } from './hosted-accounts.ts';
import { MANAGER_ROWS } from './hosted-manager.ts';
import { PROVISIONING_ROWS } from './hosted-provisioning.ts';
import type { HostedRow } from './hosted-row.ts';
import { STATISTICS_ROWS } from './hosted-statistics.ts';

/**
 * Where the hosted product's public documentation and ours differ for the same purpose: all that is
 * known of it. Operations without a row are the same in both.
 */
export const HOSTED_ROWS: readonly HostedRow[] = [
  ...STATISTICS_ROWS,
  ...ACCOUNT_ROWS,
  ...PROVISIONING_ROWS,
  ...MANAGER_ROWS,
];
