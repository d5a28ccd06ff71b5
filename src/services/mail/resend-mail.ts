import { findMail, requeueMail } from '../../storage/mail-store.ts';
import type { Context } from '../context.ts';
import { conflict, notFound } from '../errors.ts';

/**
 * Queues a mail again that was given up, or only logged for want of a mail server. Throws
 * `conflict` for one that is queued or sent.
 */
export async function resendMail({ database, now }: Context, mailId: string): Promise<void> {
  const mail = await findMail(database, mailId);
  if (!mail) throw notFound('Mail');
  if (!(await requeueMail(database, mailId, now()))) throw conflict(`The mail is ${mail.state}`);
}
