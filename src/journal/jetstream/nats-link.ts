import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';
import type { JournalLogger } from '../journal.ts';
import { JournalUnavailable } from './stream.ts';

/** Earlier servers can lose a whole stream when they are killed (fixed in 2.10.23). */
const OLDEST_SERVER = [2, 10, 23] as const;
const CONNECT_MS = 3000;
const RECONNECT_MS = 200;
/** A live server answers this fast; otherwise another is tried. */
const PING_EVERY_MS = 2000;
const PONG_MS = 1000;
const PINGS_UNANSWERED = 2;

type Subscription = { subject: string; heard: (text: string) => void };

/** A server of the cluster must not be used. */
export class UnfitServer extends Error {
  override readonly name = 'UnfitServer';
}

/**
 * A connection to one of the servers of NATS_URL; when it is lost, another server is tried. The
 * library's own reconnection is not used: it buffers messages and sends them when no caller waits
 * for them any more, which must not happen to entries of a journal.
 */
export class NatsLink {
  readonly #options: ConnectionOptions & { servers: string[] };
  readonly #logger: JournalLogger;
  readonly #subscriptions: Subscription[] = [];
  #connection: NatsConnection | undefined;
  #keeping: Promise<void> = Promise.resolve();
  #reason = 'not connected yet';
  #isClosed = false;

  /** Throws UnfitServer, or JournalUnavailable when no server answers. */
  static async open(urls: string, logger: JournalLogger): Promise<NatsLink> {
    const link = new NatsLink(urls, logger);
    const connection = await link.#connect();
    link.#keeping = link.#keep(connection);
    return link;
  }

  private constructor(urls: string, logger: JournalLogger) {
    this.#options = {
      ...readServers(urls),
      name: 'plimsoll',
      reconnect: false,
      timeout: CONNECT_MS,
      pingInterval: PING_EVERY_MS,
      maxPingOut: PINGS_UNANSWERED,
      noEcho: true,
      ignoreClusterUpdates: true,
    };
    this.#logger = logger;
  }

  /** Why there is no connection; undefined while there is one. */
  get failure(): string | undefined {
    return this.#connection ? undefined : this.#reason;
  }

  /** The current connection. Throws JournalUnavailable if there is none. */
  get connection(): NatsConnection {
    if (this.#connection) return this.#connection;
    throw new JournalUnavailable(`No NATS server can be used: ${this.#reason}`);
  }

  /** Calls `heard` with messages of others on a subject, over all future connections, too. */
  subscribe(subject: string, heard: (text: string) => void): void {
    this.#subscriptions.push({ subject, heard });
    if (this.#connection) listen(this.#connection, { subject, heard });
  }

  /** Publishes to the subscribers of a subject; does nothing without a connection. */
  tell(subject: string, text: string): void {
    if (this.#connection && !this.#connection.isClosed()) this.#connection.publish(subject, text);
  }

  /** After something took too long: checks whether the connected server still answers. */
  async suspect(connection: NatsConnection): Promise<void> {
    const late = sleep(PONG_MS, 'late', { ref: false });
    const answer = await Promise.race([connection.rtt().catch(() => 'late'), late]);
    if (answer === 'late') await connection.close().catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection?.close().catch(() => {});
    await this.#keeping;
  }

  /** Keeps a connection while it lasts, then makes the next, until this is closed. */
  async #keep(first: NatsConnection): Promise<void> {
    let connection: NatsConnection | undefined = first;
    while (!this.#isClosed) {
      if (connection) {
        this.#connection = connection;
        for (const each of this.#subscriptions) listen(connection, each);
        const error = await connection.closed();
        this.#connection = undefined;
        connection = undefined;
        this.#lost(error instanceof Error ? error.message : 'the connection was closed');
      }
      await sleep(RECONNECT_MS);
      connection = await this.#connect().catch((error: Error) => {
        this.#lost(error.message);
        return undefined;
      });
    }
    // A connection made while this was being closed would keep the process alive.
    await connection?.close();
  }

  #lost(reason: string): void {
    if (this.#isClosed) return;
    if (reason !== this.#reason) this.#logger.warn({ reason }, 'there is no connection to NATS');
    this.#reason = reason;
  }

  /** Tries one server after another, from a random one on, until this is closed. */
  async #connect(): Promise<NatsConnection> {
    const { servers } = this.#options;
    const first = Math.floor(Math.random() * servers.length);
    let cause: unknown;
    for (const server of [...servers.slice(first), ...servers.slice(0, first)]) {
      if (this.#isClosed) break;
      try {
        return await this.#dial(server);
      } catch (error) {
        if (error instanceof UnfitServer) throw error;
        cause = error;
      }
    }
    const reason = cause instanceof Error ? cause.message : 'it was not asked any more';
    throw new JournalUnavailable(`No server of NATS_URL answers (${reason})`, { cause });
  }

  async #dial(server: string): Promise<NatsConnection> {
    const connection = await connect({ ...this.#options, servers: [server] });
    const { version = '0', server_name: name } = connection.info ?? {};
    if (isFit(version)) return connection;
    await connection.close();
    const needed = `${OLDEST_SERVER.join('.')} or newer, as earlier ones can lose the journal`;
    throw new UnfitServer(`The NATS server ${name} is version ${version}: install ${needed}`);
  }
}

function isFit(version: string): boolean {
  const numbers = version.split(/[.-]/).map(Number);
  const place = OLDEST_SERVER.findIndex((least, index) => numbers[index] !== least);
  return place < 0 || (numbers[place] ?? 0) > (OLDEST_SERVER[place] ?? 0);
}

/** A closed connection throws, possibly before this is reported; the next one subscribes anyway. */
function listen(connection: NatsConnection, { subject, heard }: Subscription): void {
  if (connection.isClosed()) return;
  connection.subscribe(subject, {
    callback: (error, message) => {
      if (!error) heard(message.string());
    },
  });
}

/** Servers and credentials: `nats://user:password@host:4222,nats://…`; a lone user is a token. */
export function readServers(
  urls: string,
): Pick<ConnectionOptions, 'user' | 'pass' | 'token' | 'tls'> & { servers: string[] } {
  const all = urls.split(',').map((url) => new URL(url.trim()));
  const [first] = all;
  const [user = '', pass = ''] = [first?.username, first?.password].map((part) =>
    decodeURIComponent(part ?? ''),
  );
  const login = pass !== '' ? { user, pass } : user !== '' ? { token: user } : {};
  return {
    servers: all.map(({ host, port }) => (port === '' ? `${host}:4222` : host)),
    ...login,
    ...(all.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}),
  };
}
