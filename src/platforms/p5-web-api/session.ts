import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Pool } from 'undici';
import { exchange, httpPool } from '../connection/http-exchange.ts';
import { openSocket } from '../connection/open-socket.ts';
import type { ServerAddress } from '../connection/server-address.ts';
import { TransportError } from '../connection/transport-error.ts';
import { PlatformError } from '../gateway.ts';
import { AnswerRows } from './answer-rows.ts';
import { proofOf, provesKey } from './handshake.ts';
import type { P5Limits } from './limits.ts';
import { type P5Record, textOf } from './record.ts';
import { parseRetcode, RETCODE, RetcodeError } from './retcode.ts';

export type P5Credentials = { login: number; key: Buffer };
export type P5Params = { readonly [name: string]: string | number };

export type P5Command = {
  command: string;
  params?: P5Params;
  body?: P5Record;
  /** Whether the caller accepts a partial answer (see `isPart`); otherwise it is refused. */
  takesPart?: boolean;
};

/** Whether the server had more to answer than fits into one answer. */
export const isPart = (answer: P5Record): boolean =>
  parseRetcode(answer.retcode)?.code === RETCODE.partOfIt;

/** Build of the protocol that this side claims to be; servers accept 484 and newer. */
const PROTOCOL_VERSION = 3470;
const AGENT = 'Plimsoll';

/** One authenticated connection. It lives as long as its socket and is never revived. */
export class P5Session {
  readonly #socket: Socket;
  readonly #pool: Pool;
  readonly #limits: P5Limits;
  #cookie: string | undefined;

  private constructor(socket: Socket, address: ServerAddress, limits: P5Limits) {
    this.#socket = socket;
    this.#limits = limits;
    let isTaken = false;
    // Gives its one socket once: a session can't move to another connection unnoticed.
    this.#pool = httpPool(address, 1, async () => {
      if (isTaken) throw new TransportError('The connection to the server has ended');
      isTaken = true;
      return socket;
    });
  }

  /**
   * Connects, proves that we know the password and requires the server's proof. Throws
   * TransportError, RetcodeError, or PlatformError `denied` when the server can't prove itself. The
   * signal ends the session at any time.
   */
  static async open(
    address: ServerAddress,
    credentials: P5Credentials,
    limits: P5Limits,
    signal: AbortSignal,
  ): Promise<P5Session> {
    const session = new P5Session(await openSocket(address, limits, signal), address, limits);
    try {
      await session.#authenticate(credentials);
    } catch (error) {
      session.close();
      throw error;
    }
    return session;
  }

  get alive(): boolean {
    return !this.#socket.destroyed && this.#socket.readable && this.#socket.writable;
  }

  /**
   * Runs one command. Throws RetcodeError for a refusal, TransportError when the connection or
   * the answer is unusable; the session is closed then.
   */
  async request({ command, params = {}, body, takesPart }: P5Command): Promise<P5Record> {
    if (!this.alive) throw new TransportError('The connection to the server has ended');
    const query = queryOf(params);
    const rows: P5Record[] = [];
    const reader = new AnswerRows((row) => {
      if (rows.length >= this.#limits.maxRows)
        throw new TransportError('The answer has too many rows', { sent: true, isTooLarge: true });
      rows.push(row);
    });
    try {
      const { status, headers } = await exchange(
        this.#pool,
        {
          method: body === undefined ? 'GET' : 'POST',
          path: query === '' ? command : `${command}?${query}`,
          headers: {
            // The server wants this type even though bodies are JSON.
            'content-type': 'application/x-www-form-urlencoded',
            'user-agent': AGENT,
            ...(this.#cookie === undefined ? {} : { cookie: this.#cookie }),
          },
          body: body === undefined ? undefined : JSON.stringify(body),
        },
        this.#limits,
        (chunk) => reader.push(chunk),
      );
      const cookie = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';', 1)[0]);
      if (cookie.length > 0) this.#cookie = cookie.join('; ');
      // Servers older than a command answer that there is no such page.
      if (status === 404) throw new RetcodeError(RETCODE.noService, 'No such command');
      if (status !== 200)
        throw new TransportError(`The server answered HTTP ${status}`, { sent: true });
      return answerOf(reader.end(), rows, { keepText: body === undefined, takesPart });
    } catch (error) {
      if (error instanceof TransportError) this.close();
      throw error;
    }
  }

  close(): void {
    this.#pool.destroy().catch(() => undefined);
    this.#socket.destroy();
  }

  async #authenticate({ login, key }: P5Credentials): Promise<void> {
    const start = await this.request({
      command: '/api/auth/start',
      params: { version: PROTOCOL_VERSION, agent: AGENT, login, type: 'manager' },
    });
    const serverRandom = textOf(start, 'srv_rand');
    if (!/^[0-9a-f]{32}$/i.test(serverRandom))
      throw new TransportError('The server sent no valid challenge', { sent: true });
    const clientRandom = randomBytes(16).toString('hex');
    const answer = await this.request({
      command: '/api/auth/answer',
      params: { srv_rand_answer: proofOf(key, serverRandom), cli_rand: clientRandom },
    });
    if (!provesKey(key, clientRandom, textOf(answer, 'cli_rand_answer')))
      throw new PlatformError('denied', 'the server did not prove that it knows the password');
  }
}

/** `{"retcode": "0 Done", …}`. The text of a refusal is dropped where it might quote our body. */
function answerOf(
  envelope: P5Record,
  rows: P5Record[],
  { keepText, takesPart = false }: { keepText: boolean; takesPart?: boolean | undefined },
): P5Record {
  const retcode = parseRetcode(envelope.retcode);
  if (!retcode) throw new TransportError('The server sent no retcode', { sent: true });
  const isDone = retcode.code === RETCODE.done || retcode.code === RETCODE.doneNothing;
  if (!isDone && !(takesPart && isPart(envelope)))
    throw new RetcodeError(retcode.code, keepText ? retcode.text : '');
  return rows.length > 0 ? { ...envelope, answer: rows } : envelope;
}

/** A blank is %20: not every server reads a `+` as one. */
const queryOf = (params: P5Params): string =>
  Object.entries(params)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
