import { findMail, requeueMail } from '../../storage/mail-store.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';
import { conflict, notFound } from '../errors.ts';

/**
 * Queues a mail again that was given up, or only logged for lack of a mail server. Throws
 * `notFound`, and `conflict` for one that is queued or sent, or had a one-time code.
 */
export async function resendMail(
  { changes, now }: Context,
  by: Actor,
  mailId: string,
): Promise<void> {
  await changes.make(by, async (tx) => {
    const mail = await findMail(tx, mailId);
    if (!mail) throw notFound('Mail');
    if (mail.isSecret) throw conflict('The mail had a one-time code: invite the person again');
    if (!(await requeueMail(tx, mailId, now()))) throw conflict(`The mail is ${mail.state}`);
    return { result: undefined, audit: [{ action: 'mail.resent', details: { mailId } }] };
  });
}
