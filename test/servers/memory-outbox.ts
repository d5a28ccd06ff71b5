import type { Mail } from '../../src/domain/mail.ts';
import type { OutboxStore, TakenMail } from '../../src/workers/outbox/outbox.ts';

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
  /** Ids of those that are being sent. */
  taken: ReadonlySet<string>;
} {
  const mails: StoredMail[] = [];
  const taken = new Set<string>();
  const letGo = ({ id }: TakenMail): StoredMail | undefined => {
    taken.delete(id);
    return mails.find((mail) => mail.id === id && mail.state === 'queued');
  };
  return {
    mails,
    taken,
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
    async take(limit, nowMs) {
      const due = mails
        .filter(({ id, state, dueMs }) => state === 'queued' && dueMs <= nowMs && !taken.has(id))
        .slice(0, limit);
      for (const mail of due) {
        mail.attempt += 1;
        taken.add(mail.id);
      }
      return due.map((mail) => ({ ...mail }));
    },
    async complete(mail, state) {
      const stored = letGo(mail);
      if (stored) stored.state = state;
    },
    async retry(mail, dueMs, error) {
      Object.assign(letGo(mail) ?? {}, { dueMs, error });
    },
    async giveUp(mail, _nowMs, error) {
      Object.assign(letGo(mail) ?? {}, { state: 'failed', error });
    },
  };
}
