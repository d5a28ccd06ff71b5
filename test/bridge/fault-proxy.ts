import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { freePort } from '../servers/free-ports.ts';

/**
 * The fate of one request: it is answered by the proxy instead (a status), it never reaches the
 * server (`cutBefore`), its answer is lost (`cutAfter`), or the answer is held back until the
 * client goes (`hold`).
 */
export type Fault = { answer: number; headers?: Record<string, string>; body?: string } | Way;
type Way = 'pass' | 'cutBefore' | 'cutAfter' | 'hold';

export type SeenRequest = {
  key: string;
  rows: string[];
  fault: Fault;
  /** The server's own answer; undefined if it was not asked. */
  status: number | undefined;
};

/**
 * Stands between a client and the server, and applies the next step of its plan to each request.
 */
export class FaultProxy {
  /** The server's address; may change while it runs. */
  target: string;
  /** Faults of the next requests, in order; after them everything passes. */
  readonly plan: Fault[] = [];
  readonly seen: SeenRequest[] = [];
  #server: Server;
  readonly #port: number;
  #answered: () => void = () => {};

  private constructor(target: string, port: number) {
    this.target = target;
    this.#port = port;
    this.#server = this.#create();
  }

  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, await freePort());
    await proxy.up();
    return proxy;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Connections are refused from now on. */
  async down(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async up(): Promise<void> {
    this.#server = this.#create();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Resolves when the server has answered a request whose answer is held back. */
  held(): Promise<void> {
    return new Promise((resolve) => {
      this.#answered = resolve;
    });
  }

  #create(): Server {
    return createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const fault = this.plan.shift() ?? 'pass';
    const key = String(request.headers['idempotency-key'] ?? '');
    const rows = body.toString().split('\n').filter(Boolean);
    const seen: SeenRequest = { key, rows, fault, status: undefined };
    this.seen.push(seen);
    if (typeof fault === 'object') {
      response.writeHead(fault.answer, fault.headers).end(fault.body ?? '');
      return;
    }
    if (fault === 'cutBefore') {
      response.destroy();
      return;
    }
    const answer = await this.#forward(request, body);
    seen.status = answer.status;
    if (fault === 'cutAfter') response.destroy();
    else if (fault === 'hold') this.#answered();
    else {
      const retryAfter = answer.headers.get('retry-after');
      response.writeHead(answer.status, retryAfter === null ? {} : { 'retry-after': retryAfter });
      response.end(answer.text);
    }
  }

  async #forward(request: IncomingMessage, body: Buffer) {
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const answer = await fetch(this.target + request.url, {
      method: request.method ?? 'POST',
      headers: headers as Record<string, string>,
      body,
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
}
