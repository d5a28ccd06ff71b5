import type { Claims } from '../../claims/claims.ts';
import { takeBegun } from '../../claims/take-begun.ts';
import type { Claim } from '../../storage/claim-store.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import {
  beginMail,
  completeMail,
  deferMail,
  giveUpMail,
  listDueMail,
} from '../../storage/mail-store.ts';
import { MAX_SENDING_TO_ONE, type OutboxStore, type TakenMail } from './outbox.ts';
import { MAX_DELAY_MS } from './retry.ts';

/** Due mails that are looked at to find some of different recipients. */
const LOOKED_AT = 64;

export type ClaimedMail = TakenMail & { claim: Claim };

/** The outbox in the database: a mail is sent by the process that claims it. */
export function createOutboxStore(database: Database, claims: Claims): OutboxStore<ClaimedMail> {
  /** `isOwn`: no other process has taken it since. */
  const settle = (
    { claim }: ClaimedMail,
    store: (tx: Transaction, isOwn: boolean) => Promise<void>,
  ): Promise<void> =>
    claims.releasing(claim, (release) =>
      database.transaction(async (tx) => store(tx, await release(tx))),
    );
  return {
    async take(limit, nowMs, sending) {
      const toOne = Map.groupBy(sending, ({ to }) => to);
      const countTo = new Map(Array.from(toOne, ([to, { length }]) => [to, length]));
      const full = [...countTo].flatMap(([to, n]) => (n >= MAX_SENDING_TO_ONE ? [to] : []));
      const due: string[] = [];
      for (const { id, to } of await listDueMail(database, nowMs, MAX_DELAY_MS, LOOKED_AT, full)) {
        const count = countTo.get(to) ?? 0;
        if (due.length >= limit || count >= MAX_SENDING_TO_ONE) continue;
        countTo.set(to, count + 1);
        due.push(id);
      }
      if (due.length === 0) return [];
      const begun = await claims.taking((...how) =>
        database.transaction((tx) => takeBegun(tx, how, 'mail', due, beginMail)),
      );
      return begun.map(({ job, claim }) => ({
        ...job,
        ...{ claim, attempt: job.attempts, queuedMs: job.queuedAtMs },
      }));
    },
    // It was sent, whichever process has it now.
    complete: (mail, state, nowMs, response) =>
      settle(mail, (tx) => completeMail(tx, mail.id, [state, nowMs, response])),
    retry: (mail, dueMs, error) =>
      settle(mail, async (tx, isOwn) => {
        if (isOwn) await deferMail(tx, mail.id, dueMs, error);
      }),
    giveUp: (mail, nowMs, error) =>
      settle(mail, async (tx, isOwn) => {
        if (isOwn) await giveUpMail(tx, mail.id, nowMs, error);
      }),
  };
}
