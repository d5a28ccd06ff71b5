import { randomBytes } from 'node:crypto';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { allCommands, type Commands, type Request } from './commands.ts';
import { Dealer } from './dealer-commands.ts';
import type { Fault, Faults } from './faults.ts';
import type { Store } from './state.ts';
import { BAD_PARAMETERS, envelope, NO_PERMISSION, proof, Refusal, type Row } from './wire.ts';

const AUTH_MS = 10_000;
const SILENCE_MS = 180_000;
const MAX_BODY = 1024 * 1024;

/** NEW → STARTED (10 s to answer) → READY, per connection. */
type Connection =
  | { state: 'NEW' }
  | { state: 'STARTED'; random: string; untilMs: number }
  | { state: 'READY' };

export type AccessServerOptions = { key?: string; cert?: string };

/** The p5 Web API as its clients see it. `log` holds every request line, for tests to search. */
export class AccessServer {
  readonly #store: Store;
  readonly #faults: Faults;
  readonly #commands: Commands;
  readonly #connections = new Map<Socket, Connection>();
  readonly #heard = new WeakSet<Socket>();
  readonly dealer: Dealer;
  readonly log: string[] = [];
  sessions = 0;
  /** Sessions that a manager may have at a time. */
  maxSessions = Number.POSITIVE_INFINITY;
  /** Each answer comes this much later, as if the server stood far away. */
  latencyMs = 0;
  readonly server: Server;

  constructor(store: Store, faults: Faults, options: AccessServerOptions) {
    this.#store = store;
    this.#faults = faults;
    this.dealer = new Dealer(store);
    this.#commands = allCommands(store, this.dealer);
    const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      this.#handle(incoming, outgoing).catch(() => incoming.socket.destroy());
    };
    const { key, cert } = options;
    const server =
      key !== undefined && cert !== undefined
        ? createHttps({ key, cert }, handle)
        : createHttp(handle);
    server.keepAliveTimeout = 0;
    server.on(key === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      this.#connections.set(socket, { state: 'NEW' });
      socket.setTimeout(SILENCE_MS, () => socket.destroy());
      socket.on('close', () => this.#connections.delete(socket));
      socket.on('error', () => socket.destroy());
    });
    this.server = server;
  }

  get connections(): number {
    return this.#connections.size;
  }

  dropSessions(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  /**
   * As if its patience had passed since the last call: clients that sent nothing in between are
   * gone.
   */
  dropSilent(): { dropped: number } {
    const silent = [...this.#connections.keys()].filter((socket) => !this.#heard.delete(socket));
    for (const socket of silent) socket.destroy();
    return { dropped: silent.length };
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://server');
    this.#heard.add(incoming.socket);
    this.log.push(`${incoming.method} ${incoming.url}`);
    const body = await readJson(incoming);
    if (this.latencyMs > 0) await delay(this.latencyMs);
    const fault = this.#faults.take(url.pathname);
    if (fault?.kind === 'break') return void incoming.socket.destroy();
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'slow') await delay(fault.ms ?? 100);
    // A `+` is a `+` here.
    const query = new URLSearchParams(url.search.replaceAll('+', '%2B'));
    const request = { query, body, connection: incoming.socket };
    const { status, text } = this.#answer(incoming, request, url, fault);
    if (fault?.kind === 'silent') return;
    if (fault?.kind === 'lose') return void incoming.socket.destroy();
    const bytes = Buffer.from(fault?.kind === 'garbage' ? '<html>' : text);
    outgoing.writeHead(status, {
      'content-type': 'application/json',
      'content-length': bytes.length,
    });
    if (fault?.kind === 'drop') {
      outgoing.write(bytes.subarray(0, bytes.length >> 1), () => incoming.socket.destroy());
    } else outgoing.end(bytes);
    if (url.pathname === '/api/quit') incoming.socket.end();
  }

  #answer(
    incoming: IncomingMessage,
    request: Request,
    url: URL,
    fault: Fault | undefined,
  ): { status: number; text: string } {
    try {
      if (fault?.kind === 'refuse') throw new Refusal(fault.retcode ?? '12 Too frequent requests');
      if (url.pathname === '/api/auth/start') return ok(this.#authStart(incoming, request.query));
      if (url.pathname === '/api/auth/answer')
        return ok(this.#authAnswer(incoming.socket, request.query, fault));
      if (this.#connections.get(incoming.socket)?.state !== 'READY')
        throw new Refusal(NO_PERMISSION);
      if (fault?.kind === 'answer') return ok({ answer: fault.answer });
      const command = this.#commands[url.pathname];
      return command ? ok(command(request)) : { status: 404, text: '' };
    } catch (error) {
      if (error instanceof Refusal) return { status: 200, text: envelope(error.retcode) };
      throw error;
    }
  }

  #authStart(incoming: IncomingMessage, query: URLSearchParams): Row {
    const { manager } = this.#store.state;
    const agent = query.get('agent') ?? '';
    if (query.get('type') !== 'manager') throw new Refusal('1000 Invalid client type');
    if (agent === '' || agent.includes(' ')) throw new Refusal(BAD_PARAMETERS);
    if (!(Number(query.get('version')) >= 484)) throw new Refusal('1010 Client is too old');
    if (!manager.allowedAddresses.includes(incoming.socket.remoteAddress ?? ''))
      throw new Refusal('1012 Manager IP blocked');
    if (query.get('login') !== String(manager.login)) throw new Refusal('1001 Invalid account');
    const random = randomBytes(16).toString('hex');
    this.#connections.set(incoming.socket, {
      state: 'STARTED',
      random,
      untilMs: performance.now() + AUTH_MS,
    });
    return { version_access: '3470', srv_rand: random };
  }

  #authAnswer(socket: Socket, query: URLSearchParams, fault: Fault | undefined): Row {
    const connection = this.#connections.get(socket);
    const { password } = this.#store.state.manager;
    this.#connections.set(socket, { state: 'NEW' });
    if (connection?.state !== 'STARTED' || performance.now() > connection.untilMs)
      throw new Refusal('1001 Invalid account');
    if (query.get('srv_rand_answer') !== proof(password, connection.random))
      throw new Refusal('1001 Invalid account');
    const ready = [...this.#connections.values()].filter(({ state }) => state === 'READY');
    if (ready.length >= this.maxSessions) throw new Refusal('1018 Server busy');
    this.#connections.set(socket, { state: 'READY' });
    this.sessions += 1;
    const known = fault?.kind === 'wrongProof' ? 'something else' : password;
    return {
      version_access: '3470',
      version_trade: '3470',
      cli_rand_answer: proof(known, query.get('cli_rand') ?? ''),
    };
  }
}

const ok = (rest: Row): { status: number; text: string } => ({
  status: 200,
  text: envelope('0 Done', rest),
});

export async function readJson(incoming: IncomingMessage): Promise<Row> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_BODY) throw new Refusal(BAD_PARAMETERS);
  }
  return text === '' ? {} : JSON.parse(text);
}
