import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PlatformError } from '../../src/platforms/gateway.ts';
import { BRIDGE_CALLS, type BridgeAnswer } from './calls.ts';
import type { ManagerLibrary } from './library.ts';

export type BridgeOptions = {
  library: ManagerLibrary;
  token: string;
  /** Calls missing in this bridge. */
  without?: ReadonlySet<string>;
  /** Its answer to those: 501, or 404 as from servers that do not know them. */
  missingStatus?: 404 | 405 | 501;
  /** Whether its health lists its calls. */
  listsCalls?: boolean;
};

const MAX_BODY_BYTES = 1024 * 1024;

/** Answers one request to the bridge: the token first, then the call. */
export async function answerCall(
  { library, token, ...options }: BridgeOptions,
  request: IncomingMessage,
): Promise<BridgeAnswer> {
  const { without = new Set(), missingStatus = 501, listsCalls = true } = options;
  if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`))
    return { status: 401, body: { code: 65, message: 'Bad token' } };
  const url = new URL(request.url ?? '/', 'http://bridge');
  const path = url.pathname.replace(/^\/v1/, '');
  const name = `${request.method} ${path.replace(/\/\d+/, '/{login}')}`;
  const call = without.has(name) ? undefined : BRIDGE_CALLS[name];
  const text = await bodyOf(request);
  if (!call) return { status: missingStatus, body: {} };
  if (text === undefined) return { status: 413, body: {} };
  try {
    const answer = await call(library, {
      login: Number(url.searchParams.get('login') ?? /\/(\d+)/.exec(path)?.[1]),
      query: url.searchParams,
      input: text === '' ? {} : JSON.parse(text),
      idempotencyKey: String(request.headers['idempotency-key'] ?? ''),
    });
    if (!listsCalls || !('brokerTime' in answer.body && 'version' in answer.body)) return answer;
    const calls = Object.keys(BRIDGE_CALLS).filter((each) => !without.has(each));
    return { ...answer, body: { ...answer.body, calls } };
  } catch (error) {
    if (error instanceof SyntaxError) return { status: 400, body: { code: 3, message: 'No JSON' } };
    if (!(error instanceof PlatformError)) throw error;
    // 3 is "invalid data" in the manager library.
    return { status: 400, body: { code: 3, message: error.message } };
  }
}

export function sendAnswer(response: ServerResponse, { status, body }: BridgeAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Undefined beyond the bound. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks).toString('utf8') : undefined;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
