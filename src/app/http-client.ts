/** What the demo needs of Plimsoll's own HTTP interface. Throws on every answer but success. */
export class HttpClient {
  readonly #address: string;
  readonly #token: string;

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  async send<T>(method: string, path: string, body?: object | Uint8Array): Promise<T> {
    const isFile = body instanceof Uint8Array;
    const response = await fetch(this.#address + path, {
      method,
      headers: {
        'auth-token': this.#token,
        ...(body
          ? { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }
          : {}),
      },
      ...(body ? { body: isFile ? Buffer.from(body) : JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}
