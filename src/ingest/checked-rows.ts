import type { Deal } from '../domain/deal.ts';
import type { Columns } from '../journal/entry.ts';
import type { IngestAccount } from './ingest-accounts.ts';

/** Rows checked against their accounts: money in units of each account's currency. */
export type CheckedRows = Columns & {
  accounts: readonly IngestAccount[];
  /** The moment of each row. */
  utcMs: Float64Array;
  /** 1 for each row that came after a newer one of its account; absent if none did. */
  isBehind?: Uint8Array;
  deals: readonly { row: number; deals: readonly Deal[] }[];
};
