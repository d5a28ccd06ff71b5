import { type Logger, pino } from 'pino';
import { OutageLog } from './outage-log.ts';
import { systemTime } from './system-time.ts';

/** Possible secrets are cut from every line, at every depth that our own code logs. */
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
 * Characters of lines that wait to be written; while they cannot be written, later lines are left
 * out.
 */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;

const LOOK_EVERY_MS = 5000;
/** Marks a line of the outage log itself. */
const TOLD = Symbol('told');

/**
 * JSON lines on standard error, so that standard output holds only what commands print. They are
 * written outside of the event loop: a flood of refused requests does not block others.
 */
export function createLogger(level: string): Logger {
  const paths = SECRETS.flatMap((name) => {
    const key = `["${name}"]`;
    return [key, `*${key}`, `*.*${key}`];
  });
  const outages = new OutageLog(systemTime, (fields, message) =>
    logger.warn({ [TOLD]: true, ...fields }, message),
  );
  const logger = pino(
    {
      ...{ level, base: null, redact: { paths, censor: '[redacted]' } },
      hooks: {
        logMethod(args, write, level) {
          const [fields, message = ''] = args as unknown[];
          if (typeof fields !== 'object' || fields === null || TOLD in fields) {
            write.apply(this, args);
            return;
          }
          const left = outages.take(level, fields as Record<string, unknown>, String(message));
          if (left) write.call(this, left, String(message));
        },
      },
    },
    pino.destination({ fd: 2, sync: false, maxLength: MAX_UNWRITTEN_BYTES }),
  );
  setInterval(() => outages.look(), LOOK_EVERY_MS).unref();
  return logger;
}
