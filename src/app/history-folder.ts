import type { Slice } from '../histories/fold-slice.ts';
import type { PositionReader, PositionsAt } from '../histories/positions-at.ts';
import { UserTurns } from '../services/user-turns.ts';
import type { Account } from '../storage/account-store.ts';
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

/** Each takes some megabytes while the thread works on it; callers bound how many wait. */
const AT_ONCE = { process: 2, user: 2, waiting: Number.POSITIVE_INFINITY };

/**
 * Folds slices of long histories, in turns of users, and finds open positions, in a thread started
 * on demand.
 */
export class HistoryFolder {
  readonly #thread: Thread<HistoryAsk, HistoryAnswer>;
  readonly #folds = new UserTurns(AT_ONCE);
  /** Callers wait for them, so they never wait for folds. */
  readonly #positions = new UserTurns(AT_ONCE);
  #stops = 0;

  constructor({ DATABASE_URL, PLIMSOLL_DATA }: Where) {
    this.#thread = new Thread('history-thread', import.meta.url, {
      data: { DATABASE_URL, PLIMSOLL_DATA },
      ...{ heapMb: HEAP_MB, idleMs: IDLE_MS, answerMs: ANSWER_MS },
      late: () => new DatabaseUnavailable('Folding a history takes too long'),
    });
  }

  async fold({ number, id, currency, brokerClock, userId }: Account): Promise<Slice> {
    const ask = { account: { number, id, currency, brokerClock } };
    const answer = await this.#inTurn(this.#folds, userId, ask);
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
    const answer = await this.#inTurn(this.#positions, '', { positionsAt });
    if (!('positions' in answer)) throw new Error('Invariant: positions were asked for');
    return answer.positions;
  }

  /** Rejects all callers; the next one starts another thread. */
  stop(): Promise<void> {
    this.#stops += 1;
    return this.#thread.end(stopping());
  }

  async #inTurn(turns: UserTurns, userId: string, ask: HistoryAsk): Promise<HistoryAnswer> {
    const { promise: turn, resolve: begin } = Promise.withResolvers<() => void>();
    turns.take(userId, begin);
    const stops = this.#stops;
    const end = await turn;
    const asked = stops === this.#stops ? this.#thread.ask(ask) : Promise.reject(stopping());
    const answer = await asked.finally(end);
    if ('unavailable' in answer) throw new DatabaseUnavailable(answer.unavailable);
    return answer;
  }
}

const stopping = () => new DatabaseUnavailable('The server is stopping');
