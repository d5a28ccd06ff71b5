import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { resolveTarget } from './public-address.ts';

/** How long a delivery may take. */
export const DELIVERY_MS = 10_000;
/** Of an answer only its status counts; more than this is not even read. */
const MAX_ANSWER_BYTES = 16 * 1024;

export type Delivery = { isTaken: boolean; result: string };

/**
 * Posts a body to an address: taken when a 2xx answer comes in time. Redirects are not followed, and
 * the connection goes to the very address that was checked.
 */
export async function sendWebhook(
  url: URL,
  headers: Record<string, string>,
  body: string,
  options: { allowPrivate: boolean; signal: AbortSignal; withinMs?: number },
): Promise<Delivery> {
  const { withinMs = DELIVERY_MS } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(withinMs)]);
  try {
    const target = await resolveTarget(url.hostname, options.allowPrivate, signal);
    const status = await post(url, headers, body, target, signal);
    return { isTaken: status >= 200 && status < 300, result: `answered ${status}` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { isTaken: false, result: signal.aborted ? 'no answer in time' : reason.slice(0, 200) };
  }
}

function post(
  url: URL,
  headers: Record<string, string>,
  body: string,
  target: { address: string; family: number },
  signal: AbortSignal,
): Promise<number> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal,
        agent: false,
        lookup: (_host, { all }, done) =>
          all ? done(null, [target]) : done(null, target.address, target.family),
      },
      (answer) => readStatus(answer).then(resolve, reject),
    );
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
