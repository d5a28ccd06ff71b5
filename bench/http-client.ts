import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { TOKEN } from './data/user.ts';

/** Calls on connections that are kept: less of a call is the client's own than with `fetch`. */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #token: string;

  constructor(token = TOKEN) {
    this.#token = token;
  }

  async get(url: string): Promise<string> {
    return this.#call('GET', url);
  }

  /** Lines of JSON. */
  async post(url: string, body: string): Promise<string> {
    return this.#call('POST', url, body, 'application/x-ndjson');
  }

  async postJson(url: string, record: object): Promise<string> {
    return this.#call('POST', url, JSON.stringify(record), 'application/json');
  }

  async delete(url: string): Promise<string> {
    return this.#call('DELETE', url);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #call(method: string, url: string, body?: string, type?: string): Promise<string> {
    const headers = { 'auth-token': this.#token, ...(type && { 'content-type': type }) };
    const sent = request(url, { method, headers, agent: this.#agent });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = await text(response);
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode > 299) throw new Error(`${method} ${url}: ${answer}`);
    return answer;
  }
}
