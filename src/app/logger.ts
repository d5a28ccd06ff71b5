import { type Logger, pino } from 'pino';

/** Whatever may hold a secret is cut from every line, at any depth that our own code logs. */
const SECRETS = [
  'auth-token',
  'authorization',
  'cookie',
  'token',
  'password',
  'investorPassword',
  'secret',
  'smtpUrl',
  'databaseUrl',
];

/**
 * Characters of lines that wait to be written; while nobody takes them, later lines are left out.
 */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;

/**
 * JSON lines on standard error, so that standard output holds only what commands print. They are
 * written beside the event loop: whoever has many requests refused holds nobody up.
 */
export function createLogger(level: string): Logger {
  const paths = SECRETS.flatMap((name) => {
    const key = `["${name}"]`;
    return [key, `*${key}`, `*.*${key}`];
  });
  return pino(
    { level, base: null, redact: { paths, censor: '[redacted]' } },
    pino.destination({ fd: 2, sync: false, maxLength: MAX_UNWRITTEN_BYTES }),
  );
}
