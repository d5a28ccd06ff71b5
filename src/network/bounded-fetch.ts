import { isIP } from 'node:net';
import { checkedLookup, resolvePublicTarget } from './public-address.ts';
import { readBytes } from './read-bytes.ts';

/** See send-webhook.ts: an import would load all of them at the start. */
const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

export type FetchBounds = {
  /** From the look-up of the name to the last byte. */
  withinMs: number;
  maxBytes: number;
  /** Whether a host may have an address outside of the public internet. */
  mayBePrivate: (host: string) => boolean;
};

/** There was no answer within the bounds. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

type Call = {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
};

/**
 * A `fetch` for servers that answer briefly: within a time, so many bytes, at an address that was
 * checked before the connection. Redirects are not followed. Throws NoAnswer.
 */
export const boundedFetch =
  (bounds: FetchBounds) =>
  async (address: string, { method = 'GET', headers = {}, body }: Call): Promise<Response> => {
    const url = new URL(address);
    const signal = AbortSignal.timeout(bounds.withinMs);
    const mayBePrivate = bounds.mayBePrivate(url.hostname);
    const sent = body === undefined || body === null ? '' : String(body);
    try {
      // An IP address needs no look-up.
      if (isIP(url.hostname.replace(/^\[|\]$/g, '')))
        await resolvePublicTarget(url.hostname, mayBePrivate, signal);
      return await new Promise((resolve, reject) => {
        const ask = url.protocol === 'https:' ? https.request : http.request;
        const lookup = checkedLookup(mayBePrivate, bounds.withinMs);
        const length = Buffer.byteLength(sent);
        const call = ask(url, {
          ...{ method, signal, lookup, agent: false },
          headers: { ...headers, ...(length > 0 ? { 'content-length': length } : {}) },
        });
        call.on('error', reject);
        call.on('response', (answer) => {
          const { statusCode: status = 500, headers: given } = answer;
          const { maxBytes } = bounds;
          const tooLong = `the answer is longer than ${maxBytes} bytes`;
          readBytes(answer, maxBytes, tooLong).then((bytes) => {
            const type = given['content-type'] ?? '';
            // A Response of 204 must have no body.
            const own = bytes.length === 0 ? null : bytes;
            resolve(new Response(own, { status, headers: { 'content-type': type } }));
          }, reject);
        });
        call.end(sent);
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = signal.aborted ? 'no answer in time' : reason.slice(0, 200);
      throw new NoAnswer(`${url.host}: ${message}`, { cause: error });
    }
  };
