import { encodeLiveAccount } from '../../src/domain/live/live-account-codec.ts';
import { numbersOfBytes } from '../../src/engine/recent-snapshots.ts';
import type { Row } from '../../src/storage/database.ts';
import type { SqliteConnection } from '../../src/storage/drivers/sqlite-connection.ts';
import { readHours } from '../../src/storage/hour-store.ts';
import { readLiveAccounts } from '../../src/storage/live-store.ts';
import { readMinutes } from '../../src/storage/minute-store.ts';
import { readPeriods } from '../../src/storage/tracker-store.ts';
import { keyOf, type ReferenceAccount, type Told } from './reference-fold.ts';
import type { Truth } from './truth.ts';
import type { Verdict } from './verdict.ts';

const ALL = 1_000_000;
const TABLES = [
  'tracker_event',
  'tracker',
  'enrolment',
  'period_statistics',
  'live_account',
  'parked_entry',
  'chart_day',
  'equity_bucket',
  'equity_minutes',
  'trade_chunk',
  'fold_stage',
  'account_history',
  'account_market',
  'pair_quote',
  'account_sync',
  'deal',
];

/** Faults of the stored data after all processes have stopped in order; undefined if none. */
export async function checkStored(
  sql: SqliteConnection,
  truth: Truth,
  verdict: Verdict,
  utcMs: number,
): Promise<string | undefined> {
  for (const table of TABLES) {
    const [left] = await sql.all<Row>(
      `select account_number from ${table}
       where account_number not in (select number from account) limit 1`,
    );
    if (left) return `${table} has rows of account ${left.account_number}, which was deleted`;
  }
  const removed = await sql.all('select number from removed_account');
  if (removed.length > 0) return `${removed.length} deleted accounts were never swept`;
  const left = await commitsLeft(sql, utcMs);
  if (left > 0) return `${left} commits were never dropped`;
  const [outbox] = await sql.all<{ left: number }>('select count(*) as left from journal_outbox');
  if (outbox?.left) return `${outbox.left} rows of the outbox were never dropped`;
  for (const { number, untilMs } of truth.lives.values()) {
    const account = verdict.reference(number);
    if (untilMs !== Infinity || !account) continue;
    const wrong = await checkAccount(sql, number, account);
    if (wrong !== undefined) return `account ${number}: ${wrong}`;
  }
  return undefined;
}

/**
 * Commits that all have folded and no process has dropped; one dated into the future waits for
 * that.
 */
export async function commitsLeft(sql: SqliteConnection, utcMs: number): Promise<number> {
  const [journal] = await sql.all<{ left: number }>(
    'select count(*) as left from journal_entry where received_utc_ms < $1',
    [utcMs],
  );
  return journal?.left ?? 0;
}

async function checkAccount(
  sql: SqliteConnection,
  number: number,
  account: ReferenceAccount,
): Promise<string | undefined> {
  const stored = await readHours(sql, number, 0, Number.MAX_SAFE_INTEGER, ALL);
  const hours = stored.map(({ accountNumber: _, ...hour }) => hour);
  const expected = [...account.hours.values()]
    .map(({ accountId: _, ...hour }) => hour)
    .sort((a, b) => a.startTimeMs - b.startTimeMs);
  const wrongHour = difference(hours, expected);
  if (wrongHour) return `hours: ${wrongHour}`;
  const wrongMinute = difference(
    await readMinutes(sql, number, 0, Number.MAX_SAFE_INTEGER),
    [...account.minutes.values()].sort((a, b) => a.lastTimeMs - b.lastTimeMs),
  );
  if (wrongMinute) return `minutes: ${wrongMinute}`;
  for (const trackerId of account.trackers.keys()) {
    const periods = await readPeriods(sql, number, trackerId, Number.MAX_SAFE_INTEGER, ALL);
    const own = [...account.periods.values()].filter((period) => period.trackerId === trackerId);
    const wrong = difference(byStart(periods), byStart(own));
    if (wrong) return `periods of ${trackerId}: ${wrong}`;
  }
  return (
    (await checkEvidence(sql, number, account)) ??
    (await checkDeals(sql, number, account)) ??
    (await checkState(sql, number, account))
  );
}

async function checkDeals(
  sql: SqliteConnection,
  number: number,
  account: ReferenceAccount,
): Promise<string | undefined> {
  const rows = await sql.all<{ id: string }>(
    'select id from deal where account_number = $1 order by id',
    [number],
  );
  const stored = rows.map(({ id }) => id);
  const wrong = difference(stored, account.deals.map(({ id }) => id).sort());
  return wrong && `deals: ${wrong}`;
}

async function checkEvidence(
  sql: SqliteConnection,
  number: number,
  account: ReferenceAccount,
): Promise<string | undefined> {
  type Evidence = Row &
    Record<'record', string> &
    Record<'before_breach' | 'after_breach', Uint8Array>;
  const rows = await sql.all<Evidence>('select * from tracker_event where account_number = $1', [
    number,
  ]);
  for (const row of rows) {
    const key = keyOf(JSON.parse(row.record) as Told);
    const expected = account.events.find((known) => known.key === key);
    if (!expected) return `event ${key} is not expected`;
    // Snapshots around a change of the feed are no evidence of it.
    if ('feed' in expected.event || 'enrolmentId' in expected.event) continue;
    const before = difference([...numbersOfBytes(row.before_breach)], expected.before);
    if (before) return `evidence before ${key}: ${before}`;
    const after = difference([...numbersOfBytes(row.after_breach)], expected.after);
    if (after) return `evidence after ${key}: ${after}`;
  }
  return undefined;
}

async function checkState(
  sql: SqliteConnection,
  number: number,
  account: ReferenceAccount,
): Promise<string | undefined> {
  const [row] = await readLiveAccounts(sql, [number]);
  if (Number.isNaN(account.live.lastTimeMs)) return undefined;
  if (!row?.state) return 'has no state';
  const isSame = Buffer.from(row.state).equals(encodeLiveAccount(account.live));
  return isSame ? undefined : 'its state is not what the reference has';
}

const byStart = <T extends { startTimeMs: number }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => a.startTimeMs - b.startTimeMs);

/** The first difference, in words. */
function difference(found: readonly unknown[], expected: readonly unknown[]): string | undefined {
  const most = Math.max(found.length, expected.length);
  for (let index = 0; index < most; index += 1) {
    const [is, should] = [JSON.stringify(found[index]), JSON.stringify(expected[index])];
    if (is !== should) return `${is} instead of ${should} (${index + 1} of ${most})`;
  }
  return undefined;
}
