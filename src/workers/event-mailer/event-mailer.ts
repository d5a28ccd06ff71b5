import { DAY_MS } from '../../domain/broker-time.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import type { Context } from '../../services/context.ts';
import {
  eventMailLock,
  MAILED_KINDS,
  nextMidnight,
} from '../../services/event-mail/set-event-mail.ts';
import { findNumbered } from '../../storage/account-store.ts';
import { DatabaseUnavailable, type Transaction } from '../../storage/database.ts';
import {
  type EventMail,
  findEventMail,
  listDueEventMail,
  type MailedKinds,
  readMailedEvents,
  writeEventMail,
} from '../../storage/event-mail-store.ts';
import { readLastNumber } from '../../storage/event-number-store.ts';
import { queueMail } from '../../storage/mail-store.ts';
import { findUserRow } from '../../storage/user-store.ts';
import type { MailTiming } from '../../words/service.ts';
import { Repeater } from '../repeater.ts';
import type { Worker } from '../worker.ts';
import { eventMailOf } from './event-mail-words.ts';

const EVERY_MS = 1000;
/** Time between two immediate mails: events in between are sent together. */
const PAUSE_MS = 60_000;
const USERS_AT_ONCE = 100;
const LINES = 100;
const HORIZON = { pauseMs: PAUSE_MS, digestMs: DAY_MS };

/**
 * Queues mails of events for users who asked for them, in whichever process is first. A mail and
 * its user's progress are one commit, so none is queued twice and none is left out.
 */
export class EventMailer implements Worker {
  readonly #context: Context;
  readonly #mailDomain: string;
  readonly #repeater: Repeater;

  constructor(context: Context, mailDomain: string, time: Timekeeper) {
    this.#context = context;
    this.#mailDomain = mailDomain;
    this.#repeater = new Repeater(time, context.logger, {
      everyMs: EVERY_MS,
      failure: 'events cannot be mailed yet',
      work: (signal) => this.#mailAll(signal),
    });
  }

  start(): void {
    this.#repeater.start();
  }

  stop(): Promise<void> {
    return this.#repeater.stop();
  }

  /** What fails for one user, such as an event that cannot be read, stops no other user. */
  async #mailAll(signal: AbortSignal): Promise<void> {
    const { database, changes, logger, now } = this.#context;
    const last = await readLastNumber(database);
    const due = await listDueEventMail(database, last, now(), HORIZON, USERS_AT_ONCE);
    for (const userId of due) {
      if (signal.aborted) return;
      await changes
        .record((tx) => this.#mail(tx, userId, last))
        .catch((error: unknown) => {
          if (error instanceof DatabaseUnavailable) throw error;
          logger.error({ err: error, userId }, "a user's events cannot be mailed yet");
        });
    }
  }

  async #mail(tx: Transaction, userId: string, until: number): Promise<void> {
    await tx.lock(eventMailLock(userId));
    const mail = await findEventMail(tx, userId);
    if (!mail) return;
    const nowMs = this.#context.now();
    if (isDue(mail.immediateDueMs, nowMs, PAUSE_MS)) {
      const wanted = takeWanted(mail, 'immediate', until);
      const isQueued = await this.#queue(tx, userId, wanted, { until, nowMs, isDigest: false });
      if (isQueued) mail.immediateDueMs = nowMs + PAUSE_MS;
    }
    if (isDue(mail.digestDueMs, nowMs, DAY_MS)) {
      const wanted = takeWanted(mail, 'digest', until);
      await this.#queue(tx, userId, wanted, { until, nowMs, isDigest: true });
      if (wanted.length > 0) mail.digestDueMs = nextMidnight(nowMs);
    }
    await writeEventMail(tx, mail);
  }

  /** False if there is nothing to mail. */
  async #queue(
    tx: Transaction,
    userId: string,
    wanted: readonly MailedKinds[],
    { until, nowMs, isDigest }: { until: number; nowMs: number; isDigest: boolean },
  ): Promise<boolean> {
    if (wanted.length === 0) return false;
    const { events, count } = await readMailedEvents(tx, userId, wanted, until, LINES);
    const user = await findUserRow(tx, userId);
    if (count === 0 || !user) return false;
    const numbers = new Set(events.map(({ accountNumber }) => accountNumber));
    const accounts = await findNumbered(tx, [...numbers]);
    const names = new Map(accounts.map(({ number, id, name }) => [number, `${name} (${id})`]));
    const mailId = this.#context.newId();
    const messageId = `<${mailId}@${this.#mailDomain}>`;
    const written = eventMailOf(user, messageId, { events, count, names, isDigest });
    await queueMail(tx, mailId, written, nowMs);
    return true;
  }
}

/** What is mailed in that way and was not looked at; counts it as looked at. */
function takeWanted(mail: EventMail, delivery: MailTiming, until: number): MailedKinds[] {
  return (['breaches', 'warnings'] as const).flatMap((choice) => {
    const number = `${choice}Number` as const;
    const after = mail[number];
    if (mail[choice] !== delivery || after >= until) return [];
    mail[number] = until;
    return [{ kinds: MAILED_KINDS[choice], after }];
  });
}

/** Also if it is impossibly far ahead, because a clock was wrong. */
const isDue = (dueMs: number, nowMs: number, mostMs: number): boolean =>
  dueMs <= nowMs || dueMs > nowMs + mostMs;
