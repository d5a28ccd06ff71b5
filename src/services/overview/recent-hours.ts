import { HOUR_MS } from '../../domain/broker-time.ts';
import { RecentMap } from '../../domain/recent-map.ts';
import type { Sql } from '../../storage/database.ts';
import { type HourEnds, readRecentHours } from '../../storage/hour-store.ts';
import type { OverviewRow } from './page-rows.ts';

const RECENT_HOURS = 72;
/** Accounts with remembered hours: those visible on some dozens of dashboards. */
const MAX_ACCOUNTS = 6_000;

type Asked = Pick<OverviewRow, 'hoursVersion'> & {
  account: Pick<OverviewRow['account'], 'number'>;
  standing: Pick<OverviewRow['standing'], 'lastTimeMs'>;
};

/** The newest closed hours of accounts, read again only when they have changed. */
export class RecentHours {
  readonly #known: RecentMap<number, { of: string; hours: readonly HourEnds[] }>;

  constructor(maxAccounts = MAX_ACCOUNTS) {
    this.#known = new RecentMap(maxAccounts);
  }

  async read(
    sql: Sql,
    { account: { number }, standing: { lastTimeMs }, hoursVersion }: Asked,
  ): Promise<readonly HourEnds[]> {
    if (lastTimeMs === undefined) return [];
    const lastHour = Math.floor(lastTimeMs / HOUR_MS);
    const of = `${hoursVersion} ${lastHour}`;
    const known = this.#known.get(number);
    if (known?.of === of) return known.hours;
    const sinceMs = lastTimeMs - RECENT_HOURS * HOUR_MS;
    const hours = await readRecentHours(sql, number, sinceMs, RECENT_HOURS);
    this.#known.set(number, { of, hours });
    return hours;
  }
}
