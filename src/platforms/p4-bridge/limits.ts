/** Every bound of a bridge connection in one place. Tests shorten the times. */
export type BridgeLimits = {
  /** TCP connect and TLS handshake together. */
  connectMs: number;
  /** From the request to the head of its answer. */
  answerMs: number;
  /** From the head of an answer to its last byte. */
  bodyMs: number;
  maxBodyBytes: number;
  maxConnections: number;
  /** Tries of a repeatable call. */
  maxTries: number;
  /** First pause between tries; doubles each time. A longer retry-after ends the tries. */
  retryMs: number;
  maxRetryMs: number;
  /** Pages of one list. */
  maxPages: number;
  /** Rows of one list. */
  maxRows: number;
  /** Logins whose states, or whose orders of a short range, are read in one call. */
  maxStates: number;
  /** A session found sane is trusted with empty lists for this long. */
  saneMs: number;
};

export const DEFAULT_BRIDGE_LIMITS: BridgeLimits = {
  connectMs: 10_000,
  answerMs: 20_000,
  bodyMs: 30_000,
  maxBodyBytes: 16 * 1024 * 1024,
  maxConnections: 4,
  maxTries: 3,
  retryMs: 250,
  maxRetryMs: 5_000,
  maxPages: 1_000,
  maxRows: 500_000,
  maxStates: 500,
  saneMs: 2_000,
};
