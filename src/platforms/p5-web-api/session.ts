import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { openSocket, TransportError } from '../connection/open-socket.ts';
import type { ServerAddress } from '../connection/server-address.ts';
import { PlatformError } from '../gateway.ts';
import { proofOf, provesKey } from './handshake.ts';
import type { P5Limits } from './limits.ts';
import { isRecord, type P5Record, textOf } from './record.ts';
import { parseRetcode, RETCODE, RetcodeError } from './retcode.ts';
import { exchange, OneSocketAgent } from './transport.ts';

export type P5Credentials = { login: number; key: Buffer };
export type P5Params = { readonly [name: string]: string | number };

/** Build of the protocol that this side claims to be; servers accept 484 and newer. */
const PROTOCOL_VERSION = 3470;
const AGENT = 'Plimsoll';

/** One authenticated connection. It lives as long as its socket and is never revived. */
export class P5Session {
  readonly #socket: Socket;
  readonly #agent: OneSocketAgent;
  readonly #address: ServerAddress;
  readonly #limits: P5Limits;
  #cookie: string | undefined;

  private constructor(socket: Socket, address: ServerAddress, limits: P5Limits) {
    this.#socket = socket;
    this.#agent = new OneSocketAgent(socket);
    this.#address = address;
    this.#limits = limits;
  }

  /**
   * Connects, proves our knowledge of the password and demands the server's proof. Throws
   * TransportError, RetcodeError, or PlatformError `denied` when the server can't prove itself.
   * The signal ends the session at any time.
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
  async request(command: string, params: P5Params = {}, body?: P5Record): Promise<P5Record> {
    if (!this.alive) throw new TransportError('The connection to the trading server has ended');
    const query = new URLSearchParams(
      Object.entries(params).map(([name, value]) => [name, String(value)]),
    ).toString();
    try {
      const answer = await exchange(this.#agent, this.#address, this.#limits, {
        path: query === '' ? command : `${command}?${query}`,
        body: body === undefined ? undefined : JSON.stringify(body),
        cookie: this.#cookie,
      });
      const cookie = answer.setCookie.map((line) => line.split(';', 1)[0]).join('; ');
      if (cookie !== '') this.#cookie = cookie;
      // Servers from before a command was added know no such page.
      if (answer.status === 404) throw new RetcodeError(RETCODE.noService, 'No such command');
      if (answer.status !== 200)
        throw new TransportError(`The trading server answered HTTP ${answer.status}`, {
          sent: true,
        });
      return parseEnvelope(answer.body, body === undefined);
    } catch (error) {
      if (error instanceof TransportError) this.close();
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
    this.#socket.destroy();
  }

  async #authenticate({ login, key }: P5Credentials): Promise<void> {
    const start = await this.request('/api/auth/start', {
      version: PROTOCOL_VERSION,
      agent: AGENT,
      login,
      type: 'manager',
    });
    const serverRandom = textOf(start, 'srv_rand');
    if (!/^[0-9a-f]{32}$/i.test(serverRandom))
      throw new TransportError('The trading server sent no valid challenge', { sent: true });
    const clientRandom = randomBytes(16).toString('hex');
    const answer = await this.request('/api/auth/answer', {
      srv_rand_answer: proofOf(key, serverRandom),
      cli_rand: clientRandom,
    });
    if (!provesKey(key, clientRandom, textOf(answer, 'cli_rand_answer')))
      throw new PlatformError(
        'denied',
        'The trading server could not prove that it knows the manager password',
      );
  }
}

/** `{"retcode": "0 Done", …}`. The text of a refusal is dropped where it might quote our body. */
function parseEnvelope(bytes: Buffer, keepText: boolean): P5Record {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new TransportError('The trading server sent no valid JSON', { sent: true });
  }
  const retcode = isRecord(value) ? parseRetcode(value.retcode) : undefined;
  if (!isRecord(value) || !retcode)
    throw new TransportError('The trading server sent no retcode', { sent: true });
  if (retcode.code !== RETCODE.done && retcode.code !== RETCODE.doneNothing)
    throw new RetcodeError(retcode.code, keepText ? retcode.text : '');
  return value;
}
