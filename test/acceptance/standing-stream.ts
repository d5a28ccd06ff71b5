import type { LiveMessage } from '../../src/contract/operations/live-standing.ts';
import type { Client } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

const PATH = '/users/current/standing/live';
export type Told = Extract<LiveMessage, { kind: 'account' }>;
type Part = keyof Told;

/** A client of the stream of standings, and what it has heard. */
export class StandingReader {
  readonly messages: LiveMessage[] = [];
  /** When each came. */
  readonly atMs: number[] = [];
  lastId: string | undefined;
  text = '';
  isOver = false;
  readonly #leave = new AbortController();
  readonly status: number;
  readonly #read: Promise<void>;

  private constructor(response: Response, leave: AbortController) {
    this.status = response.status;
    this.#leave = leave;
    this.#read = this.#readAll(response).catch(() => {});
  }

  static async open(client: Client, query = '', lastId?: string): Promise<StandingReader> {
    const leave = new AbortController();
    const response = await fetch(`${client.address}${PATH}${query}`, {
      headers: {
        'auth-token': client.token ?? '',
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
      signal: leave.signal,
    });
    return new StandingReader(response, leave);
  }

  /** Opens a stream and reads the whole state. */
  static async whole(client: Client, query = '', lastId?: string): Promise<StandingReader> {
    const reader = await StandingReader.open(client, query, lastId);
    await until(() => reader.messages.some(({ kind }) => kind === 'complete'), 'the whole state');
    return reader;
  }

  async close(): Promise<void> {
    this.#leave.abort();
    await this.#read;
  }

  get reason(): string | undefined {
    const [first] = this.messages;
    return first?.kind === 'begin' ? first.reason : undefined;
  }

  /** All that was told of an account. */
  of(accountId: string): Told[] {
    return this.messages.flatMap((each) =>
      each.kind === 'account' && each.accountId === accountId ? [each] : [],
    );
  }

  get accountIds(): string[] {
    const ids = this.messages.flatMap((each) => (each.kind === 'account' ? [each.accountId] : []));
    return [...new Set(ids)].sort();
  }

  /** The newest that was told of a part of an account. */
  last<P extends Part>(accountId: string, part: P): Told[P] | undefined {
    return this.of(accountId).findLast((each) => each[part] !== undefined)?.[part];
  }

  async #readAll(response: Response): Promise<void> {
    let rest = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      this.text += part;
      const blocks = (rest + part).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.#hear(block);
    }
    this.isOver = true;
  }

  #hear(block: string): void {
    if (block.startsWith('event:')) return;
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) this.lastId = line.slice(4);
      if (!line.startsWith('data: ')) continue;
      this.messages.push(JSON.parse(line.slice(6)) as LiveMessage);
      this.atMs.push(performance.now());
    }
  }
}
