/** Every bound of a p5 Web API connection in one place. Tests shorten the times. */
export type P5Limits = {
  /** TCP connect and TLS handshake together. */
  connectMs: number;
  /** From the request to the head of its answer; the server wants `auth/answer` within 10 s. */
  answerMs: number;
  /** From the head of an answer to its last byte. */
  bodyMs: number;
  /** Waiting for the calls queued before. */
  queueMs: number;
  /** The server drops a connection after 180 s of silence. */
  pingMs: number;
  /** First pause after a failed connect and after "too frequent"; doubles each time. */
  retryMs: number;
  maxRetryMs: number;
  /** Pause after the manager login was refused: hammering would get its address banned. */
  deniedMs: number;
  maxQueuedCalls: number;
  maxBodyBytes: number;
  /** Tries of a call that the server turns away as too frequent or busy. */
  maxTries: number;
};

export const DEFAULT_LIMITS: P5Limits = {
  connectMs: 10_000,
  answerMs: 20_000,
  bodyMs: 30_000,
  queueMs: 30_000,
  pingMs: 20_000,
  retryMs: 500,
  maxRetryMs: 60_000,
  deniedMs: 60_000,
  maxQueuedCalls: 512,
  maxBodyBytes: 64 * 1024 * 1024,
  maxTries: 4,
};
