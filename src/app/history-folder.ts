import type { FoldedAccount, Slice } from '../histories/fold-slice.ts';
import type { PositionReader, PositionsAt } from '../histories/positions-at.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { TradeChunk } from '../storage/trade-store.ts';
import { Thread } from '../threads/thread.ts';
import type { HistoryAnswer, HistoryAsk } from './history-thread.ts';
import type { Settings } from './settings.ts';

const HEAP_MB = 512;
/** An answer takes a tenth of a second; a stuck thread must not block accounts for ever. */
const ANSWER_MS = 60_000;
/** An unused thread frees its memory and its connection. */
const IDLE_MS = 30_000;

type Where = Pick<Settings, 'DATABASE_URL' | 'PLIMSOLL_DATA'>;

/** Folds slices of long histories, and finds open positions, in a thread started on demand. */
export class HistoryFolder {
  readonly #thread: Thread<HistoryAsk, HistoryAnswer>;

  constructor({ DATABASE_URL, PLIMSOLL_DATA }: Where) {
    this.#thread = new Thread('history-thread', import.meta.url, {
      data: { DATABASE_URL, PLIMSOLL_DATA },
      ...{ heapMb: HEAP_MB, idleMs: IDLE_MS, answerMs: ANSWER_MS },
      late: () => new DatabaseUnavailable('Folding a history takes too long'),
    });
  }

  async fold({ number, id, currency }: FoldedAccount): Promise<Slice> {
    const answer = await this.#ask({ account: { number, id, currency } });
    if (!('slice' in answer)) throw new Error('Invariant: a slice was asked for');
    const { chunks, ...slice } = answer.slice;
    return {
      ...slice,
      chunks: chunks.map(({ chunkNumber, body, marks, figures }) => {
        const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
        return TradeChunk.read(chunkNumber, bytes, marks, figures);
      }),
    };
  }

  async positionsAt(...positionsAt: Parameters<PositionReader>): Promise<PositionsAt> {
    const answer = await this.#ask({ positionsAt });
    if (!('positions' in answer)) throw new Error('Invariant: positions were asked for');
    return answer.positions;
  }

  stop(): Promise<void> {
    return this.#thread.end(new DatabaseUnavailable('The server is stopping'));
  }

  async #ask(ask: HistoryAsk): Promise<HistoryAnswer> {
    const answer = await this.#thread.ask(ask);
    if ('unavailable' in answer) throw new DatabaseUnavailable(answer.unavailable);
    return answer;
  }
}
