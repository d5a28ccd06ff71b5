import { listMailRows } from '../../storage/mail-store.ts';
import type { MailState } from '../../words/service.ts';
import type { Context } from '../context.ts';
import { isoTime, isoTimeOrAbsent } from '../present-time.ts';

export type ListedMail = {
  id: string;
  messageId: string;
  to: string;
  subject: string;
  text: string;
  state: MailState;
  attempts: number;
  queuedAt: string;
  /** While it is queued. */
  nextAttemptAt: string | undefined;
  settledAt: string | undefined;
  lastResult: string | undefined;
};

/** A page of mails, newest first. */
export async function listMail(
  { database }: Context,
  page: { state?: MailState | undefined; limit: number; offset: number },
): Promise<ListedMail[]> {
  const mails = await listMailRows(database, page.state, page.limit, page.offset);
  return mails.map((mail) => ({
    id: mail.id,
    messageId: mail.messageId,
    to: mail.to,
    subject: mail.subject,
    text: mail.isSecret ? '' : mail.text,
    state: mail.state,
    attempts: mail.attempts,
    queuedAt: isoTime(mail.queuedAtMs),
    nextAttemptAt: mail.state === 'queued' ? isoTime(mail.dueAtMs) : undefined,
    settledAt: isoTimeOrAbsent(mail.settledAtMs),
    lastResult: mail.lastResult ?? undefined,
  }));
}
