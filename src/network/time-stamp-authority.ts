import type { IncomingMessage } from 'node:http';
import { stampRequest, tokenOf } from '../domain/evidence/time-stamp.ts';
import { readBytes } from './read-bytes.ts';

/** See send-webhook.ts: `import` costs a start of the server a tenth of its time. */
const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

/** How long an authority may take. */
const ANSWER_MS = 10_000;
/** A token has the certificates of its authority, some kilobytes. */
export const MAX_TOKEN_BYTES = 32 * 1024;

/** An authority gave no token, and why. */
export class NoStamp extends Error {
  override readonly name = 'NoStamp';
}

/**
 * Asks an authority for a token over a text (RFC 3161 over HTTP). The operator chose the address,
 * so it may be any; redirects are not followed. Throws NoStamp, also when the signal aborts.
 */
export async function askForStamp(
  address: string,
  text: string,
  signal?: AbortSignal,
): Promise<Buffer> {
  const url = new URL(address);
  const body = stampRequest(text);
  const ask = url.protocol === 'https:' ? https.request : http.request;
  const timeout = AbortSignal.timeout(ANSWER_MS);
  const options = {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', 'content-length': body.length },
    signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    agent: false as const,
  };
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      ask(url, options).on('response', resolve).on('error', reject).end(body);
    });
    const token = await readBytes(answer, MAX_TOKEN_BYTES, 'the answer is longer than a token');
    if (answer.statusCode !== 200) throw new Error(`the authority answered ${answer.statusCode}`);
    return tokenOf(token);
  } catch (cause) {
    const late = `the authority did not answer within ${ANSWER_MS / 1000} seconds`;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new NoStamp(timeout.aborted ? late : why, { cause });
  }
}
