import { countFirst } from '../domain/count-first.ts';
import type { CountedTrade } from '../domain/metrics/counted-trade.ts';
import { encodeTrades, TradeColumns } from '../domain/metrics/trade-columns.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { bufferOf, utf8Bytes } from './sql-text.ts';

/** All of an account's chunks but the last are full, so a trade's index gives its chunk. */
export const TRADES_PER_CHUNK = 250;

const NO_BYTES = new Uint8Array();

/** A closed trade in the form of the API, and in that of statistics. */
export type TradeItem = { closeTimeMs: number; id: string; json: Buffer; counted: CountedTrade };

/** Up to TRADES_PER_CHUNK trades as JSON texts joined by commas. */
export class TradeChunk {
  readonly chunkNumber: number;
  readonly body: Buffer;
  /** The same trades, written by `encodeTrades`; empty if not read. */
  readonly figures: Uint8Array;
  /** Close times, then the offsets at which each trade starts in the body. */
  readonly #marks: Float64Array;

  constructor(chunkNumber: number, body: Buffer, marks: Float64Array, figures?: Uint8Array) {
    this.chunkNumber = chunkNumber;
    this.body = body;
    this.figures = figures ?? NO_BYTES;
    this.#marks = marks;
  }

  get count(): number {
    return this.#marks.length / 2;
  }

  closeTimeMs(index: number): number {
    return this.#marks[index] ?? Number.POSITIVE_INFINITY;
  }

  /** How many trades closed before a time. */
  countBefore(timeMs: number): number {
    return countFirst(this.count, (index) => this.closeTimeMs(index) < timeMs);
  }

