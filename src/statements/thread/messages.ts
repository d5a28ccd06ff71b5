import type { Deal } from '../../domain/deal.ts';
import type { TableSample } from '../flat/table-sample.ts';
import type { Reconciliation } from '../outcome/reconcile.ts';
import type { Summary } from '../outcome/summary.ts';
import type { ReadOptions, Statement } from '../statement.ts';

/** A statement without its deals, which come in pages, and the sums of these. */
export type StatementHead = Omit<Statement, 'deals'> & {
  /** SHA-256 of the file, in hexadecimal. */
  contentHash: string;
  /** What people call it; the thread knows only its bytes. */
  fileName?: string | undefined;
  summary: Summary;
  reconciliation: Reconciliation;
};

export type FileOptions = Omit<ReadOptions, 'onProgress'>;

/** To the thread: first a file, then a request for each page of deals. */
export type ToWorker = ({ kind: 'read'; bytes: Uint8Array } & FileOptions) | { kind: 'page' };

/** From the thread: progress, then the statement or the reason of a failure, then pages. */
export type FromWorker =
  | { kind: 'progress'; doneShare: number }
  | { kind: 'head'; head: StatementHead }
  | { kind: 'unreadable'; expected: string; where: string; table: TableSample | undefined }
  | { kind: 'failed'; message: string; stack: string | undefined }
  /** Empty after the last deal. */
  | { kind: 'page'; deals: Deal[] };
