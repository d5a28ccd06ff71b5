import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A network between clients and a server, of which answers can get lost. */
export class LossyProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs = new Set<{ client: Socket; server: Socket }>();
  /** The port that new connections are forwarded to. */
  target: number;
  /** Data from the server are dropped; data from clients still arrive. */
  isDeaf = false;
  /** Nothing gets through, without an error; connections must be cut afterwards. */
  isSilent = false;

  static async start(target: number, host = '127.0.0.1'): Promise<LossyProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LossyProxy(server, target, host);
  }

  private constructor(server: Server, target: number, host: string) {
    const address = server.address();
    this.port = typeof address === 'object' && address ? address.port : 0;
    this.#server = server;
    this.target = target;
    server.on('connection', (client) => this.#join(client, connect(this.target, host)));
  }

  /** Ends all connections at once. */
  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket, server: Socket): void {
    const pair = { client, server };
    this.#pairs.add(pair);
    for (const socket of [client, server]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        server.destroy();
        this.#pairs.delete(pair);
      });
    }
    client.on('data', (bytes) => {
      if (!this.isSilent) server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (!this.isDeaf && !this.isSilent) client.write(bytes);
    });
  }
}
