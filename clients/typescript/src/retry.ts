/** How requests are sent again. */
export type RetryOptions = {
  /** How often a request is sent at most. 6 where absent. */
  maxAttempts?: number;
  /** The longest pause before a request is sent again, whatever the server says. */
  maxPauseMs?: number;
  /** What sends a request: the global fetch where absent. */
  fetch?: (request: Request) => Promise<Response>;
};

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
/** What the server may have done already has the same effect once more. */
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
/** POST and PATCH operations that take an Idempotency-Key. */
export const KEYED =
  /\/users\/current\/(snapshots|p[45]\/provisioning-profiles\/[^/]+\/accounts(\/[^/]+(\/(password|balance-operations|close-positions))?)?)$/;

/**
 * A fetch that waits and asks again: after a failed connection, 429 and 503, and 202 of a
 * computation that goes on, as long as `retry-after` says, else twice as long each time. What could
 * have an effect twice is sent again only with an Idempotency-Key, which operations that take one
 * get here, or after 429, which has none. Throws what the last attempt threw; answers what it
 * answered.
 */
export function retryingFetch(options: RetryOptions = {}): (request: Request) => Promise<Response> {
  const { maxAttempts = ATTEMPTS, maxPauseMs = MAX_PAUSE_MS, fetch = globalThis.fetch } = options;
  return async (original) => {
    const request = withKey(original);
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= maxAttempts;
      let pauseMs = FIRST_PAUSE_MS * 2 ** (attempt - 1);
      try {
        const response = await fetch(request.clone());
        if (isLast || !isWorthAsking(request, response)) return response;
        pauseMs = statedPauseMs(response) ?? pauseMs;
        await response.body?.cancel();
      } catch (error) {
        request.signal.throwIfAborted();
        if (isLast || !isRepeatable(request)) throw error;
      }
      await sleep(Math.min(pauseMs, maxPauseMs), request.signal);
    }
  };
}

function withKey(request: Request): Request {
  const { pathname } = new URL(request.url);
  const isKeyed = ['POST', 'PATCH'].includes(request.method) && KEYED.test(pathname);
  if (!isKeyed || request.headers.has('idempotency-key')) return request;
  const headers = new Headers(request.headers);
  headers.set('idempotency-key', globalThis.crypto.randomUUID());
  return new Request(request, { headers });
}

const isRepeatable = ({ method, headers }: Request): boolean =>
  REPEATABLE.has(method) || headers.has('idempotency-key');

const isWorthAsking = (request: Request, { status }: Response): boolean =>
  status === 429 || ((status === 503 || status === 202) && isRepeatable(request));

function statedPauseMs({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? seconds * 1000 : undefined;
}

/** Throws the signal's reason when it aborts. */
export function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', end, { once: true });
  });
}
