import type { Mail } from '../../src/domain/mail.ts';
import type { OutboxStore } from '../../src/mail/outbox.ts';

type State = 'queued' | 'sent' | 'logged' | 'failed';
export type StoredMail = Mail & {
  id: string;
  attempt: number;
  queuedMs: number;
  dueMs: number;
  state: State;
  error?: string;
};

/** An outbox without a database, for tests of the loop alone. */
export function createMemoryOutbox(): OutboxStore & {
  queue(mail: Mail, nowMs: number): StoredMail;
  mails: StoredMail[];
} {
  const mails: StoredMail[] = [];
  const current = (id: string, attempt: number) =>
    mails.find((mail) => mail.id === id && mail.attempt === attempt && mail.state === 'queued');
  return {
    mails,
    queue(mail, nowMs) {
      const id = String(mails.length + 1);
      const stored: StoredMail = {
        ...mail,
        id,
        attempt: 0,
        queuedMs: nowMs,
        dueMs: nowMs,
        state: 'queued',
      };
      mails.push(stored);
      return stored;
    },
    async lease(limit, nowMs, leaseMs) {
      const due = mails
        .filter((mail) => mail.state === 'queued' && mail.dueMs <= nowMs)
        .slice(0, limit);
      for (const mail of due) {
        mail.attempt += 1;
        mail.dueMs = nowMs + leaseMs;
      }
      return due.map((mail) => ({ ...mail }));
    },
    async complete(id, state) {
      for (const mail of mails) if (mail.id === id) mail.state = state;
    },
    async retry(id, attempt, dueMs, error) {
      const mail = current(id, attempt);
      if (mail) Object.assign(mail, { dueMs, error });
    },
    async giveUp(id, attempt, _nowMs, error) {
      const mail = current(id, attempt);
      if (mail) Object.assign(mail, { state: 'failed', error });
    },
  };
}
