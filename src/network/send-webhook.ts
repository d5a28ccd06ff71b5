import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { checkedLookup, resolvePublicTarget } from './public-address.ts';

/**
 * `import` would evaluate all their exports, including Node's own fetch and the certificates it
 * trusts, a tenth of what a start of the server takes.
 */
const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

/** How long a delivery may take. */
export const DELIVERY_MS = 10_000;
/** Only the status of an answer counts; bytes beyond this are not read. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Connections to a target kept for the next event, and for how long: servers close idle ones. */
const FREE_CONNECTIONS = 64;
const KEPT_MS = 4_000;

/** `status` is absent if there was no answer. */
export type Delivery = { isTaken: boolean; result: string; status?: number };

/**
 * Posts bodies to addresses, over connections kept for a while. A new connection goes to the very
 * address that was checked; redirects are not followed.
 */
export class WebhookClient {
  readonly #allowPrivate: boolean;
  readonly #plain: Agent;
  readonly #secure: Agent;
  readonly #lookup: LookupFunction;

  constructor({ allowPrivate }: { allowPrivate: boolean }) {
    this.#allowPrivate = allowPrivate;
    const kept = { keepAlive: true, maxFreeSockets: FREE_CONNECTIONS, timeout: KEPT_MS };
    this.#plain = new http.Agent(kept);
    this.#secure = new https.Agent(kept);
    this.#lookup = checkedLookup(allowPrivate, DELIVERY_MS);
  }

  /** Accepted if a 2xx answer comes in time. */
  async send(
    url: URL,
    headers: Record<string, string>,
    body: string,
    options: { signal: AbortSignal; withinMs?: number },
  ): Promise<Delivery> {
    const { withinMs = DELIVERY_MS } = options;
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(withinMs)]);
    try {
      // An IP address needs no look-up.
      if (isIP(url.hostname.replace(/^\[|\]$/g, ''))) {
        await resolvePublicTarget(url.hostname, this.#allowPrivate, signal);
      }
      const status = await this.#post(url, headers, body, signal);
      return { isTaken: status >= 200 && status < 300, result: `answered ${status}`, status };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const result = signal.aborted ? 'no answer in time' : reason.slice(0, 200);
      return { isTaken: false, result };
    }
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }

  /** A kept connection that its server is closing is no failure: a new one is made. */
  async #post(
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<number> {
    const isSecure = url.protocol === 'https:';
    const ask = isSecure ? https.request : http.request;
    const length = Buffer.byteLength(body);
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': length },
      ...{ signal, lookup: this.#lookup },
    };
    const kept = ask(url, { ...options, agent: isSecure ? this.#secure : this.#plain });
    try {
      return await statusOf(kept, body);
    } catch (error) {
      if (!kept.reusedSocket || signal.aborted) throw error;
      return await statusOf(ask(url, { ...options, agent: false }), body);
    }
  }
}

function statusOf(call: ClientRequest, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    call.on('response', (answer) => readStatus(answer).then(resolve, reject));
    call.on('error', reject);
    call.end(body);
  });
}

async function readStatus(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const part of answer) {
    bytes += (part as Buffer).length;
    if (bytes > MAX_ANSWER_BYTES) break;
  }
  return answer.statusCode ?? 0;
}
