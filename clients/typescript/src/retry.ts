/** How requests are sent again. */
export type RetryOptions = {
  /** The most times a request is sent. Default 6. */
  maxAttempts?: number;
  /** The longest pause before a request is sent again, whatever the server asks for. */
  maxPauseMs?: number;
  /** Sends a request: by default the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
};

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
/** Requests whose repetition has no further effect. */
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
/** POST and PATCH operations with an Idempotency-Key. */
export const KEYED =
  /\/users\/current\/(snapshots|p[45]\/provisioning-profiles\/[^/]+\/accounts(\/[^/]+(\/(password|balance-operations|close-positions))?)?)$/;

/**
 * A fetch that waits and retries: after a failed connection, 429 and 503, and 202 of a running
 * computation, for the time in `retry-after`, or else twice as long each time. Requests that could
 * take effect twice are only retried with an Idempotency-Key, which this adds where possible, or
 * after 429, which has no effect. Returns or throws the result of the last attempt.
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
