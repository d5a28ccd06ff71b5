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

/** JSON lines on standard error, so that standard output holds only what commands print. */
export function createLogger(level: string): Logger {
  const paths = SECRETS.flatMap((name) => {
    const key = `["${name}"]`;
    return [key, `*${key}`, `*.*${key}`];
  });
  return pino(
    { level, base: null, redact: { paths, censor: '[redacted]' } },
    pino.destination({ fd: 2, sync: true }),
  );
}
