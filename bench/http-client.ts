import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { TOKEN } from './data/user.ts';

/** Calls on connections that are kept: less of a call is the client's own than with `fetch`. */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true });

  async get(url: string): Promise<string> {
    return this.#call('GET', url);
  }

  async post(url: string, body: string): Promise<string> {
    return this.#call('POST', url, body);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #call(method: string, url: string, body?: string): Promise<string> {
    const headers = { 'auth-token': TOKEN, 'content-type': 'application/x-ndjson' };
    const sent = request(url, { method, headers, agent: this.#agent });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = await text(response);
    if (response.statusCode !== 200) throw new Error(answer);
    return answer;
  }
}
