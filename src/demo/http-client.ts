import { setTimeout as sleep } from 'node:timers/promises';

/** How often a request is sent if the server has no time for it. */
const MAX_TRIES = 10;
const MAX_PAUSE_SECONDS = 30;

/**
 * The demo's client of Plimsoll's own HTTP interface. Waits if the server says so (503, as on a
 * machine that is busy); throws on every other answer except success.
 */
export class HttpClient {
  readonly #address: string;
  readonly #token: string;

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  async send<T>(method: string, path: string, body?: object | Uint8Array): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const response = await this.#fetch(method, path, body);
      const text = await response.text();
      if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      if (response.status !== 503 || !(seconds >= 0) || tries >= MAX_TRIES) {
        throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
      }
      await sleep(Math.min(seconds, MAX_PAUSE_SECONDS) * 1000);
    }
  }

  #fetch(method: string, path: string, body: object | Uint8Array | undefined): Promise<Response> {
    const isFile = body instanceof Uint8Array;
    return fetch(this.#address + path, {
      method,
      headers: {
        'auth-token': this.#token,
        ...(body
          ? { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }
          : {}),
      },
      ...(body ? { body: isFile ? Buffer.from(body) : JSON.stringify(body) } : {}),
    });
  }
}
