/**
 * Runs the outbox in a process of its own, for tests that kill it: argument 1 is the port of the
 * mail server, the environment leads to the database.
 */
import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { linuxProcesses } from '../../src/app/linux-processes.ts';
import { systemTime } from '../../src/app/system-time.ts';
import { createSmtpSender } from '../../src/network/smtp-sender.ts';
import { parseSmtpUrl } from '../../src/network/smtp-settings.ts';
import { openPostgres } from '../../src/storage/drivers/postgres.ts';
import { openSqlite } from '../../src/storage/drivers/sqlite.ts';
import { runMailOutbox } from '../../src/workers/outbox/outbox.ts';
import { createOutboxStore } from '../../src/workers/outbox/outbox-store.ts';
import { testClaims } from './test-claims.ts';

const [port] = process.argv.slice(2);
const { DATABASE_URL, PLIMSOLL_DATA = '' } = process.env;
const database = DATABASE_URL ? openPostgres(DATABASE_URL) : openSqlite(PLIMSOLL_DATA);
const claims = testClaims(database, { time: systemTime, localProcesses: linuxProcesses() });
await claims.start();

process.on('disconnect', () => process.exit());
// Not at its end, which is a SIGKILL: the next one starts in half the time.
flushCompileCache();
await runMailOutbox({
  store: createOutboxStore(database, claims),
  sender: createSmtpSender(parseSmtpUrl(`smtp://127.0.0.1:${port}`), {
    name: '',
    address: 'plimsoll@example.com',
  }),
  log: { info() {}, warn() {} },
  now: Date.now,
  random: () => 0,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
  signal: new AbortController().signal,
});
