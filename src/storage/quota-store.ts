import {
  QUOTA_NAMES,
  type QuotaName,
  type Quotas,
  type QuotaUsage,
} from '../domain/quotas/quotas.ts';
import type { Row, Sql, SqlValue } from './database.ts';

const COLUMNS: Record<QuotaName, string> = {
  maxAccounts: 'max_accounts',
  maxDeployedG1Accounts: 'max_deployed_g1_accounts',
  maxDeployedG2Accounts: 'max_deployed_g2_accounts',
  maxDeployedCopyAccounts: 'max_deployed_copy_accounts',
  maxDedicatedIpv4: 'max_dedicated_ipv4',
};
const COLUMN_LIST = QUOTA_NAMES.map((name) => COLUMNS[name]).join(', ');

type QuotaRow = Row & { region: string };

/** The stored quotas of a user by region; a region without a row has the defaults. */
export async function findQuotas(sql: Sql, userId: string): Promise<Map<string, Quotas>> {
  const rows = await sql.all<QuotaRow>(
    `select region, ${COLUMN_LIST} from user_quota where user_id = $1`,
    [userId],
  );
  return new Map(rows.map((row) => [row.region, fiveOf((name) => row[COLUMNS[name]])]));
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

/** What a user's accounts take, by region, counted at this moment; regions without any are absent. */
export async function countUsage(sql: Sql, userId: string): Promise<Map<string, QuotaUsage>> {
  const rows = await sql.all<QuotaRow>(
    `select region, count(*) as max_accounts,
       sum(case when deployed = 1 and tier = 'g1' then 1 else 0 end) as max_deployed_g1_accounts,
       sum(case when deployed = 1 and tier = 'g2' then 1 else 0 end) as max_deployed_g2_accounts,
       sum(case when deployed = 1 and copy = 1 then 1 else 0 end) as max_deployed_copy_accounts,
       sum(dedicated_ipv4) as max_dedicated_ipv4
     from account where user_id = $1 group by region`,
    [userId],
  );
  return new Map(rows.map((row) => [row.region, fiveOf((name) => row[COLUMNS[name]])]));
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
