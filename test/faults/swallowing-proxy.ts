import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

type Way = { from: Socket; to: Socket };

/** Stands between a server and its database as a network that can fall silent without refusing. */
export class SwallowingProxy {
  readonly #server: Server;
  readonly #ways = new Set<Way>();
  readonly #sockets = new Set<Socket>();
  #isSilent = false;

  private constructor(target: URL) {
    const { hostname, port } = target;
    this.#server = createServer({ pauseOnConnect: true }, (near) => {
      this.#join(near, connect(Number(port), hostname));
    });
  }

  static async start(target: URL): Promise<SwallowingProxy> {
    const proxy = new SwallowingProxy(target);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on nothing gets through, without an error. */
  fallSilent(): void {
    this.#isSilent = true;
    for (const { from } of this.#ways) from.pause();
  }

  /** Data sent in the meantime arrive late. */
  deliver(): void {
    this.#isSilent = false;
    for (const { from } of this.#ways) from.resume();
  }

  /** Earlier connections stay silent for ever, as behind another route; new ones work. */
  forget(): void {
    this.#isSilent = false;
    this.#ways.clear();
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(near: Socket, far: Socket): void {
    const ways = [
      { from: near, to: far },
      { from: far, to: near },
    ];
    for (const way of ways) {
      const { from, to } = way;
      this.#ways.add(way);
      this.#sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => {
        this.#ways.delete(way);
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isSilent) from.pause();
      else from.resume();
    }
  }
}
