import type { Mail } from '../../domain/mail.ts';
import type { MailLog, Sender, SendOutcome } from '../../network/mail-sender.ts';
import { nextAttemptMs } from './retry.ts';

export type TakenMail = Mail & {
  id: string;
  /** The number of this attempt, from 1. */
  attempt: number;
  /** When the mail was queued, or queued again by an operator. */
  queuedMs: number;
};

/** The outbox's requirements of the storage. Times are epoch milliseconds. */
export interface OutboxStore<Taken extends TakenMail = TakenMail> {
  /**
   * Takes up to `limit` queued mails that are due, oldest first, and so many to one recipient that
   * with those in `sending` it has its share: nobody else sends them then.
   */
  take(limit: number, nowMs: number, sending: readonly Taken[]): Promise<Taken[]>;
  /** These release the mail, even if they fail: then it becomes due again. */
  complete(mail: Taken, state: 'sent' | 'logged', nowMs: number, response: string): Promise<void>;
  /** Both do nothing if another process has taken the mail, or it is no longer queued. */
  retry(mail: Taken, dueMs: number, error: string): Promise<void>;
  giveUp(mail: Taken, nowMs: number, error: string): Promise<void>;
}

export type OutboxOptions<Taken extends TakenMail = TakenMail> = {
  store: OutboxStore<Taken>;
  sender: Sender;
  log: MailLog;
  now: () => number;
  /** In [0, 1). */
  random: () => number;
  /** Resolves after that time, or at once when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Ends the loop: no further mail is begun, running ones get STOP_GRACE_MS. */
  signal: AbortSignal;
};

const MAX_SENDING = 4;
/** One whose mail server is slow leaves places to others. */
export const MAX_SENDING_TO_ONE = 2;
/** Interval of checks: other processes queue mails, too. */
const POLL_MS = 2_000;
const MAX_POLL_MS = 30_000;
const SEND_TIMEOUT_MS = 60_000;
/** Less than the process waits for its last work: the outcome has to be stored, too. */
const STOP_GRACE_MS = 3_000;

/**
 * Sends queued mails until the signal aborts, at least once each: a sender that dies between
 * sending and marking sends again, with the same Message-ID. Resolves when nothing is running.
 */
export async function runMailOutbox<Taken extends TakenMail>(
  options: OutboxOptions<Taken>,
): Promise<void> {
  const { store, log, now, sleep, signal } = options;
  const grace = new AbortController();
  const sending = new Map<Taken, Promise<void>>();
  let wake = new AbortController();
  let failures = 0;
  while (!signal.aborted) {
    wake = new AbortController();
    let pollMs = POLL_MS;
    try {
      for (let mails: Taken[] | undefined; mails?.length !== 0; ) {
        const free = MAX_SENDING - sending.size;
        mails = free > 0 ? await store.take(free, now(), [...sending.keys()]) : [];
        failures = 0;
        for (const mail of mails) {
          const work = deliver(options, mail, grace.signal).finally(() => {
            sending.delete(mail);
            wake.abort();
          });
          sending.set(mail, work);
        }
      }
    } catch (error) {
      failures += 1;
      pollMs = Math.min(POLL_MS * 2 ** failures, MAX_POLL_MS);
      log.warn({ err: error }, 'The outbox cannot be read; trying again');
    }
    await sleep(pollMs, AbortSignal.any([signal, wake.signal]));
  }
  if (sending.size === 0) return;
  const sent = new AbortController();
  void sleep(STOP_GRACE_MS, sent.signal).then(() => grace.abort());
  await Promise.all(sending.values());
  sent.abort();
}

async function deliver<Taken extends TakenMail>(
  options: OutboxOptions<Taken>,
  mail: Taken,
  grace: AbortSignal,
): Promise<void> {
  const { sender, log, now } = options;
  const fields = { mailId: mail.id, messageId: mail.messageId, attempt: mail.attempt };
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(SEND_TIMEOUT_MS), grace]);
    const result = await sender.send(mail, signal);
    const dueMs = await settle(options, mail, result);
    if (result.outcome === 'sent') log.info(fields, 'Mail sent');
    if (result.outcome === 'sent' || result.outcome === 'logged') return;
    if (dueMs === undefined)
      log.warn({ ...fields, error: result.error }, 'Mail given up; it can be resent');
    else log.info({ ...fields, error: result.error, retryInMs: dueMs - now() }, 'Mail deferred');
  } catch (error) {
    // The mail becomes due again.
    log.warn({ ...fields, err: error }, 'The outcome of a mail could not be stored');
  }
}

/** Stores the outcome; returns when the mail is tried again, if ever. */
async function settle<Taken extends TakenMail>(
  { store, now, random }: OutboxOptions<Taken>,
  mail: Taken,
  result: SendOutcome,
): Promise<number | undefined> {
  if (result.outcome === 'sent' || result.outcome === 'logged') {
    await store.complete(mail, result.outcome, now(), result.response);
    return undefined;
  }
  const dueMs =
    result.outcome === 'refused'
      ? undefined
      : nextAttemptMs(mail.attempt, mail.queuedMs, now(), random());
  if (dueMs === undefined) await store.giveUp(mail, now(), result.error);
  else await store.retry(mail, dueMs, result.error);
  return dueMs;
}
