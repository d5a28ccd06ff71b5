import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Random } from '../simulation/random.ts';

/** An answer, or the end, that is later than this does not come. */
const HANG_MS = 60_000;

export type Answer = { status: number; head: string };

/**
 * A connection that need not behave: parts of requests, many at once, and it may go at any time.
 */
export class HostileConnection {
  readonly #socket: Socket;
  readonly #answers: Answer[] = [];
  #unread = '';
  #isClosed = false;
  #told = Promise.withResolvers<void>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (text: string) => this.#take(text));
    socket.once('close', () => {
      this.#isClosed = true;
      this.#tell();
    });
  }

  static async open(address: string): Promise<HostileConnection> {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    const connection = new HostileConnection(socket);
    await once(socket, 'connect');
    return connection;
  }

  write(part: string | Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(part);
  }

  /** Waits for so many answers, or for the end of the connection; throws when neither comes. */
  async answers(count: number): Promise<readonly Answer[]> {
    let hangs = false;
    const timer = setTimeout(() => {
      hangs = true;
      this.#tell();
    }, HANG_MS);
    while (this.#answers.length < count && !this.#isClosed && !hangs) await this.#told.promise;
    clearTimeout(timer);
    if (hangs) throw new Error(`hangs after ${this.#answers.length} of ${count} answers`);
    return this.#answers;
  }

  /** Waits until the server has ended the connection, and answers what it answered before. */
  async untilClosed(): Promise<readonly Answer[]> {
    return this.answers(Number.POSITIVE_INFINITY);
  }

  /** Leaves: at once, with a reset, or closing only its writing half. */
  leave(random: Random): void {
    const way = random.pick(['destroy', 'reset', 'end'] as const);
    // A server that reads no more, behind a stream, prevents ending data still to be sent.
    const hasSent = this.#socket.writableLength === 0;
    if (way === 'reset') this.#socket.resetAndDestroy();
    else if (way === 'destroy' || !hasSent) this.#socket.destroy();
    // A server that goes on answering is not listened to any longer than this.
    else this.#socket.end(() => this.#socket.destroy());
  }

  #take(text: string): void {
    this.#unread += text;
    for (;;) {
      const start = this.#unread.indexOf('HTTP/1.1 ');
      const end = start < 0 ? -1 : this.#unread.indexOf('\r\n\r\n', start);
      if (end < 0) break;
      const head = this.#unread.slice(start, end);
      this.#unread = this.#unread.slice(end);
      this.#answers.push({ status: Number(head.slice(9, 12)), head });
    }
    // Bodies are of no interest; a status may have come in two parts.
    if (!this.#unread.includes('HTTP/1.1 ')) this.#unread = this.#unread.slice(-10);
    this.#tell();
  }

  #tell(): void {
    this.#told.resolve();
    this.#told = Promise.withResolvers();
  }
}