  /** The bytes of trades [from, to), with the commas between them. */
  slice(from: number, to: number): Buffer {
    const start = this.#marks[this.count + from] ?? this.body.length;
    const end = to < this.count ? (this.#marks[this.count + to] ?? 0) - 1 : this.body.length;
    return this.body.subarray(start, Math.max(start, end));
  }

  /** Of a chunk read with its figures. */
  items(): TradeItem[] {
    const columns = new TradeColumns(this.figures);
    return Array.from({ length: this.count }, (_, index) => {
      const json = this.slice(index, index + 1);
      const { _id } = JSON.parse(json.toString()) as { _id: string };
      // Account ids have no "+": what follows the first one is the trade's own id.
      const id = _id.slice(_id.indexOf('+') + 1);
      return { closeTimeMs: this.closeTimeMs(index), id, json, counted: columns.at(index) };
    });
  }

  /**
   * Frees the memory of the body, which must not be used afterwards. Otherwise V8 would have to
   * scan its whole heap to free it, which it does for every 64 MB outside its heap.
   */
  release(): void {
    const { buffer, byteLength } = this.body;
    // Short buffers share their memory with others.
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  }

  encodedMarks(): Buffer {
    return Buffer.from(this.#marks.buffer, this.#marks.byteOffset, this.#marks.byteLength);
  }

  /** From bytes written by `encodedMarks`. */
  static read(
    chunkNumber: number,
    body: Buffer,
    encodedMarks: Uint8Array,
    figures?: Uint8Array,
  ): TradeChunk {
    // Bytes from drivers and other threads need not be aligned for doubles.
    const isAligned = encodedMarks.byteOffset % Float64Array.BYTES_PER_ELEMENT === 0;
    const { buffer, byteOffset, byteLength } = isAligned ? encodedMarks : encodedMarks.slice();
    const marks = new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT);
    return new TradeChunk(chunkNumber, body, marks, figures);
  }

  static of(chunkNumber: number, items: readonly TradeItem[]): TradeChunk {
    const marks = new Float64Array(items.length * 2);
    const parts: Buffer[] = [];
    let offset = 0;
    items.forEach((item, index) => {
      if (index > 0) parts.push(COMMA);
      marks[index] = item.closeTimeMs;
      marks[items.length + index] = offset;
      parts.push(item.json);
      offset += item.json.length + 1;
    });
    const figures = encodeTrades(items.map(({ counted }) => counted));
    return new TradeChunk(chunkNumber, Buffer.concat(parts), marks, figures);
  }
}

const COMMA = Buffer.from(',');

const columnsOf = (kind: Sql['kind']): string => `chunk_number, marks, ${utf8Bytes(kind, 'body')}`;

type ChunkRow = Row & {
  chunk_number: number;
  marks: Uint8Array;
  body: Uint8Array | string;
  figures?: Uint8Array;
};

/** Chunks from a number on, in order; on demand with their figures. */
export async function readChunks(
  sql: Sql,
  accountNumber: number,
  fromChunk: number,
  count: number,
  { withFigures = false }: { withFigures?: boolean } = {},
): Promise<TradeChunk[]> {
  const rows = await sql.all<ChunkRow>(
    `select ${columnsOf(sql.kind)}${withFigures ? ', figures' : ''} from trade_chunk
     where account_number = $1 and chunk_number >= $2 and chunk_number < $3 order by chunk_number`,
    [accountNumber, fromChunk, fromChunk + count],
  );
  return rows.map(chunkOf);
}

/** The trades of chunks from a number on, in order, in the form of statistics. */
export async function readTradeColumns(
  sql: Sql,
  accountNumber: number,
  fromChunk: number,
  count: number,
): Promise<TradeColumns[]> {
  const rows = await sql.all<Row & { figures: Uint8Array }>(
    `select figures from trade_chunk
     where account_number = $1 and chunk_number >= $2 and chunk_number < $3 order by chunk_number`,
    [accountNumber, fromChunk, fromChunk + count],
  );
  return rows.map(({ figures }) => new TradeColumns(figures));
}

/** The chunk with the first trade that closed at or after a time, or the chunk before it. */
const CHUNK_AT = `coalesce(
  (select chunk_number from trade_chunk where account_number = $1 and first_close_ms < $2
   order by first_close_ms desc, chunk_number desc limit 1), 0)`;

/** The place in the whole history of the first trade that closed at or after a time. */
export async function findPlace(sql: Sql, accountNumber: number, timeMs: number): Promise<number> {
  const row = await sql.get<{ chunk_number: number; marks: Uint8Array }>(
    `select chunk_number, marks from trade_chunk
     where account_number = $1 and chunk_number = ${CHUNK_AT}`,
    [accountNumber, timeMs],
  );
  if (!row) return 0;
  const chunk = chunkOf({ ...row, body: NO_BYTES });
  return chunk.chunkNumber * TRADES_PER_CHUNK + chunk.countBefore(timeMs);
}

/**
 * Chunks from the one at a time on (see CHUNK_AT): one range read for the first page of any range.
 * None if the trades are of another version.
 */
export async function readChunksFrom(
  sql: Sql,
  accountNumber: number,
  tradeVersion: number,
  timeMs: number,
  count: number,
): Promise<TradeChunk[]> {
  const rows = await sql.all<ChunkRow>(
    `select ${columnsOf(sql.kind)} from trade_chunk
     where account_number = $1 and chunk_number >= ${CHUNK_AT}
       and $4 = (select trade_version from account_history where account_number = $1)
     order by chunk_number limit $3`,
    [accountNumber, timeMs, count, tradeVersion],
  );
  return rows.map(chunkOf);
}

/** Stores chunks of consecutive numbers, replacing existing ones. */
export async function replaceChunks(
  tx: Transaction,
  accountNumber: number,
  chunks: readonly TradeChunk[],
): Promise<void> {
  const [first] = chunks;
  if (!first) return;
  await tx.run(
    `delete from trade_chunk
     where account_number = $1 and chunk_number >= $2 and chunk_number < $3`,
    [accountNumber, first.chunkNumber, first.chunkNumber + chunks.length],
  );
  for (const chunk of chunks) {
    await tx.run(
      `insert into trade_chunk
         (account_number, chunk_number, first_close_ms, marks, figures, body)
       values ($1, $2, $3, $4, $5, $6)`,
      [
        ...[accountNumber, chunk.chunkNumber, chunk.closeTimeMs(0), chunk.encodedMarks()],
        ...[chunk.figures, chunk.body],
      ],
    );
  }
}

/** Deletes chunks from a number on, at most `limit`. Returns how many. */
export const deleteChunksFrom = (
  tx: Transaction,
  accountNumber: number,
  fromChunk: number,
  limit: number,
): Promise<number> =>
  tx.run(
    `delete from trade_chunk where account_number = $1 and chunk_number in
       (select chunk_number from trade_chunk where account_number = $1 and chunk_number >= $2
        order by chunk_number limit $3)`,
    [accountNumber, fromChunk, limit],
  );

const chunkOf = ({ chunk_number, marks, body, figures }: ChunkRow): TradeChunk =>
  TradeChunk.read(chunk_number, bufferOf(body), marks, figures);
