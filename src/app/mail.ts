import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { createLogSender } from '../network/log-sender.ts';
import type { Context } from '../services/context.ts';
import type { Database } from '../storage/database.ts';
import { countOpenMail } from '../storage/mail-store.ts';
import { runMailOutbox } from '../workers/outbox/outbox.ts';
import { createOutboxStore } from '../workers/outbox/outbox-store.ts';
import type { Worker } from '../workers/worker.ts';
import type { Settings } from './settings.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

/** Shows how many mails wait and how many were given up, with an alert on the latter. */
export function registerMailMetrics(registry: Registry, { database }: Context): void {
  new Gauge({
    name: 'plimsoll_mails',
    help: 'E-mails that wait to be sent (queued) and that were given up (failed)',
    labelNames: ['state'],
    registers: [registry],
    collect: whileDatabaseAnswers(async function () {
      const { queued, failed } = await countOpenMail(database);
      this.labels('queued').set(queued);
      this.labels('failed').set(failed);
    }),
  });
}

/** Sends the mails of the outbox, or writes them to the log if no mail server is set. */
export function createMailWorker(
  { SMTP_URL, MAIL_FROM }: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>,
  database: Database,
  { logger: log, now, claims }: Context,
): Worker {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    if (!SMTP_URL) log.warn({}, 'SMTP_URL is not set: e-mails are written to this log and kept');
    // Loaded when used: a start is faster without the SMTP library.
    const sender = SMTP_URL
      ? (await import('../network/smtp-sender.ts')).createSmtpSender(SMTP_URL, MAIL_FROM)
      : createLogSender(log);
    await runMailOutbox({
      store: createOutboxStore(database, claims),
      ...{ sender, log },
      now,
      random: Math.random,
      // An aborted sleep rejects; the loop checks its signal itself.
      sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
      signal: stopping.signal,
    });
  };
  return {
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
