/** Every bound of a p5 Web API connection in one place. Tests shorten the times. */
export type P5Limits = {
  /** TCP connect and TLS handshake together. */
  connectMs: number;
  /** From the request to the head of its answer; the server wants `auth/answer` within 10 s. */
  answerMs: number;
  /** From the head of an answer to its last byte. */
  bodyMs: number;
  /** Waiting for earlier calls in the queue. */
  queueMs: number;
  /** The server drops a connection after 180 s of silence. */
  pingMs: number;
  /** First pause after "too frequent"; doubles each time. */
  retryMs: number;
  maxRetryMs: number;
  maxQueuedCalls: number;
  /** Sessions at a time: one serves all single calls, more read very many accounts. */
  maxSessions: number;
  /** How long no more sessions are tried after the server refused one or was overloaded. */
  fewerSessionsMs: number;
  /** Logins of one request; more would make its line too long for some servers. */
  maxLogins: number;
  /** How long the state of an inactive account is trusted. */
  idleMs: number;
  /** For the result of a trade request. */
  dealerMs: number;
  /** First pause before a result is asked for again; doubles each time. */
  dealerPollMs: number;
  maxBodyBytes: number;
  /** Rows of one answer; an empty row takes more memory than bytes in transit. */
  maxRows: number;
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
  maxRetryMs: 10_000,
  maxQueuedCalls: 512,
  maxSessions: 4,
  fewerSessionsMs: 600_000,
  maxLogins: 250,
  idleMs: 60_000,
  dealerMs: 15_000,
  dealerPollMs: 5,
  maxBodyBytes: 64 * 1024 * 1024,
  maxRows: 200_000,
  maxTries: 4,
};
