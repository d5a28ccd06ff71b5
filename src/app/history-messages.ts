import type { FoldedAccount, Slice } from '../histories/fold-slice.ts';
import type { PositionReader, PositionsAt } from '../histories/positions-at.ts';

/**
 * To the thread: whose next slice it shall fold, or what was open at which moment it shall tell.
 */
export type ToHistoryThread = { id: number } & (
  | { account: FoldedAccount }
  | { positionsAt: Parameters<PositionReader> }
);

/** Chunks cross as bytes. */
export type SentSlice = Omit<Slice, 'chunks'> & {
  chunks: {
    chunkNumber: number;
    body: Uint8Array;
    marks: Uint8Array;
    figures: Uint8Array;
  }[];
};

export type HistoryAnswer = { slice: SentSlice } | { positions: PositionsAt };

export type FromHistoryThread = { id: number } & (
  | HistoryAnswer
  | { failure: { message: string; isUnavailable: boolean } }
);
