import type { HoldingCount, Quotas } from '../domain/quotas/quotas.ts';
import type { Tier } from '../words/accounts.ts';
import { QUOTA_NAMES, type QuotaName } from '../words/service.ts';
import type { Row, Sql, SqlValue } from './database.ts';
import { allIn } from './sql-text.ts';

const COLUMNS: Record<QuotaName, string> = {
  maxAccounts: 'max_accounts',
  maxDeployedG1Accounts: 'max_deployed_g1_accounts',
  maxDeployedG2Accounts: 'max_deployed_g2_accounts',
  maxDeployedCopyAccounts: 'max_deployed_copy_accounts',
  maxDedicatedIpv4: 'max_dedicated_ipv4',
};
const COLUMN_LIST = QUOTA_NAMES.map((name) => COLUMNS[name]).join(', ');

type QuotaRow = Row & { user_id: string; region: string };

/** The stored quotas of a user by region; a region without a row has the defaults. */
export async function findQuotas(sql: Sql, userId: string): Promise<Map<string, Quotas>> {
  const stored = await findQuotasOf(sql, [userId]);
  return new Map(stored.map(({ region, quotas }) => [region, quotas]));
}

/** The stored quotas of some users in each region. */
export async function findQuotasOf(
  sql: Sql,
  userIds: readonly string[],
): Promise<{ userId: string; region: string; quotas: Quotas }[]> {
  const rows = await allIn<QuotaRow>(
    sql,
    userIds,
    (list) => `select user_id, region, ${COLUMN_LIST} from user_quota where user_id in (${list})`,
  );
  return rows.map((row) => ({
    ...{ userId: row.user_id, region: row.region },
    quotas: fiveOf((name) => row[COLUMNS[name]]),
  }));
}

/** Writes all five maxima. */
export async function upsertQuotas(
  sql: Sql,
  userId: string,
  region: string,
  quotas: Quotas,
): Promise<void> {
  const changed = QUOTA_NAMES.map((name) => `${COLUMNS[name]} = excluded.${COLUMNS[name]}`);
  await sql.run(
    `insert into user_quota (user_id, region, ${COLUMN_LIST})
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (user_id, region) do update set ${changed.join(', ')}`,
    [userId, region, ...QUOTA_NAMES.map((name) => quotas[name])],
  );
}

type CountRow = {
  user_id: string;
  region: string;
  tier: Tier;
  deployed: number;
  copy: number;
  dedicated_ipv4: number;
  accounts: number;
};

/** How many accounts of each kind a user has by region. The counts are stored, so this is fast. */
export async function countHoldings(
  sql: Sql,
  userId: string,
): Promise<(HoldingCount & { region: string })[]> {
  return await countHoldingsOf(sql, [userId]);
}

/** Counts accounts for some users. */
export async function countHoldingsOf(
  sql: Sql,
  userIds: readonly string[],
): Promise<(HoldingCount & { userId: string; region: string })[]> {
  const rows = await allIn<CountRow>(
    sql,
    userIds,
    (list) =>
      `select user_id, region, tier, deployed, copy, dedicated_ipv4, accounts from account_count
       where user_id in (${list}) and accounts > 0`,
  );
  return rows.map(({ user_id, region, tier, deployed, copy, dedicated_ipv4, accounts }) => ({
    ...{ userId: user_id, region },
    holding: {
      tier,
      deployed: deployed === 1,
      copy: copy === 1,
      dedicatedIpv4: dedicated_ipv4 === 1,
    },
    accounts,
  }));
}

function fiveOf(value: (name: QuotaName) => SqlValue | undefined): Record<QuotaName, number> {
  return {
    maxAccounts: Number(value('maxAccounts')),
    maxDeployedG1Accounts: Number(value('maxDeployedG1Accounts')),
    maxDeployedG2Accounts: Number(value('maxDeployedG2Accounts')),
    maxDeployedCopyAccounts: Number(value('maxDeployedCopyAccounts')),
    maxDedicatedIpv4: Number(value('maxDedicatedIpv4')),
  };
}
