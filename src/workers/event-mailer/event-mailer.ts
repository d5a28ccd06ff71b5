import { DAY_MS } from '../../domain/broker-time.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import type { Context } from '../../services/context.ts';
import {
  chosenKinds,
  eventMailLock,
  nextMidnight,
} from '../../services/event-mail/set-event-mail.ts';
import { findNumbered } from '../../storage/account-store.ts';
import { DatabaseUnavailable, type Transaction } from '../../storage/database.ts';
import {
  type EventMail,
  findEventMail,
  listDueEventMail,
  readMailedEvents,
  writeEventMail,
} from '../../storage/event-mail-store.ts';
import { readLastNumber } from '../../storage/event-number-store.ts';
import { queueMail } from '../../storage/mail-store.ts';
import { findUserRow } from '../../storage/user-store.ts';
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

  /** What fails for one user, such as an event that cannot be read, keeps nothing from the others. */
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
    const before = await findEventMail(tx, userId);
    if (!before) return;
    const after = { ...before };
    const nowMs = this.#context.now();
    if (isDue(before.immediateDueMs, nowMs, PAUSE_MS) && before.immediateNumber < until) {
      const isQueued = await this.#queue(tx, before, 'immediate', until, nowMs);
      after.immediateNumber = until;
      if (isQueued) after.immediateDueMs = nowMs + PAUSE_MS;
    }
    if (isDue(before.digestDueMs, nowMs, DAY_MS) && before.digestNumber < until) {
      await this.#queue(tx, before, 'digest', until, nowMs);
      after.digestNumber = until;
      after.digestDueMs = nextMidnight(nowMs);
    }
    await writeEventMail(tx, after);
  }

  /** False if there is nothing to mail. */
  async #queue(
    tx: Transaction,
    mail: EventMail,
    delivery: 'immediate' | 'digest',
    until: number,
    nowMs: number,
  ): Promise<boolean> {
    const { userId } = mail;
    const kinds = chosenKinds(mail, delivery);
    if (kinds.length === 0) return false;
    const isDigest = delivery === 'digest';
    const range = { after: isDigest ? mail.digestNumber : mail.immediateNumber, until };
    const { events, count } = await readMailedEvents(tx, userId, kinds, range, LINES);
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

/** Also if it is impossibly far ahead, because a clock was wrong. */
const isDue = (dueMs: number, nowMs: number, mostMs: number): boolean =>
  dueMs <= nowMs || dueMs > nowMs + mostMs;
