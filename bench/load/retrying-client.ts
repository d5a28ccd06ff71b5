import { setTimeout as sleep } from 'node:timers/promises';
import { TOKEN } from '../data/user.ts';

const AGAIN_MS = 20;
const SILENT_MS = 60_000;

/**
 * As through a proxy before several processes: what one refuses, or is not there for, goes to the
 * next.
 */
export class RetryingClient {
  readonly #addresses: readonly string[];
  #turn: number;

  constructor(addresses: readonly string[], first = 0) {
    this.#addresses = addresses;
    this.#turn = first;
  }

  /** The answer's body, once there is one. Throws for every refusal but 503 with `retry-after`. */
  async call(path: string, body?: string): Promise<string> {
    const headers = { 'auth-token': TOKEN, 'content-type': 'application/x-ndjson' };
    for (;;) {
      const address = this.#addresses[this.#turn % this.#addresses.length];
      this.#turn += 1;
      const answer = await fetch(`${address}${path}`, {
        headers,
        signal: AbortSignal.timeout(SILENT_MS),
        ...(body === undefined ? {} : { method: 'POST', body }),
      })
        .then(async (got) => ({ status: got.status, told: got.headers, text: await got.text() }))
        .catch(() => undefined);
      if (answer?.status === 200) return answer.text;
      const comesLater = answer?.status === 503 && answer.told.has('retry-after');
      if (answer && !comesLater) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      await sleep(AGAIN_MS);
    }
  }
}
