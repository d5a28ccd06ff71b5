import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Channel } from '../database.ts';
import { query } from './postgres-pool.ts';

const RECONNECT_MS = 500;
const MAX_RECONNECT_MS = 4000;
const CONNECT_MS = 3000;
/** A connection that only listens looks the same in silence and without a network. */
const PING_EVERY_MS = 2000;
const PING_MS = 2000;

/**
 * Notifications of PostgreSQL on a separate connection, made with the first listener and again when
 * it is lost; every listener then receives an empty payload, as it may have missed some.
 */
export class PostgresListener {
  readonly #url: string;
  readonly #onLost: (error: Error) => void;
  readonly #channels = new EventEmitter().setMaxListeners(0);
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #ping: NodeJS.Timeout | undefined;
  #connecting: Promise<void> = Promise.resolve();
  #failures = 0;
  /** A connection takes one statement at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(url: string, onLost: (error: Error) => void) {
    this.#url = url;
    this.#onLost = onLost;
  }

  listen(channel: Channel, heard: (payload: string) => void): () => void {
    const isNew = this.#channels.listenerCount(channel) === 0;
    this.#channels.on(channel, heard);
    if (!this.#client) this.#connect();
    else if (isNew) this.#subscribe(this.#client, channel);
    return () => this.#channels.off(channel, heard);
  }

  /** Notifies the listeners of this process, without a round trip to the database. */
  tell(channel: Channel, payload: string): void {
    setImmediate(() => this.#channels.emit(channel, payload));
  }

  /** Notifies the listeners of other processes; false if there is no connection. */
  async notify(channel: Channel, payload: string): Promise<boolean> {
    if (!this.#client) return false;
    await query(this.#client, 'select pg_notify($1, $2)', [channel, payload], PING_MS);
    return true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#ping);
    await this.#connecting;
    await this.#client?.end().catch(() => {});
  }

  #connect(): void {
    if (this.#closed || this.#client) return;
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    this.#client = client;
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('The connection that listens has ended')));
    client.on('notification', ({ channel, payload, processId }) => {
      // Notifications sent over this connection were delivered here already: see tell.
      if (processId !== processOf(client)) this.#channels.emit(channel, payload ?? '');
    });
    this.#connecting = client.connect().then(
      () => {
        this.#failures = 0;
        for (const channel of this.#channels.eventNames()) this.#subscribe(client, String(channel));
        this.#planPing(client);
      },
      (error: Error) => this.#lose(client, error),
    );
  }

  /** Channels are fixed words, so no quoting is needed. */
  #subscribe(client: pg.Client, channel: string): void {
    this.#turn = this.#turn
      .then(() => query(client, `listen ${channel}`, undefined, PING_MS))
      .then(
        () => this.#channels.emit(channel, ''),
        (error: Error) => this.#lose(client, error),
      );
  }

  #planPing(client: pg.Client): void {
    if (this.#client !== client || this.#closed) return;
    this.#ping = setTimeout(() => {
      query(client, 'select 1', [], PING_MS).then(
        () => this.#planPing(client),
        (error: Error) => this.#lose(client, error),
      );
    }, PING_EVERY_MS);
    this.#ping.unref();
  }

  #lose(client: pg.Client, error: Error): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = undefined;
    this.#onLost(error);
    clearTimeout(this.#ping);
    client.end().catch(() => {});
    const waitMs = Math.min(RECONNECT_MS * 2 ** this.#failures, MAX_RECONNECT_MS);
    this.#failures += 1;
    this.#retry = setTimeout(() => this.#connect(), waitMs);
    this.#retry.unref();
  }
}

/** The number of its process in PostgreSQL, which the types of pg leave out. */
const processOf = (client: pg.Client): number | undefined =>
  (client as { processID?: number }).processID;
