import type { FoldedAccount, Slice } from '../services/trades/fold-slice.ts';

/** To the thread: whose next slice it shall fold. */
export type ToHistoryThread = { id: number; account: FoldedAccount };

/** Chunks cross as bytes. */
export type SentSlice = Omit<Slice, 'chunks'> & {
  chunks: { chunkNumber: number; body: Uint8Array; marks: Uint8Array }[];
};

export type FromHistoryThread =
  | { id: number; slice: SentSlice }
  | { id: number; failure: { message: string; isUnavailable: boolean } };
